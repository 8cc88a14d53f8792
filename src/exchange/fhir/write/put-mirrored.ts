// PUT of an Appointment by the identifier that its source gives: a system of the hospital sends what it has, and the
// mirror takes it into the calendar.
import type { Appointment } from "fhir/r4";
import { AppError, invalidField } from "../../../core/errors.ts";
import { parseIsoTime } from "../../../core/iso-time.ts";
import type { AppointmentStatus } from "../../../calendar/records.ts";
import type { Mirror, MirroredAppointment } from "../../mirror/port.ts";
import type { SourceService } from "../../sources/service.ts";
import { textOf } from "../json.ts";
import type { Asker } from "../kind.ts";
import type { AppointmentWrites, Written } from "./appointment-writes.ts";
import { actorIn, appointmentIn, linkIn, practitionerIn, serviceIn, statusIn, type Link } from "./read-appointment.ts";
import type { Contact } from "./read-patient.ts";

export interface PutMirroredDeps {
  mirror: Pick<Mirror, "put">;
  sources: Pick<SourceService, "get">;
  writes: AppointmentWrites;
}

export interface PutMirrored extends Written {
  isNew: boolean;
}

export async function putMirrored(
  { mirror, sources, writes }: PutMirroredDeps,
  asker: Asker,
  link: Link,
  body: unknown,
): Promise<PutMirrored> {
  const { organisationId, actor } = asker;
  const { kind, name } = await sources.get(organisationId, link.source_id);
  if (kind !== "fhir")
    throw invalidField(
      "identifier",
      `The source ${name} is of the kind ${kind}. Only sources of the kind fhir send here.`,
    );
  const resource = appointmentIn(body);
  const own = linkIn(resource.identifier);
  if (own && (own.source_id !== link.source_id || own.external_id !== link.external_id))
    throw invalidField("identifier", "identifier must be the one in the address.");
  const told = toldBy(link.external_id, resource, await writes.contactOf(asker, resource));
  const outcome = await mirror.put(organisationId, link.source_id, told, actor);
  if (outcome.kind === "refused") throw invalidField(outcome.field, outcome.reason);
  if (outcome.kind === "stale")
    throw new AppError("PRECONDITION_FAILED", "The source sent a newer version before: see meta.lastUpdated.");
  return { ...(await writes.read(asker, outcome.appointmentId)), isNew: outcome.kind === "created" };
}

/** Elements that are not sent stay as they are. */
function toldBy(externalId: string, resource: Appointment, contact: Contact): MirroredAppointment {
  const { status, start, end, comment, meta } = resource;
  const branchId = actorIn(resource, "Location");
  const service = serviceIn(resource.serviceType) ?? actorIn(resource, "HealthcareService");
  const practitioner = practitionerIn(resource);
  const { contact_name, contact_number, contact_email, contact_identifiers } = contact;
  return {
    externalId,
    changedAt: meta?.lastUpdated === undefined ? null : timeIn("meta.lastUpdated", meta.lastUpdated),
    status: mirroredStatus(status),
    ...(start !== undefined && { startsAt: timeIn("start", start) }),
    ...(end !== undefined && { endsAt: timeIn("end", end) }),
    ...(branchId !== undefined && { branchId }),
    ...(service !== undefined && { appointmentTypeId: service }),
    ...(practitioner && { practitioner: { id: practitioner.id ?? null, name: practitioner.name ?? null } }),
    ...(contact_name !== undefined && { contactName: contact_name }),
    ...(contact_number !== undefined && { contactNumber: contact_number }),
    ...(contact_email !== undefined && { contactEmail: contact_email }),
    ...(contact_identifiers !== undefined && { identifiers: contact_identifiers ?? [] }),
    ...(textOf(comment) !== undefined && { notes: textOf(comment) ?? null }),
  };
}

const timeIn = (name: string, value: unknown): number => parseIsoTime(name, textOf(value) ?? "");

const mirroredStatus = (status: Appointment["status"]): AppointmentStatus =>
  status === "entered-in-error" ? "cancelled" : statusIn(status);
