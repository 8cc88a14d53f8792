// What a system of the hospital says about one of its appointments, and what came of it. HL7, FHIR, the drop folder and
// the API all speak to the mirror through this interface.
import type { MirroredAppointment, MirrorOutcome } from "../../calendar/mirrored.ts";
import { APPOINTMENT_STATUSES } from "../../calendar/appointment-state.ts";
import type { AppointmentStatus } from "../../calendar/records.ts";
import type { Merge, PatientChange } from "../../calendar/mirrored-patients.ts";
import type { Actor } from "../../core/actor.ts";

export type { Identifier } from "../../payloads/identifiers.ts";
export type { MirroredAppointment, MirrorOutcome, Practitioner } from "../../calendar/mirrored.ts";
export type { Merge, PatientChange } from "../../calendar/mirrored-patients.ts";

export const MIRRORED_STATUSES = APPOINTMENT_STATUSES;
export type MirroredStatus = AppointmentStatus;

export interface Mirror {
  /**
   * In one transaction. Idempotent. Throws only for faults of the appliance, such as UNAVAILABLE, and NOT_FOUND for a
   * source that was removed.
   */
  put(organisationId: string, sourceId: string, told: MirroredAppointment, actor: Actor): Promise<MirrorOutcome>;
  /** Name, number and e-mail address in the source's appointments of everyone with one of these identifiers. */
  updatePatient(
    organisationId: string,
    sourceId: string,
    patient: PatientChange,
    actor: Actor,
  ): Promise<{ changed: number }>;
  merge(organisationId: string, sourceId: string, merge: Merge, actor: Actor): Promise<{ changed: number }>;
}
