// Applies the end of a call to its campaign row: retry later, or done. Runs in the transaction that ends the call.
import type { FinalCall, FinalCallWatcher } from "../calls/call/final-calls.ts";
import type { Clock } from "../core/clock.ts";
import { campaignById, lookAgainBy } from "./campaign-store.ts";
import type { Campaign, CampaignPerson } from "./records.ts";
import { calledAgainAt, outcomeOf, retryOutcomeOf } from "./retry.ts";
import { endRow, rowOfCall } from "./row-store.ts";

interface Seen {
  row: CampaignPerson | undefined;
  campaign: Campaign | undefined;
}

export function createEndedCalls({ clock }: { clock: Clock }): FinalCallWatcher<Seen | null> {
  return {
    async look(tx, call) {
      if (call.campaign_id === null) return null;
      const [row, campaign] = await Promise.all([rowOfCall(tx, call.id), campaignById(tx, call.campaign_id)]);
      return { row, campaign };
    },
    async ended(tx, final, seen) {
      const { row, campaign } = seen ?? {};
      // An earlier call of a row that was called again, or a call of an erased list.
      if (row?.state !== "calling" || !campaign) return row?.state === "waiting";
      const now = clock.now();
      const outcome = outcomeOf(final);
      const againAt = againAtOf(final, row, campaign, outcome, now);
      const state = againAt !== null ? "waiting" : final.call.state === "cancelled" ? "cancelled" : "done";
      await endRow(tx, row, { state, outcome, due_at: againAt ?? row.due_at });
      // The row may have been the last, or has a new due time, so the feeder must look at the campaign.
      await lookAgainBy(tx, campaign.id, againAt ?? now);
      return againAt !== null;
    },
  };
}

function againAtOf(
  { call }: FinalCall,
  { attempts }: CampaignPerson,
  campaign: Campaign,
  outcome: ReturnType<typeof outcomeOf>,
  now: number,
): number | null {
  const policy = campaign.state === "stopped" ? {} : campaign.retry;
  return calledAgainAt(policy, retryOutcomeOf(call, outcome), attempts, now);
}
