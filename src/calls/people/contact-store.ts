// Store of contacts, identified by number.
import { sql } from "kysely";
import { appointmentWithin, callWithin, contactWithin } from "../../accounts/reach-store.ts";
import type { Reach } from "../../core/reach.ts";
import { bindingOf } from "../../db/binding.ts";
import { holds } from "../../db/like.ts";
import { preparedChange } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { trigramQuery } from "../../db/trigrams.ts";
import { LAST_INDEXED } from "./contact-index-store.ts";

const ANY = sql<boolean>`1 = 1`;

export interface KnownContact {
  number: string;
  name: string | null;
  /** When the call or appointment was created. */
  at: number;
}

/** Contacts of the newest calls. */
export async function newestContacts(
  executor: Executor,
  organisationId: string,
  limit: number,
  reach?: Reach,
): Promise<KnownContact[]> {
  return executor
    .selectFrom("calls")
    .where(reach ? callWithin(reach) : ANY)
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

/** Adds the contact of a new call. On PostgreSQL a trigger does it, which saves a round trip; see 0038_contacts.sql. */
export async function noteContact(tx: Tx, organisationId: string, number: string, name: string | null): Promise<void> {
  if (bindingOf(tx).engine === "sqlite") await insertContact(tx, { organisationId, number, name: name ?? "" });
}

/**
 * Contacts whose name or number contains the text, newest first, as queries to run one after the other. On SQLite,
 * contacts that are not indexed yet come first: a contact indexed in between is found twice, but none is missed.
 */
function contactsHolding(executor: Executor, organisationId: string, text: string) {
  const holding = executor
    .selectFrom("contacts")
    .where((eb) =>
      eb.or([holds(eb.ref("contacts.contact_name"), text), holds(eb.ref("contacts.contact_number"), text)]),
    );
  if (bindingOf(executor).engine !== "sqlite")
    return [holding.where("contacts.organisation_id", "=", organisationId).orderBy("contacts.id", "desc")];
  // The plus sign keeps SQLite from scanning the whole organisation: it searches by id, newest first, and stops at the
  // limit.
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
  // A two-letter name has no trigram: it is matched as a whole, by its own index.
  const named = own
    .where(sql<boolean>`length(contacts.contact_name) = 2`)
    .where(sql<boolean>`lower(contacts.contact_name) = lower(${text})`)
    .orderBy("contacts.id", "desc");
  return [unindexed, named, indexed];
}

/** If more contacts match, the newest ones are returned. */
const MOST_FOUND = 200;
/** If more contacts match, scanning the newest calls is faster. */
const MOST_MATCHING = 1_000;

/**
 * Contacts whose name or number contains the text, each with the time of their newest call or appointment within reach.
 */
export async function findContacts(
  executor: Executor,
  organisationId: string,
  text: string,
  reach?: Reach,
): Promise<KnownContact[]> {
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
          .where(reach ? callWithin(reach) : ANY)
          .as("called_at"),
        eb
          .selectFrom("appointments")
          .select((own) => own.fn.max("appointments.created_at").as("at"))
          .whereRef("appointments.organisation_id", "=", "contacts.organisation_id")
          .whereRef("appointments.contact_number", "=", "contacts.contact_number")
          .where(reach ? appointmentWithin(reach) : ANY)
          .as("booked_at"),
      ])
      .where(reach ? contactWithin(reach, organisationId) : ANY)
      .limit(MOST_FOUND - found.length)
      .execute();
    for (const { number, name, called_at, booked_at } of rows)
      found.push({ number, name: name === "" ? null : name, at: Math.max(called_at ?? 0, booked_at ?? 0) });
  }
  return found;
}

/** Numbers of people in international format, in order. */
export async function contactNumbersAfter(
  executor: Executor,
  organisationId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  let query = executor
    .selectFrom("contacts")
    .select("contact_number")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "like", "+%");
  if (after !== null) query = query.where("contact_number", ">", after);
  const rows = await query.groupBy("contact_number").orderBy("contact_number").limit(limit).execute();
  return rows.map(({ contact_number }) => contact_number);
}

/** The newest name of each number. */
export async function contactNamesAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await executor
    .selectFrom("contacts")
    .select(["contact_number", "contact_name"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where("contact_name", "<>", "")
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ contact_number, contact_name }) => [contact_number, contact_name]));
}

const MOST_NAMES = 50;

/** Names of each number, the newest known person first. */
export async function allContactNamesAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<{ number: string; name: string }[]> {
  if (numbers.length === 0) return [];
  return executor
    .selectFrom((eb) =>
      eb
        .selectFrom("contacts")
        .select((own) => [
          "id",
          "contact_number as number",
          "contact_name as name",
          own.fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("contact_number").orderBy("id", "desc"))
            .as("place"),
        ])
        .where("organisation_id", "=", organisationId)
        .where("contact_number", "in", numbers)
        .as("known"),
    )
    .select(["number", "name"])
    .where("place", "<=", MOST_NAMES)
    .orderBy("id", "desc")
    .execute();
}

/**
 * Numbers of all matching contacts. Null if so many match that a scan of calls by time is faster. A text too short for
 * the index is searched in all contacts, which are fewer than their calls.
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

/** Whether the person has another call or an appointment left. */
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

/** The newest call to this number. */
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
