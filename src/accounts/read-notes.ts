// Audit notes for reads of personal data, written before the read is answered: a read that cannot be audited is
// refused. Concurrent notes share one command and one commit (group commit).
import { othersFirst, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { AuditBatches } from "./audit-batches.ts";
import type { AuditNote, EarlierNote } from "./audit.ts";

export interface ReadNotes {
  /** Resolves when the note is on disk. Rejects with UNAVAILABLE if it cannot be written; then no data may be shown. */
  note(note: AuditNote): Promise<void>;
}

/** A larger command blocks other writers: 1,600 notes took 20 ms. */
const MOST_AT_ONCE = 200;

/** With this many, the write starts without waiting for more; further reads are processed while the disk writes. */
const ENOUGH = 32;

/** An event loop turn takes less than a millisecond; a commit takes several. */
const MOST_TURNS = 8;

interface Waiting extends EarlierNote {
  written: PromiseWithResolvers<void>;
}

export function createReadNotes(deps: { clock: Clock; auditBatches: Pick<AuditBatches, "record"> }): ReadNotes {
  const { clock, auditBatches } = deps;
  const waiting: Waiting[] = [];
  let isWriting = false;

  /**
   * Concurrent requests are read one after the other. Their notes share a commit, instead of the first having its own.
   */
  async function allArrived(): Promise<void> {
    let count = 0;
    for (let turn = 0; turn < MOST_TURNS && waiting.length > count && waiting.length < ENOUGH; turn++) {
      count = waiting.length;
      await othersFirst();
    }
  }

  /** Notes that arrive during one command are written by the next. */
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
