// Retention of the waiting list: expires entries whose days are over, and deletes closed entries after the retention
// period.
import type { RetentionDeps } from "../calendar/appointment-retention.ts";
import type { Actor } from "../core/actor.ts";
import { HOUR_MS, toIso } from "../core/clock.ts";
import { deleteEntries, entriesPast, entriesToForget, updateEntry } from "./store.ts";

const MOST_PER_BATCH = 200;
/** A date is over everywhere on Earth this long after it began in UTC (zones extend to UTC-12). */
const LONGEST_DATE_MS = 36 * HOUR_MS;

export function createWaitingRetention({ db, clock, audit, forgetAnswers }: RetentionDeps) {
  async function inBatches(batch: () => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const count = await batch();
      total += count;
      if (count < MOST_PER_BATCH) return total;
    }
  }

  return {
    expire: (now: number): Promise<number> =>
      inBatches(() =>
        db.write(async (tx) => {
          const past = await entriesPast(tx, toIso(now - LONGEST_DATE_MS).slice(0, 10), MOST_PER_BATCH);
          for (const { id } of past) await updateEntry(tx, id, { state: "expired", updated_at: clock.now() });
          return past.length;
        }),
      ),

    /** Deletes entries closed at or before `until`. Returns how many. */
    forgetUntil: (until: number, actor: Actor): Promise<number> =>
      inBatches(() =>
        db.write(async (tx) => {
          const old = await entriesToForget(tx, until, MOST_PER_BATCH);
          await deleteEntries(
            tx,
            old.map(({ id }) => id),
          );
          for (const { id, organisation_id } of old) {
            await forgetAnswers(tx, id);
            const note = { organisationId: organisation_id, actor, action: "waiting.forgotten", subjectId: id };
            await audit.record(tx, note);
          }
          return old.length;
        }),
      ),
  };
}

export type WaitingRetention = ReturnType<typeof createWaitingRetention>;

interface Ageing {
  forgetUntil(until: number, actor: Actor): Promise<number>;
}

/** Applies the retention of appointments to the waiting list. */
export const ageingTogether = <Appointments extends Ageing>(appointments: Appointments, waiting: Ageing) => ({
  ...appointments,
  forgetUntil: async (until: number, actor: Actor): Promise<number> =>
    (await appointments.forgetUntil(until, actor)) + (await waiting.forgetUntil(until, actor)),
});
