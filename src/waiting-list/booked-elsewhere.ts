// Closes waiting-list entries of people who are booked in another way (at the desk, over the API, in another call), in
// the transaction of the booking. A pending call about a slot is cancelled; a live one has no slot left to offer.
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
      // Booked in the call about this slot: the booking there ends the offer.
      if (offer && offer.call_id === appointment.call_id) continue;
      if (offer) await takeBack(deps, tx, offer);
      const booked = { state: "booked" as const, appointment_id: appointment.id, updated_at: clock.now() };
      await updateEntry(tx, entry.id, booked);
      await audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action: "waiting.booked", subjectId: entry.id });
    }
  };
}

/**
 * New, moved, or transferred to another person. An appointment that was only confirmed or annotated was booked before.
 */
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
  const { organisation_id, window_id } = appointment;
  const window = window_id === null ? undefined : await windowOf(tx, organisation_id, window_id);
  // An appointment in the hospital's own system has no session to compare with the wishes.
  if (!window) return false;
  const appointment_type_id = appointment.appointment_type_id ?? window.appointment_type_id;
  return suits(entry, { ...window, appointment_type_id }, appointment.date);
}

/** The slot is free for the next person at once. */
async function takeBack({ clock, offers, callsWithin }: BookedElsewhereDeps, tx: Tx, offer: WaitingOffer) {
  const isCancelled = await callsWithin.cancel(tx, offer.organisation_id, offer.call_id, SYSTEM_ACTOR);
  if (isCancelled) await offers.undialled(tx, offer, clock.now());
  else await offers.end(tx, offer, "unanswered");
}
