// Protocol of the disk thread, which runs fsyncs and checkpoints: one answer for each message except the first, in
// order.
import type { WorkerPort } from "../core/worker-port.ts";

export type ToDiskWorker =
  /** The first message: the database file, and its key if it is encrypted. */
  { type: "open"; file: string; key: Uint8Array | null } | { type: DiskStep };

/**
 * `sync`: fdatasync of the WAL. `rewrite`: the same after rewriting every byte of the WAL. `move`: a checkpoint that
 * fsyncs what it moves. `begin`: a first, small commit after the WAL was restarted. `close`: closes all files.
 */
export type DiskStep = "sync" | "rewrite" | "move" | "begin" | "close";

export type FromDiskWorker = { type: "done" } | { type: "fault"; code: string | null; message: string };

export type DiskWorker = WorkerPort<ToDiskWorker, FromDiskWorker>;
