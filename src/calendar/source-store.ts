// The hospital's systems, as far as the calendar asks: which fields of an appointment only its source may change. The
// table is written by exchange/sources.
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";
import { identifierKey, type Identifier } from "../payloads/identifiers.ts";
import type { OwnedPart } from "../payloads/source.ts";
import type { Appointment } from "./records.ts";

/** The source of an appointment that lives in another system. */
export interface Owner {
  name: string;
  owns: ReadonlySet<OwnedPart>;
}

const selectSource = prepared<{ id: string }>()((db, { id }) =>
  db
    .selectFrom("sources")
    .select(["organisation_id", "name", "owns"])
    .where("id", "=", id)
    .where("removed_at", "is", null),
);

/** Null for an appointment in our own calendar, also where a source knows it, and after its source was removed. */
export async function ownerOf(
  executor: Executor,
  { window_id, source_id }: Pick<Appointment, "window_id" | "source_id">,
): Promise<Owner | null> {
  if (window_id !== null || source_id === null) return null;
  const [row] = await selectSource(executor, { id: source_id });
  return row ? { name: row.name, owns: new Set(row.owns.split(" ") as OwnedPart[]) } : null;
}

export async function isSourceOf(executor: Executor, organisationId: string, id: string): Promise<boolean> {
  const [row] = await selectSource(executor, { id });
  return row?.organisation_id === organisationId;
}

const selectByExternalId = prepared<{ sourceId: string; externalId: string }>()((db, { sourceId, externalId }) =>
  db.selectFrom("appointments").selectAll().where("source_id", "=", sourceId).where("external_id", "=", externalId),
);

export async function appointmentByExternalId(
  executor: Executor,
  sourceId: string,
  externalId: string,
): Promise<Appointment | undefined> {
  const [row] = await selectByExternalId(executor, { sourceId, externalId });
  return row;
}

/** Appointments of a source whose patient has exactly this identifier, newest date first. */
export async function appointmentsIdentified(
  executor: Executor,
  { organisation_id, id }: { organisation_id: string; id: string },
  { system, value }: Identifier,
  limit: number,
): Promise<Appointment[]> {
  return executor
    .selectFrom("contact_identifiers")
    .innerJoin("appointments", "appointments.id", "contact_identifiers.subject_id")
    .selectAll("appointments")
    .where("contact_identifiers.organisation_id", "=", organisation_id)
    .where("contact_identifiers.value_key", "=", identifierKey(value))
    .where("contact_identifiers.system", "=", system)
    .where("contact_identifiers.value", "=", value)
    .where("appointments.source_id", "=", id)
    .orderBy("appointments.date", "desc")
    .orderBy("appointments.id", "desc")
    .limit(limit)
    .execute();
}
