// What the end of a call means for the row that it was made of: called again later, or done. In the transaction of that end.
import type { FinalCall } from "../calls/life/final-calls.ts";
import type { Clock } from "../core/clock.ts";
import type { CampaignRow, Tx } from "../db/tables.ts";
import { campaignById, updateCampaign } from "./campaign-store.ts";
import { calledAgainAt, outcomeOf, retryOutcomeOf, type RetryPolicy } from "./retry.ts";
import { rowOfCall, updateRow } from "./row-store.ts";

export function createEndedCalls({ clock }: { clock: Clock }) {
  return async (tx: Tx, final: FinalCall): Promise<void> => {
    const { call } = final;
    if (call.campaign_id === null) return;
    const row = await rowOfCall(tx, call.id);
    const campaign = await campaignById(tx, call.campaign_id);
    // An earlier call of a row that was called again, or of a list that was erased meanwhile.
    if (row?.state !== "calling" || !campaign) return;
    const now = clock.now();
    const outcome = outcomeOf(final);
    const policy = campaign.state === "stopped" ? {} : (JSON.parse(campaign.retry) as RetryPolicy);
    const againAt = calledAgainAt(policy, retryOutcomeOf(call, outcome), row.attempts, now);
    if (againAt === null) {
      await updateRow(tx, row, { state: call.state === "cancelled" ? "cancelled" : "done", outcome });
    } else {
      await updateRow(tx, row, { state: "waiting", outcome, due_at: againAt });
    }
    await lookAgain(tx, campaign, againAt ?? now);
  };
}

/** Where the feeder has nothing to do for it, this row may have been the last, or has a time now. */
async function lookAgain(tx: Tx, { id, state, look_at }: CampaignRow, at: number): Promise<void> {
  if (state === "running" && (look_at === null || look_at > at)) await updateCampaign(tx, id, { look_at: at });
}
