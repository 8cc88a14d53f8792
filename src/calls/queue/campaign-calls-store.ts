// Calls of a campaign that have not started: counts them, holds them while the campaign is paused, releases them.
import { sql } from "kysely";
import { prepared } from "../../db/prepared.ts";
import { UNTIL_RELEASED_MS } from "../../db/backup/hold-due-calls.ts";
import { callMeaning, type Call } from "../call/records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { CAMPAIGN_PAUSED } from "./policy.ts";

/** As literals, so that SQLite can use the partial index for these states. */
const NOT_BEGUN = [sql.lit("scheduled" as const), sql.lit("queued" as const)];
const LIVE = [sql.lit("initiated" as const), sql.lit("ringing" as const), sql.lit("in_progress" as const)];

const selectNotBegun = prepared<{ campaignId: string }>()((db, { campaignId }) =>
  db.selectFrom("calls").selectAll().where("campaign_id", "=", campaignId).where("state", "in", NOT_BEGUN),
);

export async function callsNotBegun(executor: Executor, campaignId: string): Promise<Call[]> {
  return callMeaning.readAll(await selectNotBegun(executor, { campaignId }));
}

const selectCount = prepared<{ campaignId: string }>()((db, { campaignId }) =>
  db
    .selectFrom("calls")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("campaign_id", "=", campaignId)
    .where("state", "in", NOT_BEGUN),
);

export async function countNotBegun(executor: Executor, campaignId: string): Promise<number> {
  const [row] = await selectCount(executor, { campaignId });
  return row?.count ?? 0;
}

export interface LiveCount {
  campaign_id: string | null;
  count: number;
}

/** Number of live calls per campaign of an organisation. */
export async function liveByCampaign(executor: Executor, organisationId: string): Promise<LiveCount[]> {
  return executor
    .selectFrom("calls")
    .select((eb) => ["campaign_id", eb.fn.countAll<number>().as("count")])
    .where("organisation_id", "=", organisationId)
    .where("state", "in", LIVE)
    .where("campaign_id", "is not", null)
    .groupBy("campaign_id")
    .execute();
}

/**
 * Holds few calls, because a campaign creates its calls shortly before they are due. Calls that wait for a person's
 * decision keep that hold.
 */
export async function holdCalls(tx: Tx, campaignId: string, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ hold_reason: CAMPAIGN_PAUSED, next_at: UNTIL_RELEASED_MS, blocked_since: null, updated_at: now })
    .where("campaign_id", "=", campaignId)
    .where("state", "in", NOT_BEGUN)
    .where("next_at", "<", UNTIL_RELEASED_MS)
    .execute();
}

/** The calls are dialled as soon as a line is free. */
export async function releaseCalls(tx: Tx, campaignId: string, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ hold_reason: null, next_at: now, updated_at: now })
    .where("campaign_id", "=", campaignId)
    .where("state", "in", NOT_BEGUN)
    .where("hold_reason", "=", CAMPAIGN_PAUSED)
    .execute();
}
