// Applies what a message says through the mirror.
import type { Actor } from "../../core/actor.ts";
import { DAY_MS } from "../../core/clock.ts";
import type { Mirror, MirroredAppointment, MirrorOutcome } from "../mirror/port.ts";
import type { LoggedOutcome } from "./log/records.ts";
import { Hl7Fault, type Place } from "./message/fault.ts";
import type { ReadPatient } from "./reading/patient.ts";
import type { Understood } from "./reading/read-message.ts";
import type { Hl7Source } from "./settings.ts";

export interface Applied {
  outcome: LoggedOutcome;
  fault: Hl7Fault | null;
  appointmentId: string | null;
  understood: Understood | null;
}

/** A time further ahead would make every later message stale. */
const MOST_AHEAD_MS = DAY_MS;

/** Throws a Hl7Fault where the mirror refuses it. */
export async function applied(
  mirror: Mirror,
  source: Hl7Source,
  understood: Understood,
  actor: Actor,
  now: number,
): Promise<Applied> {
  const { id: sourceId, organisationId } = source;
  // Of appointments the mirror checks it.
  if (understood.kind !== "appointment" && (understood.changedAt ?? 0) > now + MOST_AHEAD_MS)
    throw new Hl7Fault(
      "AE",
      102,
      PLACES["changed_at"] ?? null,
      "The time is over a day ahead: check the sender's clock.",
    );
  switch (understood.kind) {
    case "appointment": {
      const { appointment } = understood;
      let outcome = await mirror.put(organisationId, sourceId, appointment, actor);
      // A cancellation may name no location. It is stored, so that a late booking does not bring the appointment back.
      const [anyBranch] = source.settings.branches ?? [];
      if (outcome.kind === "refused" && isWithoutBranch(outcome, appointment) && anyBranch)
        outcome = await mirror.put(organisationId, sourceId, { ...appointment, branchId: anyBranch.branch_id }, actor);
      return { ...resultOf(outcome), fault: null, understood };
    }
    case "patient": {
      const { patient, changedAt } = understood;
      const told = { identifiers: patient.identifiers, ...saidOf(patient), changedAt };
      const { changed } = await mirror.updatePatient(organisationId, sourceId, told, actor);
      return { outcome: changed > 0 ? "updated" : "unchanged", appointmentId: null, fault: null, understood };
    }
    case "merge": {
      let changed = 0;
      for (const merge of understood.merges)
        changed += (await mirror.merge(organisationId, sourceId, merge, actor)).changed;
      return { outcome: changed > 0 ? "merged" : "unchanged", appointmentId: null, fault: null, understood };
    }
  }
}

/** Without what the message says nothing about. */
const saidOf = ({ name, number, email }: ReadPatient) => ({
  ...(name !== undefined && { name }),
  ...(number !== undefined && { number }),
  ...(email !== undefined && { email }),
});

const isWithoutBranch = ({ field }: MirrorRefusal, { status, branchId }: MirroredAppointment): boolean =>
  field === "branch_id" && status === "cancelled" && branchId === undefined;

type MirrorRefusal = Extract<MirrorOutcome, { kind: "refused" }>;

function resultOf(outcome: MirrorOutcome): Pick<Applied, "outcome" | "appointmentId"> {
  if (outcome.kind !== "refused") return { outcome: outcome.kind, appointmentId: outcome.appointmentId };
  throw new Hl7Fault("AE", 102, PLACES[outcome.field] ?? null, outcome.reason);
}

/** Where a field of the mirror comes from. */
const PLACES: Readonly<Record<string, Place>> = {
  external_id: { segment: "SCH", field: 1 },
  changed_at: { segment: "MSH", field: 7 },
  starts_at: { segment: "SCH", field: 11 },
  ends_at: { segment: "SCH", field: 11 },
  branch_id: { segment: "AIL", field: 3 },
  appointment_type_id: { segment: "AIS", field: 3 },
  practitioner: { segment: "AIP", field: 3 },
  contact_name: { segment: "PID", field: 5 },
  contact_number: { segment: "PID", field: 13 },
  contact_email: { segment: "PID", field: 13 },
  contact_identifiers: { segment: "PID", field: 3 },
};
