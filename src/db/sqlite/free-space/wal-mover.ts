// Moving the WAL and wiping the file without waiting for the disk on the serving thread.
import { fdatasyncSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** What answers undefined is over by then. */
export interface WalMover {
  /** Runs between two commits, when every commit is on disk. Commands wait for it. */
  between<T>(run: () => T | Promise<T>): Promise<T>;
  /** Moves what is in the WAL into the file, with an fsync of both. */
  move(): Promise<void> | undefined;
  /** A first commit after the WAL was restarted: SQLite fsyncs the head of the WAL in it. */
  begin(): Promise<void> | undefined;
  sync(file: FileHandle): Promise<void> | undefined;
}

/**
 * For a connection without a disk thread: the checkpoint that follows moves everything, and the next commit begins the
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
