// Moves the WAL and wipes the file without waiting for the disk on the serving thread.
import { fdatasyncSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** A result of undefined means the work was done synchronously. */
export interface WalMover {
  /** Runs between two commits, when every commit is on disk. Commands wait for it. */
  between<T>(run: () => T | Promise<T>): Promise<T>;
  /** Moves the content of the WAL into the file, with an fsync of both. */
  move(): Promise<void> | undefined;
  /** Makes a first commit after the WAL was restarted, in which SQLite fsyncs the WAL header. */
  begin(): Promise<void> | undefined;
  sync(file: FileHandle): Promise<void> | undefined;
}

/**
 * For a connection without a disk thread: the following checkpoint moves everything, and the next commit starts the
 * WAL.
 */
export const AT_ONCE: WalMover = {
  between: async (run) => run(),
  move: () => undefined,
  begin: () => undefined,
  sync({ fd }) {
    fdatasyncSync(fd);
    return undefined;
  },
};
