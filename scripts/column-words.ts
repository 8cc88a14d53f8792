// Enum columns. SQL declares them as TEXT; ./scripts/schema writes the values into the row types.
import { DIRECTORIES, SIGN_IN_FACTORS, SIGN_IN_METHODS } from "../src/payloads/sign-in.ts";
import { PLAN_NAMES } from "../src/config/schema.ts";
import { CALL_ERROR_CODES } from "../src/calls/model.ts";
import { ACTOR_KINDS } from "../src/core/actor.ts";
import { QUESTION_FAILS } from "../src/payloads/call-question.ts";
import { CALL_STATES } from "../src/payloads/call-state.ts";
import { CONSENT_BASES, CONSENT_SOURCES } from "../src/payloads/consent.ts";
import { PURPOSES, RECORDING_MODES } from "../src/payloads/lawful.ts";
import { REGISTRY_VERDICTS } from "../src/payloads/registry.ts";
import { DAYS } from "../src/payloads/slot.ts";
import { RECORDED_KINDS } from "../src/payloads/recorded-words.ts";
import { AUDIENCES, FAULT_NAMES } from "../src/payloads/alarm.ts";
import { LINK_PURPOSES, MAIL_KINDS } from "../src/payloads/mail.ts";
import { SOURCE_KINDS, WISHES, WISH_STATES } from "../src/payloads/source.ts";
import { FOLDER_PROBLEMS, SOURCE_FILE_STATES } from "../src/payloads/source-file.ts";

type Words = readonly string[];

/** Table → column → its values. */
export type ColumnWords = Readonly<Record<string, Readonly<Record<string, Words>>>>;

const BOOKED_BY: Words = ["ai", "api", "dashboard"];
const CHOICES: Words = ["move", "call", "leave"];
const DELIVERY_STATES: Words = ["pending", "delivered", "exhausted", "held"];
const MODEL_ROLES: Words = ["language", "recognition", "voice"];
const WINDOW_STATUSES: Words = ["OPEN", "CLOSED"];

export const COLUMN_WORDS: ColumnWords = {
  organisations: {
    recording_mode: RECORDING_MODES,
    plan: PLAN_NAMES,
    share_expiry: ["none", "hour", "day", "week", "month"],
  },
  hl7_messages: {
    outcome: ["created", "updated", "unchanged", "stale", "merged", "refused"],
    code: ["AA", "AE", "AR"],
  },
  webhook_endpoints: { kind: ["webhook", "hl7"] },
  people: { role: ["owner", "staff", "viewer", "doctor", "auditor"] },
  agents: {
    recording_mode: RECORDING_MODES,
    type: ["outbound", "inbound"],
    model_speech: ["chosen", "free"],
    purpose: PURPOSES,
    asks_consent_for: PURPOSES,
  },
  call_questions: { fails: QUESTION_FAILS },
  registry_results: { verdict: REGISTRY_VERDICTS, actor_kind: ACTOR_KINDS },
  agent_prompts: { kind: RECORDED_KINDS },
  model_servers: { role: MODEL_ROLES },
  agent_model_servers: { role: MODEL_ROLES },
  calls: {
    state: CALL_STATES,
    direction: ["outbound", "inbound"],
    error_code: CALL_ERROR_CODES,
    source: ["api", "hook", "dashboard", "retry", "callback", "carrier", "campaign", "reminder", "waiting_list"],
  },
  windows: { day: DAYS, session: ["Morning", "Afternoon", "Evening"], status: WINDOW_STATUSES },
  window_dates: { status: WINDOW_STATUSES },
  appointments: {
    status: ["confirmed", "completed", "cancelled", "no_show"],
    source: [...BOOKED_BY, "source"],
    wish: WISHES,
    wish_state: WISH_STATES,
  },
  sources: { kind: SOURCE_KINDS },
  source_files: { state: SOURCE_FILE_STATES },
  source_folders: { problem: FOLDER_PROBLEMS },
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
  consents: { purpose: PURPOSES, basis: CONSENT_BASES, source: CONSENT_SOURCES, actor_kind: ACTOR_KINDS },
  erased_refusals: { purpose: PURPOSES },
  consent_changes: {
    change: ["granted", "withdrawn"],
    basis: CONSENT_BASES,
    source: CONSENT_SOURCES,
    actor_kind: ACTOR_KINDS,
  },
  do_not_disturb: { source: CONSENT_SOURCES },
  do_not_disturb_changes: { change: ["added", "removed"], source: CONSENT_SOURCES, actor_kind: ACTOR_KINDS },
  rule_changes: { actor_kind: ACTOR_KINDS },
  deliveries: { state: DELIVERY_STATES },
  delivery_counts: { state: DELIVERY_STATES },
  delivery_attempts: { outcome: ["delivered", "refused", "unreachable", "timeout", "blocked", "our_fault"] },
  retention_holds: {
    subject: ["call", "person", "organisation"],
    actor_kind: ACTOR_KINDS,
    released_by_kind: ACTOR_KINDS,
  },
  file_removals: { kind: ["recording", "capture"] },
  trunks: {
    source: ["settings", "dashboard"],
    transport: ["udp", "tcp", "tls"],
    identity_header: ["auto", "p_asserted_identity", "remote_party_id", "none"],
    number_format: ["e164", "digits", "national"],
    srtp: ["off", "preferred", "required"],
  },
  alarms: { fault: FAULT_NAMES, audience: AUDIENCES },
  mails: { kind: MAIL_KINDS },
  password_links: { purpose: LINK_PURPOSES },
  trunk_states: { state: ["up", "down", "unknown"] },
  sessions: { method: SIGN_IN_METHODS, factor: SIGN_IN_FACTORS },
  directory_people: { directory: DIRECTORIES },
  changes: { kind: ["call", "appointment", "campaign", "window", "worklist", "waiting", "account"] },
  demo_received: { verdict: ["verified", "unsigned", "wrong_signature", "too_old"] },
};
