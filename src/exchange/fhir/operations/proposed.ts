// Appointments that are not booked: proposals of $find, and places that $hold keeps.
import type { Appointment, AppointmentParticipant, Period } from "fhir/r4";
import type { ClientHold } from "../../../calendar/client-hold.ts";
import { momentsOf, type LocalTimes } from "../../../calendar/moments.ts";
import { fhirId, slotIdOf } from "../ids.ts";
import { serviceTypeOf } from "../resources/schedule.ts";
import { versioned } from "../version.ts";
import { proposalId } from "./proposal.ts";

interface Place extends LocalTimes {
  calendar_id: string;
  branch_id: string;
  serviceId: string | null;
}

export interface Names {
  service: string | null;
  branch: string | null;
  zone: string;
}

function unbooked(id: string, status: Appointment["status"], place: Place, names: Names, asked?: Period): Appointment {
  const { starts_at: start, ends_at: end } = momentsOf(place, names.zone);
  const { calendar_id: calendarId, date, branch_id, serviceId } = place;
  return versioned({
    resourceType: "Appointment" as const,
    id,
    status,
    ...serviceTypeOf(serviceId, names.service),
    start,
    end,
    slot: [{ reference: `Slot/${slotIdOf({ calendarId, date })}` }],
    participant: [
      participant("Location", branch_id, names.branch),
      ...(serviceId === null ? [] : [participant("HealthcareService", serviceId, names.service)]),
    ],
    requestedPeriod: [asked ?? { start, end }],
  });
}

const participant = (type: string, id: string, display: string | null): AppointmentParticipant => ({
  actor: { reference: `${type}/${id}`, type, ...(display !== null && { display }) },
  status: "needs-action",
});

export function proposed(place: Place, names: Names, asked: Period): Appointment {
  const { calendar_id: calendarId, date, serviceId } = place;
  return unbooked(proposalId({ calendarId, date, serviceId }), "proposed", place, names, asked);
}

export function held({ id, window, date, serviceId }: ClientHold, status: "pending" | "cancelled", names: Names) {
  const { start_time, end_time, branch_id } = window;
  const place = { calendar_id: window.id, branch_id, date, start_time, end_time, serviceId };
  return unbooked(fhirId(id), status, place, names);
}
