// Retention of appointments: some time after the date, deletes the contact's name, number, e-mail address and notes,
// and every event that contains them. The booking itself stays, so statistics do not change.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { HOUR_MS, toIso, type Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Keeping } from "../rules/holds/keeping.ts";
import { appointmentsToForget, forgetContacts, type OldAppointment } from "./appointment-store.ts";

const MOST_PER_BATCH = 200;
/** A date is over everywhere on Earth this long after it began in UTC (time zones extend to UTC-12). */
const LONGEST_DATE_MS = 36 * HOUR_MS;

export interface RetentionDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  /** Deletes stored idempotent responses about an appointment. */
  forgetAnswers: (tx: Tx, subjectId: string) => Promise<void>;
  keeping: Pick<Keeping, "erasable">;
}

export function createAppointmentRetention({ db, clock, audit, forgetAnswers, keeping }: RetentionDeps) {
  return {
    /** Deletes the contacts of appointments whose date was over at `until`, unless held. Returns how many. */
    async forgetUntil(until: number, actor: Actor): Promise<number> {
      const lastDate = toIso(until - LONGEST_DATE_MS).slice(0, 10);
      let forgotten = 0;
      for (let last: OldAppointment | null = null; ;) {
        const after: OldAppointment | null = last;
        const step = await db.write(async (tx) => {
          const found = await appointmentsToForget(tx, lastDate, MOST_PER_BATCH, after);
          const old = await keeping.erasable(tx, found, ({ organisation_id, call_id, contact_number }) => ({
            organisationId: organisation_id,
            callId: call_id,
            number: contact_number,
          }));
          const now = clock.now();
          await forgetContacts(
            tx,
            old.map(({ id }) => id),
            now,
          );
          for (const { id, organisation_id } of old) {
            await forgetAnswers(tx, id);
            const note = { organisationId: organisation_id, actor, action: "appointment.forgotten", subjectId: id };
            await audit.record(tx, note);
          }
          return { forgotten: old.length, found };
        });
        forgotten += step.forgotten;
        last = step.found.at(-1) ?? null;
        if (step.found.length < MOST_PER_BATCH) return forgotten;
      }
    },
  };
}
