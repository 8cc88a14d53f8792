// Store of the people on campaign lists. States are literals if SQLite is to use the partial index for them.
import { sql } from "kysely";
import { prepared, preparedChange, preparedWrite } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import { campaignById } from "./campaign-store.ts";
import { personMeaning, type CampaignPerson } from "./records.ts";
import { NOT_REACHED_OUTCOMES } from "./retry.ts";

const WAITING = sql.lit("waiting" as const);

const insertQuery = prepared<Row<"campaign_rows">>()((db, p) =>
  db.insertInto("campaign_rows").values({
    campaign_id: p.campaign_id,
    row_number: p.row_number,
    state: p.state,
    outcome: p.outcome,
    attempts: p.attempts,
    due_at: p.due_at,
    call_id: p.call_id,
    contact_number: p.contact_number,
    contact_name: p.contact_name,
    contact_email: p.contact_email,
    preferred_language: p.preferred_language,
    additional_info: p.additional_info,
    contact_time_zone: p.contact_time_zone,
    contact_region: p.contact_region,
    user_identifiers: p.user_identifiers,
  }),
);

export async function insertRow(tx: Tx, row: CampaignPerson): Promise<void> {
  await insertQuery(tx, personMeaning.write(row));
}

export async function countRows(executor: Executor, campaignId: string): Promise<number> {
  const { count } = await executor
    .selectFrom("campaign_rows")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("campaign_id", "=", campaignId)
    .executeTakeFirstOrThrow();
  return count;
}

const selectDue = prepared<{ campaignId: string; now: number; limit: number }>()((db, { campaignId, now, limit }) =>
  db
    .selectFrom("campaign_rows")
    .selectAll()
    .where("campaign_id", "=", campaignId)
    .where("state", "=", WAITING)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("row_number")
    .limit(limit),
);

/** Longest due first, then in list order. */
export async function dueRows(
  executor: Executor,
  campaignId: string,
  now: number,
  limit: number,
): Promise<CampaignPerson[]> {
  return personMeaning.readAll(await selectDue(executor, { campaignId, now, limit }));
}

const selectEarliest = prepared<{ campaignId: string }>()((db, { campaignId }) =>
  db
    .selectFrom("campaign_rows")
    .select("due_at")
    .where("campaign_id", "=", campaignId)
    .where("state", "=", WAITING)
    .orderBy("due_at")
    .orderBy("row_number")
    .limit(sql.lit(1)),
);

/** Due time of the next row; null if none waits. */
export async function earliestDue(executor: Executor, campaignId: string): Promise<number | null> {
  const [row] = await selectEarliest(executor, { campaignId });
  return row?.due_at ?? null;
}

export async function isAnyCalling(executor: Executor, campaignId: string): Promise<boolean> {
  const row = await executor
    .selectFrom("campaign_rows")
    .select("row_number")
    .where("campaign_id", "=", campaignId)
    .where("state", "=", "calling")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const callQuery = preparedChange<Pick<CampaignPerson, "campaign_id" | "row_number" | "attempts" | "call_id">>()(
  (db, p) =>
    db
      .updateTable("campaign_rows")
      .set({ state: "calling", outcome: null, attempts: p.attempts, call_id: p.call_id })
      .where("campaign_id", "=", p.campaign_id)
      .where("row_number", "=", p.row_number)
      .where("state", "=", WAITING),
);

/** Runs in the transaction that creates the call: neither exists without the other. */
export async function rowIsCalled(tx: Tx, row: CampaignPerson, callId: string): Promise<void> {
  const { campaign_id, row_number } = row;
  const changed = await callQuery(tx, { campaign_id, row_number, attempts: row.attempts + 1, call_id: callId });
  if (changed !== 1) throw new Error("A row was called that did not wait.");
}

export async function updateRow(
  tx: Tx,
  { campaign_id, row_number }: Pick<CampaignPerson, "campaign_id" | "row_number">,
  change: Partial<Pick<CampaignPerson, "state" | "outcome" | "due_at">>,
): Promise<void> {
  await tx
    .updateTable("campaign_rows")
    .set(change)
    .where("campaign_id", "=", campaign_id)
    .where("row_number", "=", row_number)
    .execute();
}

type RowEnd = Pick<CampaignPerson, "state" | "outcome" | "due_at">;

const endQuery = preparedWrite<Pick<CampaignPerson, "campaign_id" | "row_number"> & RowEnd>()((db, p) =>
  db
    .updateTable("campaign_rows")
    .set({ state: p.state, outcome: p.outcome, due_at: p.due_at })
    .where("campaign_id", "=", p.campaign_id)
    .where("row_number", "=", p.row_number),
);

/** Stores the end of a row's call. */
export async function endRow(
  tx: Tx,
  { campaign_id, row_number }: Pick<CampaignPerson, "campaign_id" | "row_number">,
  { state, outcome, due_at }: RowEnd,
): Promise<void> {
  await endQuery(tx, { campaign_id, row_number, state, outcome, due_at });
}

const selectByCall = prepared<{ callId: string }>()((db, { callId }) =>
  db.selectFrom("campaign_rows").selectAll().where("call_id", "=", callId),
);

/** The row with this newest call. */
export async function rowOfCall(executor: Executor, callId: string): Promise<CampaignPerson | undefined> {
  const [row] = await selectByCall(executor, { callId });
  return row && personMeaning.read(row);
}

/** Newest calls of finished rows that were not reached, at most `limit`. */
export async function callsNotReached(executor: Executor, campaignId: string, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom("campaign_rows")
    .select("call_id")
    .where("campaign_id", "=", campaignId)
    .where("state", "=", "done")
    .where("outcome", "in", NOT_REACHED_OUTCOMES)
    .limit(limit)
    .execute();
  return rows.map(({ call_id }) => call_id ?? "");
}

/**
 * Cancels waiting rows, at most `limit`. Rows that were already called become done with the outcome of that call.
 * Returns how many rows were waiting.
 */
export async function cancelWaiting(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const waiting = await tx
    .selectFrom("campaign_rows")
    .select(["row_number", "outcome"])
    .where("campaign_id", "=", campaignId)
    .where("state", "=", WAITING)
    .limit(limit)
    .execute();
  const [uncalled, called] = [true, false].map((isUncalled) =>
    waiting.filter(({ outcome }) => (outcome === null) === isUncalled).map(({ row_number }) => row_number),
  );
  const rows = (numbers: readonly number[] = []) =>
    tx.updateTable("campaign_rows").where("campaign_id", "=", campaignId).where("row_number", "in", numbers);
  await rows(uncalled).set({ state: "cancelled", outcome: "cancelled" }).execute();
  await rows(called).set({ state: "done" }).execute();
  return waiting.length;
}

/** Requeues rows after `after` with these outcomes, in list order. Rows of erased people are excluded. */
export async function waitAgain(
  tx: Tx,
  campaignId: string,
  { outcomes, after, limit }: { outcomes: readonly string[]; after: number; limit: number },
  now: number,
): Promise<number[]> {
  const ended = await tx
    .selectFrom("campaign_rows")
    .select("row_number")
    .where("campaign_id", "=", campaignId)
    .where("row_number", ">", after)
    .where("state", "=", "done")
    .where("outcome", "in", outcomes)
    .where("contact_number", "is not", null)
    .orderBy("row_number")
    .limit(limit)
    .execute();
  const numbers = ended.map(({ row_number }) => row_number);
  if (numbers.length === 0) return [];
  await tx
    .updateTable("campaign_rows")
    .set({ state: "waiting", outcome: null, due_at: now })
    .where("campaign_id", "=", campaignId)
    .where("row_number", "in", numbers)
    .execute();
  return numbers;
}

export async function deleteRows(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("campaign_rows")
    .where("campaign_id", "=", campaignId)
    .where("row_number", "in", (eb) =>
      eb.selectFrom("campaign_rows").select("row_number").where("campaign_id", "=", campaignId).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export type ListRow = Pick<Row<"campaign_rows">, "row_number" | "contact_number" | "call_id">;

/** In list order. */
export async function rowsAfter(
  executor: Executor,
  campaignId: string,
  after: number,
  limit: number,
): Promise<ListRow[]> {
  return executor
    .selectFrom("campaign_rows")
    .select(["row_number", "contact_number", "call_id"])
    .where("campaign_id", "=", campaignId)
    .where("row_number", ">", after)
    .orderBy("row_number")
    .limit(limit)
    .execute();
}

export async function deleteRowsNumbered(tx: Tx, campaignId: string, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await tx
    .deleteFrom("campaign_rows")
    .where("campaign_id", "=", campaignId)
    .where("row_number", "in", numbers)
    .execute();
}

const FORGOTTEN = {
  contact_number: null,
  contact_name: null,
  contact_email: null,
  preferred_language: null,
  additional_info: null,
  contact_time_zone: null,
  contact_region: null,
  user_identifiers: null,
} satisfies Partial<CampaignPerson>;

/** Erases the person in the row with this newest call. A row waiting for a retry is closed. */
export async function forgetRowOf(tx: Tx, callId: string): Promise<void> {
  await tx
    .updateTable("campaign_rows")
    .set({ state: "done", outcome: "erased" })
    .where("call_id", "=", callId)
    .where("state", "=", "waiting")
    .execute();
  await tx.updateTable("campaign_rows").set(FORGOTTEN).where("call_id", "=", callId).execute();
}

/** Erases a person from every list of the organisation. Waiting rows are no longer called. */
export async function forgetContactRows(tx: Tx, organisationId: string, number: string): Promise<void> {
  // Filters by number first: a join would read every campaign.
  const rows = await tx
    .selectFrom("campaign_rows")
    .select(["campaign_id", "row_number", "state"])
    .where("contact_number", "=", number)
    .execute();
  for (const { campaign_id, row_number, state } of rows) {
    if ((await campaignById(tx, campaign_id))?.organisation_id !== organisationId) continue;
    await tx
      .updateTable("campaign_rows")
      .set({ ...FORGOTTEN, ...(state === "waiting" ? { state: "done", outcome: "erased" } : {}) })
      .where("campaign_id", "=", campaign_id)
      .where("row_number", "=", row_number)
      .execute();
  }
}
