// Messages between the main thread, the speech worker and its clients. Audio goes directly between worker and client,
// never through the main thread.
import type { SignOfLife } from "../../core/worker-supervisor.ts";
import type { AddedRecogniser } from "../onnx/added-models.ts";
import type { GuardState } from "../onnx/native-guard.ts";
import type { AvailablePacks } from "../packs/packs.ts";
import type { SpeechWork } from "../talk-load.ts";
import type { Pace } from "./pace.ts";
import type { BuiltInVoice } from "./voices.ts";

/** Role of a speech worker; each role has its own threads. */
export type SpeechRole = "voice" | "ear" | "recogniser" | "spotter";

/** Added models, and weights that not every build has. */
export interface MoreWeights {
  added: AddedRecogniser | null;
  packs: AvailablePacks;
}

export type ToSpeechWorker =
  /** First message. ONNX Runtime is loaded from this folder; the guard tells whether the thread may be terminated. */
  | { type: "role"; role: SpeechRole; nativeFolder: string; guard: GuardState; more: MoreWeights }
  | { type: "start" }
  /** A new client, connected through this port. */
  | { type: "client"; port: MessagePort }
  | { type: "stop" };

export type FromSpeechWorker =
  | SignOfLife
  /** The thread may be terminated now; see speech/onnx/native-guard.ts. */
  | { type: "cameOut" }
  /** The neural voice failed to load; Flite is used. */
  | { type: "simpleVoice"; reason: string }
  /** The added recogniser failed; the built-in one is used. */
  | { type: "builtInRecogniser"; reason: string }
  /**
   * Time of an ordinary answer (recogniser) or of one second of speech (spotter, voice) on this machine; sent once,
   * before it is ready.
   */
  | { type: "measured"; whose: SpeechWork; tookMs: number }
  /** Number of calls of the detector, sent whenever it changes. */
  | { type: "listening"; calls: number }
  /** Busy time for one utterance or sentence. The words go to the requester only. */
  | { type: "worked"; whose: SpeechWork; tookMs: number };

export interface SpeechRequest {
  id: number;
  /** One clause with marked pronunciations. */
  text: string;
  voice: BuiltInVoice;
  pace: Pace;
  /** The requester's timeout. */
  longestWaitMs: number;
}

/** Cancels a request. It is still answered, and the answer is discarded. */
export interface SpeechCancel {
  cancel: number;
}

/** A caller is waiting for this request. */
export interface SpeechHurry {
  hurry: number;
}

/** One per request. `error` contains none of the words. */
export type SpeechAnswer = { id: number; samples: Int16Array<ArrayBuffer> } | { id: number; error: string };
