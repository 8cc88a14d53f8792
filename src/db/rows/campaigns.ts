// Rows of campaigns and of the people on their lists.

export type CampaignState = "preparing" | "ready" | "running" | "paused" | "stopped" | "finished";

export interface CampaignRow {
  id: string;
  organisation_id: string;
  agent_id: string;
  name: string;
  state: CampaignState;
  row_count: number;
  start_at: number;
  calls_per_minute: number;
  /** JSON (agents/calling-hours.ts), within the agent's own; null where those are enough. */
  calling_hours: string | null;
  /** JSON (campaigns/retry.ts). */
  retry: string;
  /** No call of it goes out earlier. */
  next_call_at: number;
  /** When the feeder looks at it again. */
  look_at: number | null;
  created_at: number;
  /** Of its state, not of its progress. */
  updated_at: number;
  finished_at: number | null;
  forgotten_at: number | null;
  /** Keyed, of whom it calls with what; null where the same list may be handed in twice. */
  list_hash: string | null;
  /** The closed days that it calls about. */
  closure_id: string | null;
}

export type CampaignRowState = "waiting" | "calling" | "done" | "cancelled";

export interface CampaignRowRow {
  campaign_id: string;
  /** From 1. */
  row_number: number;
  state: CampaignRowState;
  outcome: string | null;
  /** How many calls were made of it, and the newest of them. */
  attempts: number;
  call_id: string | null;
  due_at: number;
  /** Null once the person is forgotten. */
  contact_number: string | null;
  contact_name: string | null;
  contact_email: string | null;
  preferred_language: string | null;
  /** JSON object. */
  additional_info: string | null;
}
