// Whoever gets what they waited for in another way, at the desk, over the API or in another call, waits no more: in the
// transaction that books them. A call about a place that has not gone out is cancelled; one under way has nothing to
// offer any more.
import type { Audit } from "../accounts/audit.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import { isSamePerson } from "../calendar/same-person.ts";
import { windowOf } from "../calendar/window-store.ts";
import type { CallsWithin } from "../calls/within.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Tx } from "../db/tables.ts";
import { offerUnderWay } from "./offer-store.ts";
import type { WaitingOffers } from "./offers.ts";
import type { WaitingEntry, WaitingOffer } from "./records.ts";
import { suits } from "./rules.ts";
import { entriesWaitingOf, updateEntry } from "./store.ts";

export interface BookedElsewhereDeps {
  clock: Clock;
  audit: Audit;
  offers: WaitingOffers;
  callsWithin: Pick<CallsWithin, "cancel">;
}

export function createBookedElsewhere(deps: BookedElsewhereDeps): AppointmentWatcher {
  const { clock, audit } = deps;
  return async (tx, appointment, before) => {
    const { organisation_id: organisationId, contact_number: number } = appointment;
    if (number === null || !isBookedNow(appointment, before)) return;
    for (const entry of await entriesWaitingOf(tx, organisationId, number)) {
      if (!isSamePerson(entry, appointment) || !(await isWhatTheyWaitFor(tx, entry, appointment))) continue;
      const offer = await offerUnderWay(tx, entry.id);
      // A yes in the call about a place: whoever books there ends the offer.
      if (offer && offer.call_id === appointment.call_id) continue;
      if (offer) await takeBack(deps, tx, offer);
      const booked = { state: "booked" as const, appointment_id: appointment.id, updated_at: clock.now() };
      await updateEntry(tx, entry.id, booked);
      await audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action: "waiting.booked", subjectId: entry.id });
    }
  };
}

/** New, moved, or of somebody else now; what was only confirmed or noted on was booked before. */
function isBookedNow(now: Appointment, before: Appointment | null): boolean {
  if (now.status !== "confirmed") return false;
  return (
    before?.status !== "confirmed" ||
    before.window_id !== now.window_id ||
    before.date !== now.date ||
    before.appointment_type_id !== now.appointment_type_id ||
    !isSamePerson(before, now)
  );
}

async function isWhatTheyWaitFor(tx: Tx, entry: WaitingEntry, appointment: Appointment): Promise<boolean> {
  const window = await windowOf(tx, appointment.organisation_id, appointment.window_id);
  if (!window) return false;
  const appointment_type_id = appointment.appointment_type_id ?? window.appointment_type_id;
  return suits(entry, { ...window, appointment_type_id }, appointment.date);
}

/** The place is free for the next one at once. */
async function takeBack({ clock, offers, callsWithin }: BookedElsewhereDeps, tx: Tx, offer: WaitingOffer) {
  const isCancelled = await callsWithin.cancel(tx, offer.organisation_id, offer.call_id, SYSTEM_ACTOR);
  if (isCancelled) await offers.undialled(tx, offer, clock.now());
  else await offers.end(tx, offer, "unanswered");
}
