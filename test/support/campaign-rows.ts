// A campaign and a row of its list that differ only where a test says so.
import type { Campaign, CampaignPerson } from "../../src/campaigns/records.ts";

export function campaignRow(change: Partial<Campaign> = {}): Campaign {
  return {
    id: "cmp_1",
    organisation_id: "org_1",
    agent_id: "agt_1",
    name: "Reminders",
    state: "running",
    row_count: 1,
    start_at: 0,
    calls_per_minute: 60,
    calling_hours: null,
    retry: {},
    next_call_at: 0,
    look_at: null,
    created_at: 0,
    updated_at: 0,
    finished_at: null,
    forgotten_at: null,
    list_hash: null,
    closure_id: null,
    ...change,
  };
}

export function listedRow(change: Partial<CampaignPerson> = {}): CampaignPerson {
  return {
    campaign_id: "cmp_1",
    row_number: 1,
    state: "calling",
    outcome: null,
    attempts: 1,
    due_at: 0,
    call_id: null,
    contact_number: "+919810012345",
    contact_name: "Kamala",
    contact_email: null,
    preferred_language: null,
    contact_time_zone: null,
    contact_region: null,
    additional_info: null,
    user_identifiers: null,
    ...change,
  };
}
