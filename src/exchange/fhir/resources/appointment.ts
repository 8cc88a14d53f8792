// Appointment: an appointment of the calendar.
import type { Appointment, AppointmentParticipant } from "fhir/r4";
import type { AppointmentService } from "../../../calendar/appointment-service.ts";
import { DAY_MS, MINUTE_MS, toIso } from "../../../core/clock.ts";
import type { Appointment as AppointmentView } from "../../../payloads/appointment.ts";
import { fhirId, ownId, slotIdOf } from "../ids.ts";
import { ID, LAST_UPDATED, type Asker, type Kind, type Page, type Search } from "../kind.ts";
import { codeOf, periodOf, referenceOf } from "../search.ts";
import { SERVICE_SYSTEM, sourceSystem } from "../systems.ts";
import type { PatientIds } from "../patient-ids.ts";
import { datedSlotOf } from "../../../calendar/slot-id.ts";
import { patientReferences, type MentionedPerson, type PatientDeps, type PatientReferences } from "./patient.ts";
import { codesOf, serviceTypeOf } from "./schedule.ts";
import { inTurns } from "../in-turns.ts";
import { unlessUnknown } from "../unknown-id.ts";

export type OwnStatus = AppointmentView["status"];

export const STATUS_OF: Readonly<Record<OwnStatus, Appointment["status"]>> = {
  confirmed: "booked",
  completed: "fulfilled",
  cancelled: "cancelled",
  no_show: "noshow",
};
const OWN_STATUSES = Object.keys(STATUS_OF) as OwnStatus[];

const STATUS_SYSTEM = "http://hl7.org/fhir/appointmentstatus";
const CANCELLED_BY_PATIENT = {
  coding: [{ system: "http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason", code: "pat" }],
};

export function appointmentResource(view: AppointmentView, patientOf: PatientReferences): Appointment {
  const { appointment_id, source_id, external_id, slot_id, starts_at, ends_at, notes } = view;
  const minutes = (Date.parse(ends_at) - Date.parse(starts_at)) / MINUTE_MS;
  return {
    resourceType: "Appointment",
    id: fhirId(appointment_id),
    meta: { lastUpdated: view.updated_at },
    ...(source_id !== null &&
      external_id !== null && { identifier: [{ system: sourceSystem(source_id), value: external_id }] }),
    status: STATUS_OF[view.status],
    ...(view.contact_cancelled_at !== null &&
      view.status === "cancelled" && { cancelationReason: CANCELLED_BY_PATIENT }),
    ...serviceTypeOf(view.appointment_type_id, view.appointment_type_name),
    start: starts_at,
    end: ends_at,
    ...(minutes > 0 && { minutesDuration: minutes }),
    ...(slot_id !== null && { slot: [{ reference: `Slot/${slotIdOf(datedSlotOf(slot_id))}` }] }),
    created: view.created_at,
    ...(notes && { comment: notes }),
    participant: participantsOf(view, patientOf),
    // IHE ITI Scheduling requires it. What was asked for is not kept.
    requestedPeriod: [{ start: starts_at, end: ends_at }],
  };
}

export const personIn = (view: AppointmentView): MentionedPerson => ({
  number: view.contact_number,
  name: view.contact_name,
  identifiers: view.contact_identifiers,
});

function participantsOf(view: AppointmentView, patientOf: PatientReferences): AppointmentParticipant[] {
  const { branch_id, appointment_type_id, practitioner } = view;
  const { id = null, name = null } = practitioner ?? {};
  return [
    { actor: patientOf(personIn(view)), status: answerOf(view) },
    { actor: { reference: `Location/${branch_id}`, type: "Location" }, status: "accepted" },
    ...(appointment_type_id === null
      ? []
      : [
          {
            actor: { reference: `HealthcareService/${appointment_type_id}`, type: "HealthcareService" },
            status: "accepted" as const,
          },
        ]),
    ...(!id && !name
      ? []
      : [
          {
            actor: {
              type: "Practitioner",
              ...(id && { identifier: { value: id } }),
              ...(name && { display: name }),
            },
            status: "accepted" as const,
          },
        ]),
  ];
}

/** What the patient said last. A booking on the telephone counts as accepted; other patients are still to be asked. */
function answerOf(view: AppointmentView): AppointmentParticipant["status"] {
  if (view.contact_cancelled_at !== null && view.status === "cancelled") return "declined";
  if (view.change_requested_at !== null) return "tentative";
  const hasAgreed = view.contact_confirmed_at ?? view.contact_moved_at;
  return hasAgreed !== null || view.source === "ai" ? "accepted" : "needs-action";
}

export type AppointmentDeps = Pick<PatientDeps, "db"> & {
  patientIds: PatientIds;
  appointments: Pick<AppointmentService, "get" | "find">;
  base: string;
};

/** Resources of appointments that were read, and audited, before. */
export async function appointmentResources(
  deps: Pick<AppointmentDeps, "db" | "patientIds">,
  organisationId: string,
  views: readonly AppointmentView[],
): Promise<Appointment[]> {
  const patientOf = await patientReferences(deps, organisationId, views.map(personIn));
  return inTurns(views, (view) => appointmentResource(view, patientOf));
}

const actorsOf = (resource: Appointment, ...types: string[]) =>
  resource.participant.flatMap(({ actor }) => {
    const reference = actor?.reference;
    return reference !== undefined && types.includes(reference.split("/")[0] ?? "") ? [reference] : [];
  });

const ACTORS = ["Patient", "Location", "HealthcareService"] as const;
const slotsOf = ({ slot = [] }: Appointment) => slot.map(({ reference }) => reference);

const operation = (name: string, says: string) => ({
  name,
  definition: `https://profiles.ihe.net/ITI/Scheduling/OperationDefinition/appointment-${name}`,
  says,
});

export function appointments(deps: AppointmentDeps): Kind<Appointment> {
  return {
    type: "Appointment",
    scope: "appointments:read",
    says: "An appointment of the calendar. Update is by identifier, for sources of the kind fhir.",
    writeScope: "appointments:write",
    writes: ["create", "update", "patch"],
    isConditional: true,
    furtherScopes: ["sources:write"],
    operations: [
      operation("find", "Places that can be booked, as proposed Appointments."),
      operation("hold", "Keeps a proposed place for 90 seconds."),
      operation("book", "Books a proposed or held place; changes or cancels an appointment."),
    ],
    params: [
      ID,
      LAST_UPDATED,
      {
        name: "identifier",
        type: "token",
        says: "Its id in one of the hospital's systems; the system is `urn:ringward:source:` and the id of the source.",
        of: ({ identifier = [] }) => identifier.map(({ system, value }) => ({ system, code: value })),
      },
      {
        name: "patient",
        type: "reference",
        targets: ["Patient"],
        says: "The person.",
        of: (resource) => actorsOf(resource, "Patient"),
      },
      {
        name: "actor",
        type: "reference",
        targets: ACTORS,
        says: "The person, the branch or the service.",
        of: (resource) => actorsOf(resource, ...ACTORS),
      },
      {
        name: "location",
        type: "reference",
        targets: ["Location"],
        says: "The branch.",
        of: (resource) => actorsOf(resource, "Location"),
      },
      { name: "slot", type: "reference", targets: ["Slot"], says: "The window on its date.", of: slotsOf },
      { name: "date", type: "date", says: "Start.", of: ({ start }) => [start] },
      {
        name: "status",
        type: "token",
        says: "`booked`, `fulfilled`, `cancelled` or `noshow`.",
        of: ({ status }) => [{ system: STATUS_SYSTEM, code: status }],
      },
      {
        name: "service-type",
        type: "token",
        says: `The service: its id, in \`${SERVICE_SYSTEM}\`.`,
        of: ({ serviceType }) => codesOf(serviceType),
      },
    ],
    includes: [
      { name: "actor", targets: ACTORS, of: (resource) => actorsOf(resource, ...ACTORS) },
      { name: "patient", targets: ["Patient"], of: (resource) => actorsOf(resource, "Patient") },
      { name: "location", targets: ["Location"], of: (resource) => actorsOf(resource, "Location") },
      { name: "slot", targets: ["Slot"], of: slotsOf },
    ],
    read: (asker, ids) => read(deps, asker, ids),
    candidates: (asker, search, page) => candidates(deps, asker, search, page),
  };
}

async function read(deps: AppointmentDeps, { organisationId, actor }: Asker, ids: readonly string[]) {
  const own = ids.flatMap((id) => ownId("apt", id) ?? []);
  const found = await Promise.all(
    own.map((id) => deps.appointments.get(organisationId, id, actor).catch(unlessUnknown)),
  );
  return appointmentResources(
    deps,
    organisationId,
    found.flatMap((view) => view ?? []),
  );
}

async function candidates(deps: AppointmentDeps, asker: Asker, search: Search, { after, limit }: Page) {
  const { organisationId, zone, actor } = asker;
  const { base } = deps;
  const actorOf = (type: string, name: string) =>
    referenceOf(search, name, type, base) ?? referenceOf(search, "actor", type, base);
  const patientId = actorOf("Patient", "patient");
  const number = patientId === undefined ? undefined : deps.patientIds.numberOf(organisationId, patientId);
  // No record has a number that this appliance did not issue.
  if (number === null) return { resources: [], next: null };
  const { from, before } = periodOf(search, "date", zone);
  const updated = periodOf(search, "_lastUpdated", zone);
  const status = codeOf(search, "status");
  const page = await deps.appointments.find(
    organisationId,
    {
      status: OWN_STATUSES.find((own) => STATUS_OF[own] === status),
      branchId: actorOf("Location", "location"),
      appointmentTypeId: codeOf(search, "service-type"),
      contactNumber: number,
      externalId: codeOf(search, "identifier"),
      // Dates are local to their branches, which may be a day apart from UTC.
      from: from === undefined ? undefined : dateOf(from - DAY_MS),
      to: before === undefined ? undefined : dateOf(before + DAY_MS),
      updatedFrom: updated.from,
      updatedBefore: updated.before,
    },
    { cursor: after ?? undefined, limit },
    actor,
  );
  return { resources: await appointmentResources(deps, organisationId, page.data), next: page.next_cursor };
}

const dateOf = (time: number) => toIso(time).slice(0, 10);
