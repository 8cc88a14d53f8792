// Removes recordings, and captures with their audio, past their own retention. The call and its result stay, and name
// the time of the removal. Rows change first; files are removed after the commit.
import { DAY_MS } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { FileRemovals } from "../../media/file-removals.ts";
import type { FileRemoval } from "../../media/records.ts";
import type { Call } from "../call/records.ts";
import { callById, updateCall } from "../call/store.ts";
import type { Keeping } from "../../rules/holds/keeping.ts";
import { filesOf } from "./erased-rows.ts";
import { keepable } from "./erasure.ts";
import { forgetCapture } from "./line-store.ts";
import { keepExpiry, recordedBefore } from "./recording-retention-store.ts";

const MOST_PER_BATCH = 200;

export interface RecordingRetentionDeps {
  db: Database;
  fileRemovals: FileRemovals;
  keeping: Pick<Keeping, "erasable" | "daysOf">;
}

/**
 * The returned function removes recordings of calls that finished `days` before `now`, except those under a hold, and
 * returns how many.
 */
export function createRecordingRetention(deps: RecordingRetentionDeps) {
  const { db, fileRemovals, keeping } = deps;

  async function expire(tx: Tx, call: Call, now: number): Promise<FileRemoval[]> {
    const files = await filesOf(tx, call);
    await fileRemovals.plan(tx, files);
    await updateCall(tx, call.id, { recording_file: null, updated_at: now });
    await forgetCapture(tx, call.id);
    await keepExpiry(tx, call.id, now);
    return files;
  }

  /** One transaction. The calls may have changed since they were read. */
  const expireAll = (calls: readonly Call[], now: number): Promise<FileRemoval[][]> =>
    db.write(async (tx) => {
      const present = await Promise.all(calls.map(({ id }) => callById(tx, id)));
      const recorded = present.filter((call) => call !== undefined && call.recording_file !== null) as Call[];
      const files: FileRemoval[][] = [];
      for (const call of await keeping.erasable(tx, recorded, keepable)) files.push(await expire(tx, call, now));
      return files;
    });

  return async (days: number, now: number): Promise<number> => {
    const until = now - keeping.daysOf(days) * DAY_MS;
    let removed = 0;
    for (let last: Call | null = null; ;) {
      const calls: Call[] = await recordedBefore(db.reader, until, MOST_PER_BATCH, last);
      last = calls.at(-1) ?? null;
      const files = await expireAll(calls, now);
      await fileRemovals.remove(files.flat());
      removed += files.length;
      if (calls.length < MOST_PER_BATCH) return removed;
    }
  };
}
