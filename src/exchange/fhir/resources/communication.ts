// Communication: a call.
import type { Communication } from "fhir/r4";
import type { CallService } from "../../../calls/service.ts";
import type { CallView } from "../../../calls/model.ts";
import { toIso } from "../../../core/clock.ts";
import { fhirId, ownId } from "../ids.ts";
import { ID, LAST_UPDATED, type Asker, type Kind, type Page, type Search } from "../kind.ts";
import type { PatientIds } from "../patient-ids.ts";
import { codeOf, periodOf, referenceOf } from "../search.ts";
import { inTurns } from "../in-turns.ts";
import { unlessUnknown } from "../unknown-id.ts";
import { patientReferences, type MentionedPerson, type PatientDeps, type PatientReferences } from "./patient.ts";

type CallStatus = CallView["status"];

const STATUS_OF: Readonly<Record<CallStatus, Communication["status"]>> = {
  scheduled: "preparation",
  queued: "preparation",
  initiated: "in-progress",
  ringing: "in-progress",
  in_progress: "in-progress",
  completed: "completed",
  failed: "not-done",
  cancelled: "not-done",
  disallowed: "not-done",
};

const STATUS_SYSTEM = "http://hl7.org/fhir/event-status";
const OWN_STATUS_SYSTEM = "urn:ringward:call-status";
const PHONE = { coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ParticipationMode", code: "PHONE" }] };

export function communicationResource(call: CallView, patientOf: PatientReferences): Communication {
  const patient = patientOf(personIn(call));
  const hasPatient = patient.reference !== undefined;
  const isOutbound = call.call_direction === "outbound";
  const summary = call.call_analytics?.summary;
  return {
    resourceType: "Communication",
    id: fhirId(call.call_id),
    meta: { lastUpdated: call.updated_at },
    status: statusOf(call),
    statusReason: {
      coding: [{ system: OWN_STATUS_SYSTEM, code: call.error?.code ?? call.hold_reason ?? call.status }],
    },
    medium: [PHONE],
    ...(hasPatient && { subject: patient }),
    ...aboutOf(call),
    ...(call.call_triggered_at !== null && { sent: call.call_triggered_at }),
    ...(call.completed_at !== null && call.status === "completed" && { received: call.completed_at }),
    ...(isOutbound ? { recipient: [patient] } : { sender: patient }),
    ...(summary && { payload: [{ contentString: summary }] }),
  };
}

/** A call that was answered and broke off is stopped; one that waits for something is on hold. */
function statusOf({ status, hold_reason, call_duration_seconds }: CallView): Communication["status"] {
  if (status === "queued" && hold_reason !== null) return "on-hold";
  if (status === "failed" && (call_duration_seconds ?? 0) > 0) return "stopped";
  return STATUS_OF[status];
}

function aboutOf({ additional_info }: CallView): Pick<Communication, "about"> | object {
  const id = additional_info?.["appointment_id"];
  return typeof id === "string" && /^apt_[0-9a-z]{26}$/.test(id)
    ? { about: [{ reference: `Appointment/${fhirId(id)}` }] }
    : {};
}

const personIn = (call: CallView): MentionedPerson => ({
  number: call.contact_number,
  name: call.contact_name,
  identifiers: call.contact_identifiers,
});

export interface CommunicationDeps extends Pick<PatientDeps, "db"> {
  patientIds: PatientIds;
  calls: Pick<CallService, "get" | "list">;
  base: string;
}

async function resourcesOf(deps: CommunicationDeps, organisationId: string, calls: readonly CallView[]) {
  const patientOf = await patientReferences(deps, organisationId, calls.map(personIn));
  return inTurns(calls, (call) => communicationResource(call, patientOf));
}

export function communications(deps: CommunicationDeps): Kind<Communication> {
  const recipients = ({ recipient = [] }: Communication) => recipient.map(({ reference }) => reference);
  const subject = (resource: Communication) => [resource.subject?.reference];
  const sender = (resource: Communication) => [resource.sender?.reference];
  const person = (name: string, says: string, of: (resource: Communication) => (string | undefined)[]) =>
    ({ name, type: "reference", targets: ["Patient"], says, of }) as const;
  return {
    type: "Communication",
    scope: "calls:read",
    says: "A call. Its payload is the summary of the conversation.",
    params: [
      ID,
      LAST_UPDATED,
      person("patient", "The person.", subject),
      person("subject", "The person.", subject),
      person("recipient", "The person who was called.", recipients),
      person("sender", "The person who called.", sender),
      {
        name: "status",
        type: "token",
        says: "`preparation`, `on-hold`, `in-progress`, `completed`, `not-done` or `stopped`.",
        of: ({ status }) => [{ system: STATUS_SYSTEM, code: status }],
      },
      { name: "sent", type: "date", says: "When it was dialled or arrived.", of: ({ sent }) => [sent] },
      { name: "received", type: "date", says: "When it was completed.", of: ({ received }) => [received] },
    ],
    includes: [
      { name: "patient", targets: ["Patient"], of: subject },
      { name: "subject", targets: ["Patient"], of: subject },
      { name: "recipient", targets: ["Patient"], of: recipients },
      { name: "sender", targets: ["Patient"], of: sender },
    ],
    async read({ organisationId, actor }, ids) {
      const own = ids.flatMap((id) => ownId("call", id) ?? []);
      const found = await Promise.all(own.map((id) => deps.calls.get(organisationId, id, actor).catch(unlessUnknown)));
      return resourcesOf(
        deps,
        organisationId,
        found.flatMap((call) => call ?? []),
      );
    },
    candidates: (asker, search, page) => candidates(deps, asker, search, page),
  };
}

async function candidates(deps: CommunicationDeps, asker: Asker, search: Search, { after, limit }: Page) {
  const { organisationId, zone, actor } = asker;
  const patientId = ["patient", "subject", "recipient", "sender"]
    .map((name) => referenceOf(search, name, "Patient", deps.base))
    .find((id) => id !== undefined);
  const number = patientId === undefined ? undefined : deps.patientIds.numberOf(organisationId, patientId);
  // No record has a number that this appliance did not issue.
  if (number === null) return { resources: [], next: null };
  const { from, before } = periodOf(search, "_lastUpdated", zone);
  // A call changes when it is dialled and when it ends, and never before.
  const starts = ["sent", "received"].map((name) => periodOf(search, name, zone).from ?? -Infinity);
  const changedFrom = Math.max(from ?? -Infinity, ...starts);
  const isCompleted = codeOf(search, "status") === "completed";
  const page = await deps.calls.list(
    organisationId,
    {
      ...(number !== undefined && { contact_number: number }),
      ...(isCompleted && { status: "completed" }),
      ...(changedFrom !== -Infinity && { updated_from: toIso(changedFrom) }),
      ...(before !== undefined && { updated_to: toIso(before) }),
      ...(after !== null && { cursor: after }),
      limit: String(limit),
    },
    actor,
  );
  return { resources: await resourcesOf(deps, organisationId, page.data), next: page.next_cursor };
}
