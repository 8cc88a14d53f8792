// Link of an appointment to the hospital's own systems: the source that knows it, its id there, and the practitioner.
import { AppError, invalidField } from "../core/errors.ts";
import type { Tx } from "../db/tables.ts";
import type { PatchAppointmentInput } from "./model.ts";
import type { Appointment } from "./records.ts";
import { appointmentByExternalId, isSourceOf } from "./source-store.ts";

type Link = { [Name in "practitioner" | "external_id" | "source_id"]?: PatchAppointmentInput[Name] | undefined };
type LinkColumns = Partial<Pick<Appointment, "practitioner_id" | "practitioner_name" | "external_id" | "source_id">>;

/** Fields that are not sent stay. `row`: the appointment before the change. */
export async function linkColumns(
  tx: Tx,
  organisationId: string,
  { practitioner, external_id, source_id }: Link,
  row: Pick<Appointment, "id" | "external_id" | "source_id"> | null = null,
): Promise<LinkColumns> {
  const doctor =
    practitioner === undefined
      ? {}
      : { practitioner_id: practitioner?.id ?? null, practitioner_name: practitioner?.name ?? null };
  if (external_id === undefined && source_id === undefined) return doctor;
  const link = {
    external_id: external_id === undefined ? (row?.external_id ?? null) : external_id,
    source_id: source_id === undefined ? (row?.source_id ?? null) : source_id,
  };
  if (link.external_id !== null && link.source_id === null)
    throw invalidField("source_id", "source_id is required with external_id: an id belongs to a source.");
  const isNew = link.source_id !== null && link.source_id !== row?.source_id;
  if (link.source_id !== null && isNew && !(await isSourceOf(tx, organisationId, link.source_id)))
    throw invalidField("source_id", "source_id names no source of this organisation.");
  if (link.source_id !== null && link.external_id !== null) {
    const other = await appointmentByExternalId(tx, link.source_id, link.external_id);
    if (other && other.id !== row?.id)
      throw new AppError("CONFLICT", "Another appointment has this external_id in this source.");
  }
  return { ...doctor, ...link };
}
