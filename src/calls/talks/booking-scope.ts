// Booking scope of a call: branch and appointment type from additional_info, otherwise from the agent.
import type { DeskCall } from "../../calendar/desk.ts";
import type { Agent } from "../../agents/records.ts";
import { identifiersIn } from "../../payloads/identifiers.ts";
import type { Call } from "../call/records.ts";
import { additionalInfoOf, uuidIn } from "../call/new-call.ts";

export interface BookingScope {
  branchId: string;
  appointmentTypeId: string | null;
}

export function bookingScopeOf(call: Call, agent: Agent): BookingScope | null {
  const info = additionalInfoOf(call) ?? {};
  const branchId = uuidIn(info, "branch_id") ?? agent.branch_id;
  if (branchId === null) return null;
  return { branchId, appointmentTypeId: uuidIn(info, "appointment_type_id") ?? agent.appointment_type_id };
}

/** The call's data for the calendar. */
export function deskCallOf(call: Call, agent: Agent): DeskCall {
  return {
    ...(bookingScopeOf(call, agent) ?? { branchId: null, appointmentTypeId: null }),
    appointmentId: namedAppointmentOf(call),
    callId: call.id,
    organisationId: call.organisation_id,
    contactName: call.contact_name,
    contactNumber: call.contact_number,
    isNumberSure: call.direction === "outbound",
    contactEmail: call.contact_email,
    identifiers: identifiersIn(call.user_identifiers),
    contactPlace: { contact_time_zone: call.contact_time_zone, contact_region: call.contact_region },
  };
}

/** The appointment named in additional_info. */
function namedAppointmentOf(call: Call): string | null {
  const named = additionalInfoOf(call)?.["appointment_id"];
  return typeof named === "string" && named !== "" ? named : null;
}
