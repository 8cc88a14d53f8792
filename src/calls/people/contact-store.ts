// People who are called, as the calls know them: by their number.
import { sql } from "kysely";
import { bindingOf } from "../../db/binding.ts";
import { holds } from "../../db/like.ts";
import { preparedChange } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { trigramQuery } from "../../db/trigrams.ts";
import { LAST_INDEXED } from "./contact-index-store.ts";

export interface KnownContact {
  number: string;
  name: string | null;
  /** When the call or appointment was made. */
  at: number;
}

/** The newest calls of everybody. */
export async function newestContacts(
  executor: Executor,
  organisationId: string,
  limit: number,
): Promise<KnownContact[]> {
  return executor
    .selectFrom("calls")
    .select(["contact_number as number", "contact_name as name", "created_at as at"])
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

const insertContact = preparedChange<{ organisationId: string; number: string; name: string }>()(
  (db, { organisationId, number, name }) =>
    db
      .insertInto("contacts")
      .values({ organisation_id: organisationId, contact_number: number, contact_name: name })
      .onConflict((conflict) => conflict.doNothing()),
);

/** Of a new call. PostgreSQL has a trigger for it, which saves the way there and back; see 0038_contacts.sql. */
export async function noteContact(tx: Tx, organisationId: string, number: string, name: string | null): Promise<void> {
  if (bindingOf(tx).engine === "sqlite") await insertContact(tx, { organisationId, number, name: name ?? "" });
}

/**
 * People whose name or number holds the text, who became known last first, in parts that are asked one after the other.
 * In SQLite those who are not in the index yet come before the others: who is put into it meanwhile is found twice, and
 * nobody is missed.
 */
function contactsHolding(executor: Executor, organisationId: string, text: string) {
  const holding = executor
    .selectFrom("contacts")
    .where((eb) =>
      eb.or([holds(eb.ref("contacts.contact_name"), text), holds(eb.ref("contacts.contact_number"), text)]),
    );
  if (bindingOf(executor).engine !== "sqlite")
    return [holding.where("contacts.organisation_id", "=", organisationId).orderBy("contacts.id", "desc")];
  // The sign keeps SQLite from going through all of an organisation: by their ids those asked for come first, and a
  // limit ends the search.
  const own = holding.where(sql`+contacts.organisation_id`, "=", organisationId);
  const trigrams = trigramQuery(text);
  if (trigrams === null) return [own.orderBy("contacts.id", "desc")];
  const indexed = own
    .innerJoin(sql<{ rowid: number }>`contact_search`.as("search"), (join) =>
      join.onRef("search.rowid", "=", "contacts.id"),
    )
    .where(sql<boolean>`search.contact_search MATCH ${trigrams}`)
    .orderBy("search.rowid", "desc");
  const unindexed = own.where("contacts.id", ">", LAST_INDEXED).orderBy("contacts.id", "desc");
  if (Array.from(text).length > 2) return [unindexed, indexed];
  // A name of two letters has no three of them: it is found as a whole, by an index of its own.
  const named = own
    .where(sql<boolean>`length(contacts.contact_name) = 2`)
    .where(sql<boolean>`lower(contacts.contact_name) = lower(${text})`)
    .orderBy("contacts.id", "desc");
  return [unindexed, named, indexed];
}

/** Of more people who match, those who became known last. */
const MOST_FOUND = 200;
/** Of more, calls are found sooner by looking at the newest ones. */
const MOST_MATCHING = 1_000;

/** People whose name or number holds the text, each with their newest call or appointment. */
export async function findContacts(executor: Executor, organisationId: string, text: string): Promise<KnownContact[]> {
  const found: KnownContact[] = [];
  for (const part of contactsHolding(executor, organisationId, text)) {
    const rows = await part
      .select((eb) => [
        "contacts.contact_number as number",
        "contacts.contact_name as name",
        eb
          .selectFrom("calls")
          .select((own) => own.fn.max("calls.created_at").as("at"))
          .whereRef("calls.organisation_id", "=", "contacts.organisation_id")
          .whereRef("calls.contact_number", "=", "contacts.contact_number")
          .as("called_at"),
        eb
          .selectFrom("appointments")
          .select((own) => own.fn.max("appointments.created_at").as("at"))
          .whereRef("appointments.organisation_id", "=", "contacts.organisation_id")
          .whereRef("appointments.contact_number", "=", "contacts.contact_number")
          .as("booked_at"),
      ])
      .limit(MOST_FOUND - found.length)
      .execute();
    for (const { number, name, called_at, booked_at } of rows)
      found.push({ number, name: name === "" ? null : name, at: Math.max(called_at ?? 0, booked_at ?? 0) });
  }
  return found;
}

/**
 * The numbers of all who match. Null where so many match that their calls are found soon in the order of time. A text
 * that is too short for the index is looked for in every person, who are fewer than their calls.
 */
export async function numbersHolding(
  executor: Executor,
  organisationId: string,
  text: string,
): Promise<string[] | null> {
  const numbers = new Set<string>();
  for (const part of contactsHolding(executor, organisationId, text)) {
    const rows = await part
      .select("contacts.contact_number as number")
      .limit(MOST_MATCHING + 1)
      .execute();
    for (const { number } of rows) numbers.add(number);
    if (rows.length > MOST_MATCHING || numbers.size > MOST_MATCHING) return null;
  }
  return [...numbers];
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
