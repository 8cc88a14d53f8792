// Store of campaign results: counts per campaign, and pages of rows with the outcomes of their calls.
import { campaignRowWithin } from "../accounts/reach-store.ts";
import type { CallState } from "../calls/call/records.ts";
import type { Reach } from "../core/reach.ts";
import type { Executor } from "../db/tables.ts";
import { personMeaning, type CampaignPerson, type CampaignRowState } from "./records.ts";

export interface RowCount {
  campaign_id: string;
  state: CampaignRowState;
  outcome: string | null;
  count: number;
}

/** Answered by an index alone: 10,000 rows take a millisecond. */
export async function rowCounts(executor: Executor, campaignIds: readonly string[]): Promise<RowCount[]> {
  if (campaignIds.length === 0) return [];
  return executor
    .selectFrom("campaign_rows")
    .select((eb) => ["campaign_id", "state", "outcome", eb.fn.countAll<number>().as("count")])
    .where("campaign_id", "in", campaignIds)
    .groupBy(["campaign_id", "state", "outcome"])
    .execute();
}

export interface ResultQuestion {
  campaignId: string;
  state?: CampaignRowState | undefined;
  outcome?: string | undefined;
  /** Last row of the previous page. */
  after?: number | undefined;
  reach?: Reach | undefined;
  limit: number;
}

export interface ResultRow extends CampaignPerson {
  call_state: CallState | null;
  duration_seconds: number | null;
  completed_at: number | null;
  analytics: string | null;
  extracted_details: string | null;
  analysis_source: string | null;
}

/** In list order. */
export async function pageOfResults(executor: Executor, question: ResultQuestion): Promise<ResultRow[]> {
  const { campaignId, state, outcome, after, reach, limit } = question;
  let query = executor
    .selectFrom("campaign_rows")
    .leftJoin("calls", "calls.id", "campaign_rows.call_id")
    .leftJoin("call_results", "call_results.call_id", "campaign_rows.call_id")
    .selectAll("campaign_rows")
    .select([
      "calls.state as call_state",
      "calls.duration_seconds as duration_seconds",
      "calls.completed_at as completed_at",
      "call_results.analytics as analytics",
      "call_results.extracted_details as extracted_details",
      "call_results.analysis_source as analysis_source",
    ])
    .where("campaign_rows.campaign_id", "=", campaignId);
  if (reach) query = query.where(campaignRowWithin(reach));
  if (state !== undefined) query = query.where("campaign_rows.state", "=", state);
  if (outcome !== undefined) query = query.where("campaign_rows.outcome", "=", outcome);
  if (after !== undefined) query = query.where("campaign_rows.row_number", ">", after);
  return personMeaning.readAll(await query.orderBy("campaign_rows.row_number").limit(limit).execute());
}
