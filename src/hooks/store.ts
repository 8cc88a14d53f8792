// Store of inbound hooks: one per organisation, token hashed.
import { flag } from "../db/meaning.ts";
import { preparedChange, prepared } from "../db/prepared.ts";
import type { Organisation } from "../accounts/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { hookMeaning, type InboundHook } from "./records.ts";

export type HookWithOrganisation = InboundHook & Pick<Organisation, "plan" | "time_zone">;

const selectByToken = prepared<{ tokenHash: string }>()((db, { tokenHash }) =>
  db
    .selectFrom("inbound_hooks")
    .innerJoin("organisations", "organisations.id", "inbound_hooks.organisation_id")
    .selectAll("inbound_hooks")
    .select(["organisations.plan", "organisations.time_zone"])
    .where("token_hash", "=", tokenHash),
);

export async function hookByToken(executor: Executor, tokenHash: string): Promise<HookWithOrganisation | undefined> {
  const [row] = await selectByToken(executor, { tokenHash });
  return row && hookMeaning.read(row);
}

export async function hookOf(executor: Executor, organisationId: string): Promise<InboundHook | undefined> {
  const row = await executor
    .selectFrom("inbound_hooks")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
  return row && hookMeaning.read(row);
}

/** Replaces the organisation's hook: the old token is invalid from this commit on. */
export async function replaceHook(tx: Tx, row: InboundHook): Promise<void> {
  await tx.deleteFrom("inbound_hooks").where("organisation_id", "=", row.organisation_id).execute();
  await tx.insertInto("inbound_hooks").values(hookMeaning.write(row)).execute();
}

export async function setSignatureRequired(
  tx: Tx,
  organisationId: string,
  required: boolean,
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable("inbound_hooks")
    .set({ signature_required: flag.write(required), updated_at: now })
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

const beginDay = preparedChange<{ organisationId: string; date: string }>()((db, { organisationId, date }) =>
  db
    .updateTable("inbound_hooks")
    .set({ quota_date: date, quota_used: 0 })
    .where("organisation_id", "=", organisationId)
    .where("quota_date", "!=", date),
);

const countOne = preparedChange<{ organisationId: string; limit: number }>()((db, { organisationId, limit }) =>
  db
    .updateTable("inbound_hooks")
    .set((eb) => ({ quota_used: eb("quota_used", "+", 1) }))
    .where("organisation_id", "=", organisationId)
    .where("quota_used", "<", limit),
);

/** Counts one request on `date`. Returns false if the daily quota is used up. */
export async function countRequest(tx: Tx, organisationId: string, date: string, limit: number): Promise<boolean> {
  await beginDay(tx, { organisationId, date });
  return (await countOne(tx, { organisationId, limit })) === 1;
}
