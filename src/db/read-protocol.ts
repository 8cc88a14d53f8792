// Protocol of the thread for heavy reads, one statement at a time.
import type { WorkerPort } from "../core/worker-port.ts";

export type ToReadWorker =
  /** The first message: the database file, and its key if it is encrypted. */
  | { type: "open"; file: string; key: Uint8Array | null }
  | { type: "ask"; sql: string; parameters: readonly unknown[] }
  | { type: "close" };

export type FromReadWorker =
  | { type: "rows"; rows: unknown[] }
  /** `code`: SQLite's error code, if any. `isOpening`: the file could not be opened; the next statement retries. */
  | { type: "fault"; code: string | null; message: string; isOpening: boolean }
  | { type: "closed" };

export type ReadWorker = WorkerPort<ToReadWorker, FromReadWorker>;
