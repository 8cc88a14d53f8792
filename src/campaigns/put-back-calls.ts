// Verdict on a planned call whose trunk failed before any phone rang.
import type { PutBackVerdict } from "../calls/life/put-back.ts";
import type { Call } from "../calls/call/records.ts";
import type { Executor } from "../db/tables.ts";
import { campaignById } from "./campaign-store.ts";

export async function putBackVerdict(executor: Executor, call: Call): Promise<PutBackVerdict> {
  // A reminder is retried by its own rule, and a free slot is offered to the next person on the list.
  if (call.source === "reminder" || call.source === "waiting_list") return "unwanted";
  if (call.campaign_id === null) return "wait";
  const campaign = await campaignById(executor, call.campaign_id);
  if (campaign?.state === "paused") return "paused";
  return campaign?.state === "stopped" || campaign === undefined ? "unwanted" : "wait";
}
