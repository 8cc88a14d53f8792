// Reads of personal data are noted in the audit trail too. Nobody waits for these notes: they are written down together,
// a moment later, so that reading does not cost a commit each.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Audit, AuditNote, EarlierNote } from "./audit.ts";

export interface ReadNotes {
  note(note: AuditNote): void;
  /** What is still in memory, written down: for the stop. */
  flush(): Promise<void>;
}

/** What a crash could cost at most. */
const HELD_MS = SECOND_MS / 5;
/** A command that writes more keeps everybody waiting: 1,600 notes took 20 ms. */
const MOST_AT_ONCE = 200;

export function createReadNotes(deps: { db: Database; clock: Clock; audit: Audit; logger: Logger }): ReadNotes {
  const { db, clock, audit, logger } = deps;
  let waiting: EarlierNote[] = [];

  async function flush(): Promise<void> {
    const notes = waiting;
    waiting = [];
    for (let from = 0; from < notes.length; from += MOST_AT_ONCE) {
      const some = notes.slice(from, from + MOST_AT_ONCE);
      try {
        await db.write((tx) => audit.recordAll(tx, some));
      } catch (error) {
        logger.error("Reads could not be noted in the audit trail.", { reads: some.length, error: messageOf(error) });
      }
    }
  }

  return {
    note(note) {
      if (waiting.length === 0) clock.after(HELD_MS, () => void flush());
      waiting.push({ note, at: clock.now() });
    },
    flush,
  };
}
