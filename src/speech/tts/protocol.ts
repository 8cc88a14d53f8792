// What the speech worker is told by the main thread, and what its clients and it say to each other. Sound goes straight
// between the two, and never through the main thread.
import type { SignOfLife } from "../../core/worker-supervisor.ts";

/** What a speech worker is there for; each role has threads of its own. */
export type SpeechRole = "voice";

export type ToSpeechWorker =
  /** Before all else. ONNX Runtime is loaded from this folder: see speech/onnx/native-folder.ts. */
  | { type: "role"; role: SpeechRole; nativeFolder: string }
  | { type: "start" }
  /** Somebody who wants to hear words; the other end of this port is with them. */
  | { type: "client"; port: MessagePort }
  | { type: "stop" };

export type FromSpeechWorker = SignOfLife;

export interface SpeechRequest {
  id: number;
  text: string;
}

/** One for each request. `error` holds none of its words. */
export type SpeechAnswer = { id: number; samples: Int16Array<ArrayBuffer> } | { id: number; error: string };
