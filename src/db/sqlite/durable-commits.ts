// Commits whose fsync runs off the serving thread. COMMIT writes the WAL without waiting for the disk (synchronous =
// NORMAL); the disk thread then runs fdatasync on the WAL, and only then is a command answered. Until then this process
// reads at the previous commit, so a response, event or call never depends on a row that a power loss could still
// remove. Requests that write nothing wait for no fsync.
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import type { Logger } from "../../core/logger.ts";
import { messageOf } from "../../core/errors.ts";
import { commitNothing } from "./commit-nothing.ts";
import { beginAtOnce, type Connection } from "./connection.ts";
import { DiskFault, type DiskThread } from "./disk-thread.ts";
import type { TableChanges } from "./table-changes.ts";

/** The writer's interface to answer only after data is on disk. */
export interface Durability {
  /** Before COMMIT: from here on the reader stays at the state on disk. */
  hold(): void;
  /** Resolves when everything committed is on disk. */
  flush(): Promise<void>;
  /** The same after flush() failed. */
  flushAgain(): Promise<void>;
  /** The reader sees every commit again. */
  release(): void;
}

export interface DurableCommits extends Durability {
  close(): void;
}

export interface DurableCommitsDeps {
  file: string;
  writer: Connection;
  reader: Connection;
  changes: TableChanges;
  disk: DiskThread;
  logger: Logger;
}

export function durableCommits({ file, writer, reader, changes, disk, logger }: DurableCommitsDeps): DurableCommits {
  // Runs while the connection still syncs: from here on the folder entry of the WAL is on disk, and the disk thread
  // syncs the content.
  commitNothing(writer);
  writer.pragma("synchronous = NORMAL");
  const begin = reader.prepare("BEGIN");
  // A transaction's snapshot is taken at its first read.
  const look = reader.prepare("SELECT 1 FROM sqlite_schema LIMIT 1");
  const end = reader.prepare("COMMIT");
  let wal: number | null = null;

  return {
    hold() {
      if (reader.inTransaction) return;
      begin.run();
      look.get();
      changes.held();
    },
    async flush() {
      try {
        await disk.run("sync");
      } catch (error) {
        if (error instanceof DiskFault) throw error;
        logger.warn("A commit waits for the disk on the serving thread.", { error: messageOf(error) });
        wal ??= openSync(`${file}-wal`, "r");
        fdatasyncSync(wal);
      }
    },
    async flushAgain() {
      if (!beginAtOnce(writer)) throw new Error("Another program holds the database.");
      try {
        await disk.run("rewrite");
      } finally {
        writer.exec("ROLLBACK");
      }
    },
    release() {
      if (reader.inTransaction) end.run();
      changes.released();
    },
    close() {
      if (wal !== null) closeSync(wal);
    },
  };
}
