// Calls, appointments and waiting-list entries of one number, as far as they name their person.
import type { Executor } from "../db/tables.ts";
import { identifiersIn, type Identifier } from "../payloads/identifiers.ts";

/** More are not renamed at once. */
export const MOST_RENAMED = 2_000;

export interface NamedRow {
  id: string;
  /** Empty where unknown. */
  name: string;
  identifiers: readonly Identifier[];
}

export interface NamedRows {
  calls: NamedRow[];
  appointments: NamedRow[];
  waiting: NamedRow[];
}

/** Appointments in the hospital's own systems are left out: those systems name their people. */
export async function namedRowsOf(executor: Executor, organisationId: string, number: string): Promise<NamedRows> {
  const calls = await executor
    .selectFrom("calls")
    .select(["id", "contact_name as name", "user_identifiers as identifiers"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .orderBy("created_at", "desc")
    .limit(MOST_RENAMED + 1)
    .execute();
  const appointments = await executor
    .selectFrom("appointments")
    .select(["id", "contact_name as name", "contact_identifiers as identifiers"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where("source_id", "is", null)
    .orderBy("created_at", "desc")
    .limit(MOST_RENAMED + 1)
    .execute();
  const waiting = await executor
    .selectFrom("waiting_list")
    .select(["id", "contact_name as name", "contact_identifiers as identifiers"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .limit(MOST_RENAMED + 1)
    .execute();
  return { calls: calls.map(namedRow), appointments: appointments.map(namedRow), waiting: waiting.map(namedRow) };
}

const namedRow = ({ id, name, identifiers }: { id: string; name: string | null; identifiers: string | null }) => ({
  id,
  name: name ?? "",
  identifiers: identifiersIn(identifiers),
});
