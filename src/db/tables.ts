// The rows of every table, as Kysely sees them. One interface per table, in the order of the migrations.
import type { Generated, Kysely } from "kysely";
import type { PlanName } from "../config/schema.ts";

export interface OrganisationRow {
  id: string;
  name: string;
  plan: PlanName;
  time_zone: string;
  created_at: number;
  updated_at: number;
  /** 0 or 1. */
  unlimited_credits: number;
  credit_balance: number;
  /** 0 or 1. */
  share_calls: number;
  share_expiry: ShareExpiry;
}

export type ShareExpiry = "none" | "hour" | "day" | "week" | "month";

export type Role = "owner" | "staff" | "viewer";

export interface PersonRow {
  id: string;
  organisation_id: string;
  email: string;
  name: string;
  role: Role;
  password_hash: string;
  created_at: number;
  disabled_at: number | null;
}

export interface SetupCodeRow {
  code_hash: string;
  created_at: number;
  used_at: number | null;
}

export interface ApiKeyRow {
  id: string;
  organisation_id: string;
  name: string;
  secret_hash: string;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface AuditEntryRow {
  id: string;
  organisation_id: string;
  at: number;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  subject_id: string | null;
  /** JSON, without personal data. */
  detail: string;
  request_id: string | null;
}

export interface IdempotencyKeyRow {
  scope_hash: string;
  organisation_id: string;
  request_hash: string;
  status: number;
  response: string;
  subject_id: string | null;
  expires_at: number;
}

export interface HeartbeatRow {
  name: string;
  at: number;
}

export interface CreditEntryRow {
  id: string;
  organisation_id: string;
  at: number;
  amount: number;
  reason: string;
  call_id: string | null;
}

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
  /** JSON (calls/calling-hours.ts), or null where a call may go out at any time. */
  calling_hours: string | null;
  created_at: number;
  updated_at: number;
  /** Where it books, unless the call itself says. */
  branch_id: string | null;
  appointment_type_id: string | null;
}

export interface PhoneNumberRow {
  id: string;
  organisation_id: string;
  number: string;
  agent_id: string | null;
  concurrent_calls: number;
  created_at: number;
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

export type CallSource = "api" | "hook" | "dashboard" | "retry" | "callback" | "carrier";

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
}

export interface CallResultRow {
  call_id: string;
  /** JSON; see events/model.ts. */
  transcript: string | null;
  analytics: string | null;
  extracted_details: string | null;
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

export interface WebhookEndpointRow {
  id: string;
  organisation_id: string;
  url: string;
  description: string;
  /** Space-separated. */
  event_types: string;
  /** 0 or 1. */
  signing: number;
  sealed_secret: string;
  sealed_previous_secret: string | null;
  previous_secret_until: number | null;
  /** 0 or 1. */
  enabled: number;
  disabled_reason: string | null;
  consecutive_failures: number;
  created_at: number;
  updated_at: number;
}

export interface EventRow {
  id: string;
  organisation_id: string;
  type: string;
  call_id: string | null;
  appointment_id: string | null;
  /** 0 or 1: whether a link is to be signed at each attempt. */
  has_recording: number;
  has_transcript: number;
  created_at: number;
  /** JSON, without media links. */
  data: string;
}

export type DeliveryState = "pending" | "delivered" | "exhausted" | "held";

export interface DeliveryRow {
  id: string;
  organisation_id: string;
  event_id: string;
  endpoint_id: string;
  order_key: string;
  state: DeliveryState;
  attempts: number;
  next_at: number;
  created_at: number;
  updated_at: number;
}

export type AttemptOutcome = "delivered" | "refused" | "unreachable" | "timeout" | "blocked" | "our_fault";

export interface DeliveryAttemptRow {
  id: Generated<number>;
  delivery_id: string;
  at: number;
  duration_ms: number;
  status: number | null;
  outcome: AttemptOutcome;
  detail: string;
  response: string;
}

export interface CallShareRow {
  call_id: string;
  organisation_id: string;
  token: string;
  created_at: number;
  expires_at: number | null;
}

export interface BranchRow {
  organisation_id: string;
  id: string;
  name: string | null;
  /** The organisation's own where null. */
  time_zone: string | null;
  created_at: number;
  updated_at: number;
}

export interface AppointmentTypeRow {
  organisation_id: string;
  id: string;
  name: string | null;
  created_at: number;
  updated_at: number;
}

export type WindowStatus = "OPEN" | "CLOSED";
export type Session = "Morning" | "Afternoon" | "Evening";

export interface WindowRow {
  id: string;
  organisation_id: string;
  branch_id: string;
  day: string;
  session: Session;
  batch: string | null;
  /** HH:MM in the branch's zone. */
  start_time: string;
  end_time: string;
  appointment_type_id: string | null;
  max_slots: number;
  ai_slots: number;
  status: WindowStatus;
  created_at: number;
  updated_at: number;
}

export interface WindowDateRow {
  window_id: string;
  date: string;
  max_slots: number | null;
  ai_slots: number | null;
  status: WindowStatus | null;
  filled: number;
  ai_filled: number;
  updated_at: number;
}

export type AppointmentStatus = "confirmed" | "completed" | "cancelled" | "no_show";

export interface AppointmentRow {
  id: string;
  organisation_id: string;
  window_id: string;
  branch_id: string;
  date: string;
  start_time: string;
  end_time: string;
  batch: string | null;
  appointment_type_id: string | null;
  status: AppointmentStatus;
  contact_name: string | null;
  contact_number: string | null;
  contact_email: string | null;
  notes: string | null;
  source: "ai" | "api" | "dashboard";
  call_id: string | null;
  created_at: number;
  updated_at: number;
  cancelled_at: number | null;
  completed_at: number | null;
}

export interface SlotHoldRow {
  id: string;
  window_id: string;
  date: string;
  call_id: string;
  expires_at: number;
}

export interface Tables {
  organisations: OrganisationRow;
  people: PersonRow;
  setup_codes: SetupCodeRow;
  api_keys: ApiKeyRow;
  audit_entries: AuditEntryRow;
  idempotency_keys: IdempotencyKeyRow;
  heartbeats: HeartbeatRow;
  credit_entries: CreditEntryRow;
  agents: AgentRow;
  phone_numbers: PhoneNumberRow;
  do_not_disturb: DoNotDisturbRow;
  calls: CallRow;
  call_results: CallResultRow;
  erased_calls: ErasedCallRow;
  inbound_hooks: InboundHookRow;
  webhook_endpoints: WebhookEndpointRow;
  events: EventRow;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  call_shares: CallShareRow;
  branches: BranchRow;
  appointment_types: AppointmentTypeRow;
  windows: WindowRow;
  window_dates: WindowDateRow;
  appointments: AppointmentRow;
  slot_holds: SlotHoldRow;
}

/** Where a query runs: the read-only connection, or the transaction of a write. Stores take it as their first argument. */
export type Executor = Kysely<Tables>;

/** An executor inside a write. The brand keeps a reader from being passed where a change is made. */
export type Tx = Executor & { readonly [writable]: true };
declare const writable: unique symbol;
