// Reads of personal data are noted in the audit trail too. Nobody waits for these notes: they are written down together,
// a moment later, so that reading does not cost a commit each.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Audit, AuditNote } from "./audit.ts";

export interface ReadNotes {
  note(note: AuditNote): void;
  /** What is still in memory, written down: for the stop. */
  flush(): Promise<void>;
}

/** What a crash could cost at most. */
const HELD_MS = SECOND_MS / 5;

export function createReadNotes(deps: { db: Database; clock: Clock; audit: Audit; logger: Logger }): ReadNotes {
  const { db, clock, audit, logger } = deps;
  let waiting: { note: AuditNote; at: number }[] = [];

  async function flush(): Promise<void> {
    const notes = waiting;
    waiting = [];
    if (notes.length === 0) return;
    try {
      await db.write(async (tx) => {
        for (const { note, at } of notes) await audit.record(tx, note, at);
      });
    } catch (error) {
      logger.error("Reads could not be noted in the audit trail.", { reads: notes.length, error: messageOf(error) });
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
