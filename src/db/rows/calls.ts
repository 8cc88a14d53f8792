// Rows of agents, numbers, calls and inbound hooks.

export type AgentType = "outbound" | "inbound";

export interface AgentRow {
  id: string;
  organisation_id: string;
  type: AgentType;
  name: string;
  language: string;
  voice: string;
  prompt: string;
  greeting: string;
  /** How many calls may follow a call that a retry outcome ended. */
  retry_attempts: number;
  retry_minutes: number;
  /** Space-separated, among busy, no_answer, voicemail. */
  retry_outcomes: string;
  /** JSON (agents/calling-hours.ts), or null where a call may go out at any time. */
  calling_hours: string | null;
  created_at: number;
  updated_at: number;
  /** Where it books, unless the call itself says. */
  branch_id: string | null;
  appointment_type_id: string | null;
  /** A number or a SIP address that callers are sent on to. */
  transfer_to: string | null;
  /** JSON (payloads/analysis-field.ts). */
  analysis_fields: string;
  /** How a language model may speak. */
  model_speech: "chosen" | "free";
  /** JSON (payloads/approved-answer.ts). */
  approved_answers: string;
  /** 1: what a call is about may be told before they have said who they are. */
  open_announcements: number;
  /** Gone from every list; kept for the calls that it made. */
  archived_at: number | null;
  /** After how long a call that could not go out is overdue; null where the settings say. */
  latest_minutes: number | null;
}

export interface AgentVersionRow {
  agent_id: string;
  /** Counts from 1 in each agent. */
  version: number;
  at: number;
  actor_kind: string;
  actor_id: string | null;
  restored_from: number | null;
  /** JSON array of names. */
  changed: string;
  /** JSON (agents/checked-agent.ts). */
  fields: string;
}

export interface PhoneNumberRow {
  id: string;
  organisation_id: string;
  number: string;
  agent_id: string | null;
  concurrent_calls: number;
  created_at: number;
  trunk_id: string | null;
  /** Gone from every list; kept for the calls that were made from it. */
  removed_at: number | null;
}

export interface PronunciationRow {
  organisation_id: string;
  /** In small letters. */
  word_key: string;
  word: string;
  said: string;
  updated_at: number;
}

export interface DoNotDisturbRow {
  organisation_id: string;
  number: string;
  created_at: number;
}

export type CallState =
  | "scheduled"
  | "queued"
  | "initiated"
  | "ringing"
  | "in_progress"
  | "completed"
  | "failed"
  | "cancelled"
  | "disallowed";

export type CallSource =
  | "api"
  | "hook"
  | "dashboard"
  | "retry"
  | "callback"
  | "carrier"
  | "campaign"
  | "reminder"
  | "waiting_list";

export interface CallRow {
  id: string;
  organisation_id: string;
  agent_id: string;
  phone_number_id: string | null;
  state: CallState;
  direction: "outbound" | "inbound";
  source: CallSource;
  contact_number: string;
  contact_name: string | null;
  contact_email: string | null;
  preferred_language: string | null;
  /** JSON object. */
  additional_info: string | null;
  /** JSON array of names. */
  missing_placeholders: string;
  scheduled_at: number;
  next_at: number;
  hold_reason: string | null;
  triggered_at: number | null;
  ringing_at: number | null;
  answered_at: number | null;
  completed_at: number | null;
  cancelled_at: number | null;
  /** When it reached a final state, whichever: what retention counts from. */
  finished_at: number | null;
  duration_seconds: number | null;
  credits_consumed: number | null;
  error_code: string | null;
  error_message: string | null;
  recording_file: string | null;
  follows_call_id: string | null;
  retry_count: number;
  scheduled_call_id: string | null;
  event_sequence: number;
  created_at: number;
  updated_at: number;
  /** What the call was about, where that was not made in it. */
  appointment_id: string | null;
  /** What it came to, in one word: a disposition, or the code of what went wrong. Null until then. */
  outcome: string | null;
  campaign_id: string | null;
  /** Outcomes after which its campaign calls again, space-separated. */
  campaign_retries: string | null;
  /** JSON (agents/calling-hours.ts): hours of its own, within the agent's. */
  calling_hours: string | null;
  /** 1: the simulator placed it, nobody's telephone rang. */
  simulated: number;
  /** Since when it waits for something outside the queue; see calls/queue/lateness.ts. */
  blocked_since: number | null;
  /** When a person released it from a hold. */
  released_at: number | null;
}

export interface CallResultRow {
  call_id: string;
  /** JSON; see events/model.ts. */
  transcript: string | null;
  analytics: string | null;
  extracted_details: string | null;
  /** JSON; see payloads/conversation.ts. */
  analysis_source: string | null;
  /** JSON; see payloads/turn-times.ts. */
  turn_times: string | null;
}

/** A call that has ended, and whose analysis is not there yet. */
export interface PendingAnalysisRow {
  call_id: string;
  deadline_at: number;
  /** JSON: what the rules made of the call. */
  rules: string;
}

export interface ErasedCallRow {
  call_id: string;
  organisation_id: string;
  erased_at: number;
  actor_kind: string;
  actor_id: string | null;
}

export interface InboundHookRow {
  organisation_id: string;
  token_hash: string;
  sealed_signing_secret: string;
  /** 0 or 1. */
  signature_required: number;
  /** The local date that quota_used counts. */
  quota_date: string;
  quota_used: number;
  created_at: number;
  updated_at: number;
}
