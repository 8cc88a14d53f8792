// Store of consents: one row per number and purpose with its current state, and every change of it.
import { preparedList } from "../../db/prepared-list.ts";
import { prepared, preparedRows } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { ConsentState } from "../../payloads/consent.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import type { Consent, ConsentChange } from "./records.ts";

/** Field by field, because a prepared statement gets placeholders without fields to copy. */
const consentColumns = (p: Consent): Consent => ({
  id: p.id,
  organisation_id: p.organisation_id,
  contact_number: p.contact_number,
  purpose: p.purpose,
  basis: p.basis,
  source: p.source,
  call_id: p.call_id,
  reference: p.reference,
  granted_at: p.granted_at,
  actor_kind: p.actor_kind,
  actor_id: p.actor_id,
  until: p.until,
  withdrawn_at: p.withdrawn_at,
  created_at: p.created_at,
  updated_at: p.updated_at,
});

const insertOrReplace = (db: Executor, rows: Consent[]) =>
  db
    .insertInto("consents")
    .values(rows.map(consentColumns))
    .onConflict((conflict) =>
      conflict.columns(["organisation_id", "contact_number", "purpose"]).doUpdateSet((eb) => ({
        basis: eb.ref("excluded.basis"),
        source: eb.ref("excluded.source"),
        call_id: eb.ref("excluded.call_id"),
        reference: eb.ref("excluded.reference"),
        granted_at: eb.ref("excluded.granted_at"),
        actor_kind: eb.ref("excluded.actor_kind"),
        actor_id: eb.ref("excluded.actor_id"),
        until: eb.ref("excluded.until"),
        withdrawn_at: eb.ref("excluded.withdrawn_at"),
        updated_at: eb.ref("excluded.updated_at"),
      })),
    );

/** Imports write this many in one statement. */
const ROWS_AT_ONCE = 25;
const saveMany = preparedRows<Consent>(ROWS_AT_ONCE)(insertOrReplace);
const saveOne = preparedRows<Consent>(1)(insertOrReplace);

/**
 * Creates the row of a number and purpose, or replaces its state; its id and creation time stay. No number and purpose
 * may be in the list twice.
 */
export async function saveConsents(tx: Tx, rows: readonly Consent[]): Promise<void> {
  await inStatements(tx, rows, saveMany, saveOne);
}

type Statement<Row> = (tx: Tx, rows: readonly Row[]) => Promise<void>;

async function inStatements<Row>(tx: Tx, rows: readonly Row[], many: Statement<Row>, one: Statement<Row>) {
  let next = 0;
  for (; next + ROWS_AT_ONCE <= rows.length; next += ROWS_AT_ONCE)
    await many(tx, rows.slice(next, next + ROWS_AT_ONCE));
  for (const row of rows.slice(next)) await one(tx, [row]);
}

const changeColumns = (p: ConsentChange): ConsentChange => ({
  id: p.id,
  consent_id: p.consent_id,
  change: p.change,
  at: p.at,
  basis: p.basis,
  source: p.source,
  call_id: p.call_id,
  reference: p.reference,
  granted_at: p.granted_at,
  until: p.until,
  actor_kind: p.actor_kind,
  actor_id: p.actor_id,
});

const insertChanges = (db: Executor, rows: ConsentChange[]) =>
  db.insertInto("consent_changes").values(rows.map(changeColumns));
const keepMany = preparedRows<ConsentChange>(ROWS_AT_ONCE)(insertChanges);
const keepOne = preparedRows<ConsentChange>(1)(insertChanges);

/** Changes are never updated, and deleted only with their consent. */
export async function keepChanges(tx: Tx, rows: readonly ConsentChange[]): Promise<void> {
  await inStatements(tx, rows, keepMany, keepOne);
}

const selectChanges = prepared<{ consentId: string; limit: number }>()((db, { consentId, limit }) =>
  db.selectFrom("consent_changes").selectAll().where("consent_id", "=", consentId).orderBy("id", "desc").limit(limit),
);

const MOST_CHANGES = 200;

/** Newest first. */
export async function changesOf(executor: Executor, consentId: string): Promise<ConsentChange[]> {
  return selectChanges(executor, { consentId, limit: MOST_CHANGES });
}

/** The newest withdrawal of each of these consents, by consent. */
export async function withdrawalsOf(
  executor: Executor,
  consentIds: readonly string[],
): Promise<ReadonlyMap<string, ConsentChange>> {
  if (consentIds.length === 0) return new Map();
  const changes = await executor
    .selectFrom("consent_changes")
    .selectAll()
    .where("consent_id", "in", consentIds)
    .where("change", "=", "withdrawn")
    .orderBy("id")
    .execute();
  return new Map(changes.map((change) => [change.consent_id, change]));
}

const selectOfNumbers = preparedList<{ organisationId: string }>()((db, numbers, { organisationId }) =>
  db
    .selectFrom("consents")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers),
);

/** Every consent of these numbers, in force or not. */
export async function consentsOf(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<Consent[]> {
  return selectOfNumbers(executor, numbers, { organisationId });
}

/** Another organisation's consent is treated like an unknown one. */
export async function consentById(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<Consent | undefined> {
  const row = await executor.selectFrom("consents").selectAll().where("id", "=", id).executeTakeFirst();
  return row?.organisation_id === organisationId ? row : undefined;
}

export interface ConsentFilter {
  organisationId: string;
  number?: string | undefined;
  purpose?: Purpose | undefined;
  state?: ConsentState | undefined;
  /** For the states. */
  now: number;
  /** Last consent of the previous page. */
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function listConsents(executor: Executor, filter: ConsentFilter): Promise<Consent[]> {
  const { number, purpose, state, now, before } = filter;
  let query = executor.selectFrom("consents").selectAll().where("organisation_id", "=", filter.organisationId);
  if (number !== undefined) query = query.where("contact_number", "=", number);
  if (purpose !== undefined) query = query.where("purpose", "=", purpose);
  if (state !== undefined) query = query.where("withdrawn_at", state === "withdrawn" ? "is not" : "is", null);
  if (state === "expired") query = query.where("until", "<=", now);
  if (state === "active") query = query.where((eb) => eb.or([eb("until", "is", null), eb("until", ">", now)]));
  if (before !== undefined) {
    // The first condition is implied by the second, but lets SQLite seek in its index.
    query = query
      .where("created_at", "<=", before.createdAt)
      .where((eb) =>
        eb.or([
          eb("created_at", "<", before.createdAt),
          eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
        ]),
      );
  }
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(filter.limit).execute();
}
