// Removes the files of erased calls after their rows are gone. The removal list commits with the erasure and survives a
// crash: a failed erasure keeps every file, and a committed one loses track of none.
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { deleteRemovals, insertRemovals, pendingRemovals } from "./file-removal-store.ts";
import type { PrivateFolder } from "./private-folder.ts";
import type { FileRemoval } from "./records.ts";

export interface FileRemovalsDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  recordings: Pick<PrivateFolder, "remove" | "settle">;
  captures: Pick<PrivateFolder, "remove" | "settle">;
}

export interface FileRemovals {
  /** Runs in the transaction of the erasure. */
  plan(tx: Tx, files: readonly FileRemoval[]): Promise<void>;
  /** Runs after the commit. Never fails: files that cannot be removed now are retried. */
  remove(files: readonly FileRemoval[]): Promise<void>;
  /** Removes files left by an earlier process or a disk failure. */
  resume(): Promise<void>;
}

const AGAIN_MS = MINUTE_MS;
const MOST_AT_ONCE = 200;

export function createFileRemovals(deps: FileRemovalsDeps): FileRemovals {
  const { db, clock, logger } = deps;
  const folders = { recording: deps.recordings, capture: deps.captures };
  let isDueAgain = false;

  function tryAgain(error: unknown): void {
    if (isDueAgain) return;
    isDueAgain = true;
    logger.warn("files of erased calls not removed; tried again in a minute", { error: messageOf(error) });
    clock.after(AGAIN_MS, () => {
      isDueAgain = false;
      void resume();
    });
  }

  /** Returns whether all files are gone. */
  async function remove(files: readonly FileRemoval[]): Promise<boolean> {
    if (files.length === 0) return true;
    try {
      for (const { kind, name } of files) folders[kind].remove(name);
      // Before the list entries are deleted, because a power cut could restore a file.
      for (const kind of new Set(files.map((file) => file.kind))) folders[kind].settle();
      await db.write((tx) => deleteRemovals(tx, files));
      return true;
    } catch (error) {
      tryAgain(error);
      return false;
    }
  }

  async function resume(): Promise<void> {
    try {
      let files: FileRemoval[];
      do files = await pendingRemovals(db.reader, MOST_AT_ONCE);
      while ((await remove(files)) && files.length === MOST_AT_ONCE);
    } catch (error) {
      tryAgain(error);
    }
  }

  return {
    plan: insertRemovals,
    async remove(files) {
      await remove(files);
    },
    resume,
  };
}
