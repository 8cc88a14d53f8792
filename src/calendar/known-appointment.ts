// Finds the appointment a call is about: the one it names, otherwise the next one of the called number.
import type { Clock } from "../core/clock.ts";
import { addDays } from "../core/zones.ts";
import type { Executor } from "../db/tables.ts";
import { areOfOnePerson, identifiersIn, type Identifier } from "../payloads/identifiers.ts";
import { appointmentOf, appointmentsOfContact } from "./appointment-store.ts";
import { isOver, localNow } from "./days.ts";
import { zoneOf } from "./directory-store.ts";
import type { Appointment } from "./records.ts";

export interface AppointmentQuestion {
  organisationId: string;
  /** `additional_info.appointment_id` of the call. */
  appointmentId: string | null;
  contactNumber: string;
  /**
   * Whether we dialled the number. An inbound caller ID can be spoofed, which would disclose another person's
   * appointments.
   */
  isNumberSure: boolean;
  /** Of the person called; a family may share a telephone. */
  identifiers?: readonly Identifier[];
}

/** Undefined if it is over, cancelled or unknown: the agent then mentions none. */
export async function knownAppointment(
  executor: Executor,
  clock: Clock,
  { organisationId, appointmentId, contactNumber, isNumberSure, identifiers = [] }: AppointmentQuestion,
): Promise<Appointment | undefined> {
  if (appointmentId === null && !isNumberSure) return undefined;
  const candidates =
    appointmentId === null
      ? // A day early, because a branch may lie west of UTC; what is over goes below.
        await appointmentsOfContact(executor, organisationId, contactNumber, addDays(localNow(clock, "UTC").date, -1))
      : [await appointmentOf(executor, organisationId, appointmentId)];
  for (const row of candidates) {
    if (row?.status !== "confirmed") continue;
    const isAnothers = areOfOnePerson(identifiers, identifiersIn(row.contact_identifiers)) === false;
    if (appointmentId === null && isAnothers) continue;
    const zone = await zoneOf(executor, organisationId, row.branch_id);
    if (!isOver(row.date, row.end_time, localNow(clock, zone))) return row;
  }
  return undefined;
}
