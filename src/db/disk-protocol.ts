// What the thread that waits for the disk is told, and what it answers: one answer for each message but the first, in
// their order.
import type { WorkerPort } from "../core/worker-port.ts";

export type ToDiskWorker =
  /** The first message: the database file. */
  { type: "open"; file: string } | { type: DiskStep };

/**
 * `sync`: fdatasync of the WAL. `rewrite`: the same after every byte of the WAL was written again. `move`: a checkpoint
 * that fsyncs what it moves. `begin`: a first, small commit after the WAL was restarted. `close`: closes what is open.
 */
export type DiskStep = "sync" | "rewrite" | "move" | "begin" | "close";

export type FromDiskWorker = { type: "done" } | { type: "fault"; code: string | null; message: string };

export type DiskWorker = WorkerPort<ToDiskWorker, FromDiskWorker>;
