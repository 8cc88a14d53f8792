// Campaigns after the time went back: their next look, and when people are called again, was planned on a clock that
// was ahead.
import { MINUTE_MS } from "../core/clock.ts";
import type { Tx } from "../db/tables.ts";
import { campaignMeaning, type Campaign } from "./records.ts";

/**
 * Waits are looked at anew or cut to what the policy allows; the start and the rows' own times that people chose stay.
 */
export async function replanCampaigns(tx: Tx, now: number): Promise<void> {
  const open = await tx.selectFrom("campaigns").selectAll().where("state", "in", ["ready", "running"]).execute();
  for (const campaign of campaignMeaning.readAll(open)) await replanCampaign(tx, campaign, now);
}

async function replanCampaign(tx: Tx, campaign: Campaign, now: number): Promise<void> {
  // One that began, or was to begin at once, by the wrong clock.
  const isBegun = campaign.state === "running" || campaign.start_at <= campaign.created_at;
  if (!isBegun) return;
  const { id, start_at } = campaign;
  const waiting = tx.updateTable("campaign_rows").where("campaign_id", "=", id).where("state", "=", "waiting");
  await waiting.set({ due_at: now }).where("attempts", "=", 0).where("due_at", "=", start_at).execute();
  const againAt = now + longestWaitMs(campaign);
  await waiting.set({ due_at: againAt }).where("attempts", ">", 0).where("due_at", ">", againAt).execute();
  await tx
    .updateTable("campaigns")
    .set({
      start_at: Math.min(start_at, now),
      next_call_at: Math.min(campaign.next_call_at, now),
      look_at: now,
    })
    .where("id", "=", id)
    .execute();
}

function longestWaitMs({ retry }: Campaign): number {
  const minutes = Object.values(retry).map((rule) => rule.minutes);
  return Math.max(0, ...minutes) * MINUTE_MS;
}
