// Table of API keys.
import type { PlanName } from "../config/schema.ts";
import { remembered } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { KeyStatus } from "./key-model.ts";
import { keyMeaning, type ApiKey } from "./records.ts";

export interface KeyWithPlan extends ApiKey {
  plan: PlanName;
}

/** Read at every request, from a cache. A revoked key is rejected immediately, even if another process revoked it. */
const selectKeyWithPlan = remembered<{ id: string }>(["api_keys", "organisations"])(
  (db, { id }) =>
    db
      .selectFrom("api_keys")
      .innerJoin("organisations", "organisations.id", "api_keys.organisation_id")
      .selectAll("api_keys")
      .select("organisations.plan")
      .where("api_keys.id", "=", id),
  (row) => keyMeaning.read(row),
);

/** Synchronous if cached. */
export function keyWithPlan(
  executor: Executor,
  id: string,
): KeyWithPlan | undefined | Promise<KeyWithPlan | undefined> {
  const known = selectKeyWithPlan.known(executor, { id });
  return known ? known[0] : selectKeyWithPlan(executor, { id }).then(([row]) => row);
}

export async function insertKey(tx: Tx, row: ApiKey): Promise<void> {
  await tx.insertInto("api_keys").values(keyMeaning.write(row)).execute();
}

export async function keysOf(executor: Executor, organisationId: string): Promise<ApiKey[]> {
  const rows = await executor
    .selectFrom("api_keys")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return keyMeaning.readAll(rows);
}

export async function keyOf(executor: Executor, organisationId: string, id: string): Promise<ApiKey | undefined> {
  const query = executor.selectFrom("api_keys").selectAll().where("id", "=", id);
  const rows = await query.where("organisation_id", "=", organisationId).execute();
  return keyMeaning.readAll(rows)[0];
}

export interface KeyQuestion {
  organisationId: string;
  status: KeyStatus | undefined;
  now: number;
  before: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function pageOfKeys(executor: Executor, question: KeyQuestion): Promise<ApiKey[]> {
  const { organisationId, status, now, before, limit } = question;
  let query = executor.selectFrom("api_keys").selectAll().where("organisation_id", "=", organisationId);
  if (status !== undefined) query = query.where("revoked_at", status === "revoked" ? "is not" : "is", null);
  if (status === "expired") query = query.where("expires_at", "<=", now);
  if (status === "active")
    query = query.where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]));
  if (before !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb("created_at", "<", before.createdAt),
        eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
      ]),
    );
  const rows = await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return keyMeaning.readAll(rows);
}

export async function countActiveKeys(executor: Executor, organisationId: string, now: number): Promise<number> {
  const { count } = await executor
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns whether this call revoked the key: false if it is unknown here or was already revoked. */
export async function markRevoked(tx: Tx, organisationId: string, id: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("organisation_id", "=", organisationId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function markUsed(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable("api_keys").set({ last_used_at: at }).where("id", "=", id).execute();
}
