// A campaign and its rows as the API shows them.
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { AnalysisSource, CallAnalytics } from "../payloads/conversation.ts";
import { identifiersIn, identifiersText } from "../payloads/identifiers.ts";
import type { ListedCampaign } from "./campaign-store.ts";
import type { CampaignResult, CampaignView } from "./model.ts";
import type { ResultRow, RowCount } from "./result-store.ts";
import { FAILED_OUTCOMES } from "./retry.ts";

export function campaignView(campaign: ListedCampaign, counts: readonly RowCount[], talking: number): CampaignView {
  const ours = counts.filter(({ campaign_id }) => campaign_id === campaign.id);
  const sumOf = (which: readonly RowCount[]) => which.reduce((sum, { count }) => sum + count, 0);
  const done = ours.filter(({ state }) => state === "done");
  const inState = (state: RowCount["state"]) => sumOf(ours.filter((row) => row.state === state));
  return {
    campaign_id: campaign.id,
    name: campaign.name,
    agent_id: campaign.agent_id,
    agent_name: campaign.agent_name,
    state: campaign.state,
    created_at: toIso(campaign.created_at),
    start_at: toIso(campaign.start_at),
    finished_at: toIsoOrNull(campaign.finished_at),
    calls_per_minute: campaign.calls_per_minute,
    calling_hours: campaign.calling_hours,
    retry: campaign.retry,
    rows: campaign.row_count,
    progress: {
      waiting: inState("waiting"),
      calling: inState("calling"),
      talking,
      done: sumOf(done),
      cancelled: inState("cancelled"),
      failed: sumOf(done.filter(({ outcome }) => FAILED_OUTCOMES.some((failed) => failed === outcome))),
      outcomes: Object.fromEntries(done.map(({ outcome, count }) => [outcome ?? "", count])),
    },
  };
}

export function resultView(row: ResultRow): CampaignResult {
  const analytics = parsed<CallAnalytics>(row.analytics);
  return {
    row: row.row_number,
    state: row.state,
    outcome: row.outcome as CampaignResult["outcome"],
    attempts: row.attempts,
    next_attempt_at: row.state === "waiting" ? toIso(row.due_at) : null,
    contact_number: row.contact_number,
    contact_name: row.contact_name,
    contact_identifiers: identifiersIn(row.user_identifiers),
    call_id: row.call_id,
    call_status: row.call_state,
    call_duration_seconds: row.duration_seconds,
    completed_at: toIsoOrNull(row.completed_at),
    disposition: analytics?.disposition ?? null,
    summary: analytics?.summary ?? null,
    extracted_details: parsed<Record<string, unknown>>(row.extracted_details),
    analysis_source: parsed<AnalysisSource>(row.analysis_source),
  };
}

/** Columns of the CSV file. */
export const RESULT_COLUMNS = [
  "row",
  "number",
  "name",
  "state",
  "outcome",
  "calls",
  "call_id",
  "completed_at",
  "seconds",
  "disposition",
  "summary",
  "details",
  "identifiers",
] as const;

export function resultCells(result: CampaignResult): (string | number | null)[] {
  return [
    result.row,
    result.contact_number,
    result.contact_name,
    result.state,
    result.outcome,
    result.attempts,
    result.call_id,
    result.completed_at,
    result.call_duration_seconds,
    result.disposition,
    result.summary,
    result.extracted_details === null ? null : JSON.stringify(result.extracted_details),
    identifiersText(result.contact_identifiers),
  ];
}

function parsed<T>(json: string | null | undefined): T | null {
  return json === null || json === undefined ? null : (JSON.parse(json) as T);
}
