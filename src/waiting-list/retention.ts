// Retention of the waiting list: expires entries whose days are over, and deletes closed entries after the retention
// period.
import type { RetentionDeps } from "../calendar/appointment-retention.ts";
import type { Actor } from "../core/actor.ts";
import { HOUR_MS, toIso } from "../core/clock.ts";
import type { WaitingState } from "./records.ts";
import { deleteEntries, entriesPast, entriesToForget, OVER, updateEntry, type OldEntry } from "./store.ts";

const MOST_PER_BATCH = 200;
/** A date is over everywhere on Earth this long after it began in UTC (zones extend to UTC-12). */
const LONGEST_DATE_MS = 36 * HOUR_MS;

export function createWaitingRetention({ db, clock, audit, forgetAnswers, keeping }: RetentionDeps) {
  async function inBatches(batch: () => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const count = await batch();
      total += count;
      if (count < MOST_PER_BATCH) return total;
    }
  }

  async function forgetIn(state: WaitingState, until: number, actor: Actor): Promise<number> {
    let forgotten = 0;
    for (let last: OldEntry | null = null; ;) {
      const after: OldEntry | null = last;
      const step = await db.write(async (tx) => {
        const found = await entriesToForget(tx, state, until, MOST_PER_BATCH, after);
        const old = await keeping.erasable(tx, found, ({ organisation_id, call_id, contact_number }) => ({
          organisationId: organisation_id,
          callId: call_id,
          number: contact_number,
        }));
        await deleteEntries(
          tx,
          old.map(({ id }) => id),
        );
        for (const { id, organisation_id } of old) {
          await forgetAnswers(tx, id);
          const note = { organisationId: organisation_id, actor, action: "waiting.forgotten", subjectId: id };
          await audit.record(tx, note);
        }
        return { forgotten: old.length, found };
      });
      forgotten += step.forgotten;
      last = step.found.at(-1) ?? null;
      if (step.found.length < MOST_PER_BATCH) return forgotten;
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

    /** Deletes entries closed before `until`, unless held. Returns how many. */
    async forgetUntil(until: number, actor: Actor): Promise<number> {
      let forgotten = 0;
      for (const state of OVER) forgotten += await forgetIn(state, until, actor);
      return forgotten;
    },
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
