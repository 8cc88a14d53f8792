// What the speech worker is told by the main thread, and what its clients and it say to each other. Sound goes straight
// between the two, and never through the main thread.
import type { SignOfLife } from "../../core/worker-supervisor.ts";
import type { AddedRecogniser } from "../onnx/added-models.ts";
import type { GuardState } from "../onnx/native-guard.ts";
import type { AvailablePacks } from "../packs/packs.ts";
import type { SpeechWork } from "../talk-load.ts";
import type { Pace } from "./pace.ts";
import type { BuiltInVoice } from "./voices.ts";

/** What a speech worker is there for; each role has threads of its own. */
export type SpeechRole = "voice" | "ear" | "recogniser" | "spotter";

/** What somebody brought, and the weights that not every build has. */
export interface MoreWeights {
  added: AddedRecogniser | null;
  packs: AvailablePacks;
}

export type ToSpeechWorker =
  /** Before all else. ONNX Runtime is loaded from this folder, and the guard tells whether the thread may be ended. */
  | { type: "role"; role: SpeechRole; nativeFolder: string; guard: GuardState; more: MoreWeights }
  | { type: "start" }
  /** Somebody who wants to hear words; the other end of this port is with them. */
  | { type: "client"; port: MessagePort }
  | { type: "stop" };

export type FromSpeechWorker =
  | SignOfLife
  /** It was to be ended, and may be now: see speech/onnx/native-guard.ts. */
  | { type: "cameOut" }
  /** The neural voice cannot be loaded, and Flite speaks in its place. */
  | { type: "simpleVoice"; reason: string }
  /** The recogniser that somebody added cannot be used, and the built-in one serves in its place. */
  | { type: "builtInRecogniser"; reason: string }
  /**
   * How long an ordinary answer takes a recogniser on this machine, or a second of speech a spotter or the voice; told
   * once, before it is ready.
   */
  | { type: "measured"; whose: SpeechWork; tookMs: number }
  /** How many calls the ear listens to, whenever that changes. */
  | { type: "listening"; calls: number }
  /** It was busy this long with one utterance or sentence. What was said goes to who asked, and to nobody else. */
  | { type: "worked"; whose: SpeechWork; tookMs: number };

export interface SpeechRequest {
  id: number;
  /** One clause; pronunciations are marked in it. */
  text: string;
  voice: BuiltInVoice;
  pace: Pace;
  /** Whoever asks has given up by then. */
  longestWaitMs: number;
}

/** Nobody wants it any more. It is answered all the same, and its answer is thrown away. */
export interface SpeechCancel {
  cancel: number;
}

/** Somebody waits for it on the telephone now. */
export interface SpeechHurry {
  hurry: number;
}

/** One for each request. `error` holds none of its words. */
export type SpeechAnswer = { id: number; samples: Int16Array<ArrayBuffer> } | { id: number; error: string };
