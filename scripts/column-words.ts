// Enum columns. SQL declares them as TEXT; ./scripts/schema writes the values into the row types.
import { PLAN_NAMES } from "../src/config/schema.ts";
import { CALL_STATES } from "../src/payloads/call-state.ts";
import { RECORDED_KINDS } from "../src/payloads/recorded-words.ts";

type Words = readonly string[];

/** Table → column → its values. */
export type ColumnWords = Readonly<Record<string, Readonly<Record<string, Words>>>>;

const ACTOR_KINDS: Words = ["key", "person", "hook", "signed_link", "share_link", "cli", "system"];
const BOOKED_BY: Words = ["ai", "api", "dashboard"];
const CHOICES: Words = ["move", "call", "leave"];
const DELIVERY_STATES: Words = ["pending", "delivered", "exhausted", "held"];
const MODEL_ROLES: Words = ["language", "recognition", "voice"];
const WINDOW_STATUSES: Words = ["OPEN", "CLOSED"];

export const COLUMN_WORDS: ColumnWords = {
  organisations: { plan: PLAN_NAMES, share_expiry: ["none", "hour", "day", "week", "month"] },
  people: { role: ["owner", "staff", "viewer"] },
  agents: { type: ["outbound", "inbound"], model_speech: ["chosen", "free"] },
  agent_prompts: { kind: RECORDED_KINDS },
  model_servers: { role: MODEL_ROLES },
  agent_model_servers: { role: MODEL_ROLES },
  calls: {
    state: CALL_STATES,
    direction: ["outbound", "inbound"],
    source: ["api", "hook", "dashboard", "retry", "callback", "carrier", "campaign", "reminder", "waiting_list"],
  },
  windows: { session: ["Morning", "Afternoon", "Evening"], status: WINDOW_STATUSES },
  window_dates: { status: WINDOW_STATUSES },
  appointments: { status: ["confirmed", "completed", "cancelled", "no_show"], source: BOOKED_BY },
  closures: {
    state: ["closing", "moving", "calling", "closed", "reopening", "reopened"],
    otherwise: CHOICES,
    actor_kind: ACTOR_KINDS,
  },
  closure_dates: { status_before: WINDOW_STATUSES },
  closure_people: { choice: CHOICES, state: ["waiting", "done", "refused", "gone"] },
  calendar_feeds: { people: ["none", "initials", "names"] },
  campaigns: { state: ["preparing", "ready", "running", "paused", "stopped", "finished"] },
  campaign_rows: { state: ["waiting", "calling", "done", "cancelled"] },
  reminder_rules: { timing: ["day_before", "hours_before"] },
  reminders: { state: ["pending", "calling", "done", "cancelled"] },
  waiting_list: { state: ["waiting", "offered", "booked", "left", "removed", "expired"], source: BOOKED_BY },
  waiting_offers: { state: ["calling", "booked", "declined", "left", "unanswered", "undialled"] },
  deliveries: { state: DELIVERY_STATES },
  delivery_counts: { state: DELIVERY_STATES },
  delivery_attempts: { outcome: ["delivered", "refused", "unreachable", "timeout", "blocked", "our_fault"] },
  file_removals: { kind: ["recording", "capture"] },
  trunks: {
    source: ["settings", "dashboard"],
    transport: ["udp", "tcp", "tls"],
    identity_header: ["auto", "p_asserted_identity", "remote_party_id", "none"],
    number_format: ["e164", "digits", "national"],
    srtp: ["off", "preferred", "required"],
  },
  trunk_states: { state: ["up", "down", "unknown"] },
  changes: { kind: ["call", "appointment", "campaign", "window", "worklist", "waiting"] },
  demo_received: { verdict: ["verified", "unsigned", "wrong_signature", "too_old"] },
};
