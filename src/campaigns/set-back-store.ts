// Replans campaigns after the clock was set back: due times and retries were planned on a clock that was ahead.
import { MINUTE_MS } from "../core/clock.ts";
import type { Tx } from "../db/tables.ts";
import { campaignMeaning, type Campaign } from "./records.ts";

/** Waits start anew or are cut to the policy's maximum. The start and row times chosen by people stay. */
export async function replanCampaigns(tx: Tx, now: number): Promise<void> {
  const open = await tx.selectFrom("campaigns").selectAll().where("state", "in", ["ready", "running"]).execute();
  for (const campaign of campaignMeaning.readAll(open)) await replanCampaign(tx, campaign, now);
}

async function replanCampaign(tx: Tx, campaign: Campaign, now: number): Promise<void> {
  // Started, or due to start at once, by the wrong clock.
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
