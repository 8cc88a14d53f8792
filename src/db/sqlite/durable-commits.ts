// Commits whose fsync runs beside the serving thread. COMMIT writes the WAL and does not wait for the disk (synchronous
// = NORMAL); fdatasync of the WAL follows in the disk thread, and only then is a command answered. Until then this
// process reads at the commit before: an answer, an event or a call never rests on a row that a power cut could still
// take away. Requests that write nothing wait for no fsync.
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import type { Logger } from "../../core/logger.ts";
import { messageOf } from "../../core/errors.ts";
import { commitNothing } from "./commit-nothing.ts";
import { beginAtOnce, type Connection } from "./connection.ts";
import { DiskFault, type DiskThread } from "./disk-thread.ts";
import type { TableChanges } from "./table-changes.ts";

/** What the writer needs to answer only what is on disk. */
export interface Durability {
  /** Before COMMIT: from here on the reader stays at what is on disk. */
  hold(): void;
  /** Resolves when everything that was committed is on disk. */
  flush(): Promise<void>;
  /** The same after flush() failed. */
  flushAgain(): Promise<void>;
  /** The reader sees every commit. */
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
  // While it syncs by itself: the folder has the WAL from here on, and the disk thread syncs its content.
  commitNothing(writer);
  writer.pragma("synchronous = NORMAL");
  const begin = reader.prepare("BEGIN");
  // A transaction sees what is there at its first read.
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
