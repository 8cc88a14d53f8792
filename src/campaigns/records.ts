// Campaigns and the people on their lists.
import type { CallingHours } from "../agents/calling-hours.ts";
import { json, meanings, orNull, type Meant } from "../db/meaning.ts";
import type { RetryPolicy } from "./retry.ts";

/** Calling hours are within the agent's; null uses the agent's. */
export const campaignMeaning = meanings<"campaigns">()({
  calling_hours: orNull(json<CallingHours>()),
  retry: json<RetryPolicy>(),
});
export type Campaign = Meant<typeof campaignMeaning>;
export type CampaignState = Campaign["state"];

export const personMeaning = meanings<"campaign_rows">()({ additional_info: orNull(json<Record<string, unknown>>()) });
export type CampaignPerson = Meant<typeof personMeaning>;
export type CampaignRowState = CampaignPerson["state"];
