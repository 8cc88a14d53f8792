// Reads of personal data are noted in the audit trail before they are answered: a read that cannot be noted is refused.
// Notes that arrive together share one command and one commit, so that reading costs less than a commit each.
import { othersFirst, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { AuditBatches } from "./audit-batches.ts";
import type { AuditNote, EarlierNote } from "./audit.ts";

export interface ReadNotes {
  /** Resolves when the note is on disk, and rejects with UNAVAILABLE where it cannot be: then nothing may be shown. */
  note(note: AuditNote): Promise<void>;
}

/** A command that writes more keeps everybody waiting: 1,600 notes took 20 ms. */
const MOST_AT_ONCE = 200;

/** So many do not wait for more: while the disk is waited for, further reads are worked out. */
const ENOUGH = 32;

/** A turn of the event loop takes less than a millisecond; a commit takes several. */
const MOST_TURNS = 8;

interface Waiting extends EarlierNote {
  written: PromiseWithResolvers<void>;
}

export function createReadNotes(deps: { clock: Clock; auditBatches: Pick<AuditBatches, "record"> }): ReadNotes {
  const { clock, auditBatches } = deps;
  const waiting: Waiting[] = [];
  let isWriting = false;

  /**
   * Requests that came together are read one after the other. Their notes share a commit, instead of the first having
   * its own.
   */
  async function allArrived(): Promise<void> {
    let count = 0;
    for (let turn = 0; turn < MOST_TURNS && waiting.length > count && waiting.length < ENOUGH; turn++) {
      count = waiting.length;
      await othersFirst();
    }
  }

  /** What arrives while one command is under way goes with the next one. */
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      await allArrived();
      const some = waiting.splice(0, MOST_AT_ONCE);
      try {
        await auditBatches.record(some);
        for (const { written } of some) written.resolve();
      } catch (error) {
        for (const { written } of some) written.reject(notNoted(error));
      }
    }
    isWriting = false;
  }

  return {
    note(note) {
      const written = Promise.withResolvers<void>();
      waiting.push({ note, at: clock.now(), written });
      if (!isWriting) void writeAll();
      return written.promise;
    },
  };
}

function notNoted(cause: unknown): AppError {
  const retryAfterSeconds = (cause instanceof AppError ? cause.retryAfterSeconds : undefined) ?? 1;
  return new AppError(
    "UNAVAILABLE",
    "This read could not be written to the audit trail, so nothing is shown. Free some disk space or check the database, and try again.",
    { retryAfterSeconds, cause },
  );
}
