// Where a call books, and what it is about: what it says in additional_info, otherwise what its agent is set to.
import { isUuid } from "../core/ids.ts";
import type { AgentRow, CallRow } from "../db/tables.ts";
import { additionalInfoOf } from "./new-call.ts";

export interface BookingPlace {
  branchId: string;
  appointmentTypeId: string | null;
}

export function bookingPlaceOf(call: CallRow, agent: AgentRow): BookingPlace | null {
  const info = additionalInfoOf(call) ?? {};
  const branchId = uuidIn(info, "branch_id") ?? agent.branch_id;
  if (branchId === null) return null;
  return { branchId, appointmentTypeId: uuidIn(info, "appointment_type_id") ?? agent.appointment_type_id };
}

/** The appointment that the call says it is about. */
export function namedAppointmentOf(call: CallRow): string | null {
  const named = additionalInfoOf(call)?.["appointment_id"];
  return typeof named === "string" && named !== "" ? named : null;
}

function uuidIn(info: Record<string, unknown>, key: string): string | null {
  const value = info[key];
  return typeof value === "string" && isUuid(value) ? value.toLowerCase() : null;
}
