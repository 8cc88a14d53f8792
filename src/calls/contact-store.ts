// People who are called, as the calls know them: by their number.
import { holds } from "../db/like.ts";
import type { Executor } from "../db/tables.ts";

export interface KnownContact {
  number: string;
  name: string | null;
  /** When the call or appointment was made. */
  at: number;
}

export type ContactSearch = { name: string } | { digits: string } | null;

/** Calls of those who match, newest first; of everybody where nobody is searched for. */
export async function callsOfContacts(
  executor: Executor,
  organisationId: string,
  search: ContactSearch,
  limit: number,
): Promise<KnownContact[]> {
  let query = executor
    .selectFrom("calls")
    .select(["contact_number as number", "contact_name as name", "created_at as at"])
    .where("organisation_id", "=", organisationId);
  if (search) {
    query = query.where((eb) =>
      "name" in search ? holds(eb.ref("contact_name"), search.name) : holds(eb.ref("contact_number"), search.digits),
    );
  }
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** Whether a call, other than that one, or an appointment is left of a person. */
export async function isContactKnown(
  executor: Executor,
  organisationId: string,
  number: string,
  exceptCallId = "",
): Promise<boolean> {
  const call = await executor
    .selectFrom("calls")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where("id", "<>", exceptCallId)
    .limit(1)
    .executeTakeFirst();
  if (call) return true;
  const appointment = await executor
    .selectFrom("appointments")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .limit(1)
    .executeTakeFirst();
  return appointment !== undefined;
}

/** The newest call to each of these. */
export async function lastCallTo(executor: Executor, organisationId: string, number: string) {
  return executor
    .selectFrom("calls")
    .select(["id", "state", "contact_name", "created_at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}
