// Campaigns and the people on their lists.
import type { Row } from "../db/tables.ts";

export type Campaign = Row<"campaigns">;
export type CampaignPerson = Row<"campaign_rows">;

export type CampaignRowState = CampaignPerson["state"];
export type CampaignState = Campaign["state"];
