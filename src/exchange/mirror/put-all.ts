// Puts a list of appointments of one request, each in a transaction of its own.
import { refusal } from "../../calendar/mirrored.ts";
import type { Actor } from "../../core/actor.ts";
import { AppError, invalidField, missingField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import type { PutAppointmentsInput, PutOutcome, SourceAppointmentInput } from "./model.ts";
import type { Mirror, MirroredAppointment, MirrorOutcome } from "./port.ts";

export async function putAll(
  mirror: Mirror,
  organisationId: string,
  sourceId: string,
  body: PutAppointmentsInput,
  actor: Actor,
): Promise<PutOutcome[]> {
  const outcomes: PutOutcome[] = [];
  for (const input of sentIn(body)) {
    const told = toldOf(input);
    const outcome = "kind" in told ? told : await mirror.put(organisationId, sourceId, told, actor);
    outcomes.push(outcomeView(input.external_id, outcome));
  }
  return outcomes;
}

/** One appointment, or a list. */
function sentIn({ appointments, external_id, ...fields }: PutAppointmentsInput): readonly SourceAppointmentInput[] {
  if (appointments === undefined) {
    if (external_id === undefined) throw invalidField("external_id", missingField("external_id"));
    return [{ external_id, ...fields }];
  }
  const [other] = external_id === undefined ? Object.keys(fields) : ["external_id"];
  if (other !== undefined)
    throw invalidField(other, `${other} belongs in each entry of appointments. Send the list alone.`);
  return appointments;
}

function toldOf(input: SourceAppointmentInput): MirroredAppointment | MirrorOutcome {
  try {
    return {
      externalId: input.external_id,
      changedAt: input.changed_at ? parseIsoTime("changed_at", input.changed_at) : null,
      status: input.status ?? "confirmed",
      ...(input.starts_at === undefined ? {} : { startsAt: parseIsoTime("starts_at", input.starts_at) }),
      ...(input.ends_at === undefined ? {} : { endsAt: parseIsoTime("ends_at", input.ends_at) }),
      ...(input.branch_id === undefined ? {} : { branchId: input.branch_id }),
      ...(input.appointment_type_id === undefined ? {} : { appointmentTypeId: input.appointment_type_id }),
      ...(input.practitioner === undefined ? {} : { practitioner: practitionerOf(input.practitioner) }),
      ...(input.contact_name === undefined ? {} : { contactName: input.contact_name }),
      ...(input.contact_number === undefined ? {} : { contactNumber: input.contact_number }),
      ...(input.contact_email === undefined ? {} : { contactEmail: input.contact_email }),
      ...(input.contact_identifiers === undefined ? {} : { identifiers: input.contact_identifiers ?? [] }),
      ...(input.notes === undefined ? {} : { notes: input.notes }),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusal(error.details[0]?.field ?? "", error.message);
  }
}

const practitionerOf = (practitioner: SourceAppointmentInput["practitioner"]) =>
  practitioner ? { id: practitioner.id ?? null, name: practitioner.name ?? null } : null;

function outcomeView(external_id: string, outcome: MirrorOutcome): PutOutcome {
  const refused = outcome.kind === "refused" ? outcome : null;
  return {
    external_id,
    outcome: outcome.kind,
    appointment_id: outcome.kind === "refused" ? null : outcome.appointmentId,
    field: refused?.field ?? null,
    message: refused?.reason ?? null,
  };
}
