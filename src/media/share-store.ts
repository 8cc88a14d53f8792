// Share tokens of calls in the database.
import { organisationMeaning, type Organisation } from "../accounts/records.ts";
import { prepared, remembered } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { CallShare, SingleShare } from "./records.ts";

const selectShare = prepared<{ callId: string }>()((db, { callId }) =>
  db
    .selectFrom("call_shares")
    .innerJoin("organisations", "organisations.id", "call_shares.organisation_id")
    .selectAll("call_shares")
    .select("organisations.share_calls")
    .where("call_id", "=", callId),
);

export async function shareOfCall(
  executor: Executor,
  callId: string,
): Promise<(CallShare & Pick<Organisation, "share_calls">) | undefined> {
  const [row] = await selectShare(executor, { callId });
  return row && organisationMeaning.read(row);
}

export async function replaceShare(tx: Tx, row: CallShare): Promise<void> {
  await deleteShare(tx, row.call_id);
  await tx.insertInto("call_shares").values(row).execute();
}

/** Whether the call exists; it may have been erased. */
export async function isCallThere(executor: Executor, callId: string): Promise<boolean> {
  const row = await executor.selectFrom("calls").select("id").where("id", "=", callId).executeTakeFirst();
  return row !== undefined;
}

/** Undefined if the organisation has no such call. */
export async function sharedCallState(executor: Executor, organisationId: string, callId: string) {
  const query = executor.selectFrom("calls").select("state").where("organisation_id", "=", organisationId);
  return (await query.where("id", "=", callId).executeTakeFirst())?.state;
}

export async function deleteShare(tx: Tx, callId: string): Promise<void> {
  await tx.deleteFrom("call_shares").where("call_id", "=", callId).execute();
}

/** Queried for every delivery of a call's event. */
const selectSharing = remembered<{ id: string }>(["organisations"])(
  (db, { id }) => db.selectFrom("organisations").select(["share_calls", "share_expiry"]).where("id", "=", id),
  (row) => organisationMeaning.read(row),
);

export async function sharingOf(executor: Executor, organisationId: string) {
  const [row] = await selectSharing(executor, { id: organisationId });
  return row;
}

const selectSingleShare = prepared<{ callId: string }>()((db, { callId }) =>
  db.selectFrom("single_shares").selectAll().where("call_id", "=", callId),
);

export async function singleShareOf(executor: Executor, callId: string): Promise<SingleShare | undefined> {
  const [row] = await selectSingleShare(executor, { callId });
  return row;
}

export async function replaceSingleShare(tx: Tx, row: SingleShare): Promise<void> {
  await deleteSingleShare(tx, row.call_id);
  await tx.insertInto("single_shares").values(row).execute();
}

export async function deleteSingleShare(tx: Tx, callId: string): Promise<void> {
  await tx.deleteFrom("single_shares").where("call_id", "=", callId).execute();
}
