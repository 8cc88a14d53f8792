// Validation of an agent's fields, shared by API, dashboard and CLI.
import { invalidField } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";
import { checkedName } from "../core/names.ts";
import { isExtension, parseUri } from "../telephony/sip/message/uri.ts";
import type { AnalysisField } from "../payloads/analysis-field.ts";
import type { ApprovedAnswer } from "../payloads/approved-answer.ts";
import { checkedAnalysisFields } from "./analysis-fields.ts";
import { checkedAnswers, checkedModelSpeech } from "./approved-answers.ts";
import type { Agent } from "./records.ts";
import { assertRenderable } from "./template.ts";
import { checkedDltId, checkedPurpose } from "./purpose.ts";
import { checkedRecordingMode } from "../rules/recording-mode.ts";
import { checkedCallingHours, type CallingHours } from "./calling-hours.ts";

/** Outcomes that trigger a retry. `interrupted`: a crash of this appliance cut the call off. */
export const RETRY_OUTCOMES = ["busy", "no_answer", "voicemail", "interrupted", "infrastructure_error"] as const;

export interface AgentInput {
  type: string;
  name: string;
  language: string;
  voice: string;
  prompt: string;
  greeting: string;
  retry_attempts: number;
  retry_minutes: number;
  retry_outcomes: readonly string[];
  calling_hours: CallingHours | null;
  branch_id: string | null;
  appointment_type_id: string | null;
  /** Transfer target for callers who want a person: E.164, or `sip:` and an address. Null: no transfer. */
  transfer_to: string | null;
  /** Values to extract from every call. */
  analysis_fields: readonly AnalysisField[];
  /** `chosen` or `free`: how a language model may speak. */
  model_speech: string;
  /** Answers a language model may choose, spoken verbatim. */
  approved_answers: readonly ApprovedAnswer[];
  /** The purpose may be announced before identity is confirmed. */
  open_announcements: boolean;
  /** How its calls are recorded: `announce`, `ask` or `off`. Null: as the organisation. */
  recording_mode: string | null;
  /** Why it calls: `transactional`, `service` or `promotional`. */
  purpose: string;
  /** Purpose of further calls for which it asks consent before the goodbye. Null: it does not ask. */
  asks_consent_for: string | null;
  /** Registrations on the DLT of India's operators: of the hospital, and of the template. Null: none. */
  dlt_entity_id: string | null;
  dlt_template_id: string | null;
  /** Minutes after which a call that could not be placed is overdue. Null: the setting applies. */
  latest_minutes: number | null;
}

type CheckedAgent = Omit<Agent, "id" | "organisation_id" | "created_at" | "updated_at" | "archived_at">;

/** A prompt of 32,000 characters is about 8,000 tokens; more would leave a local model too little context. */
export const LONGEST_PROMPT = 32_000;
export const LONGEST_GREETING = 2_000;

export function checkedAgent(input: AgentInput): CheckedAgent {
  if (input.type !== "outbound" && input.type !== "inbound")
    throw invalidField("type", "type must be outbound or inbound.");
  const name = checkedName("name", input.name, 100);
  return {
    type: input.type,
    name,
    language: language(input.language),
    voice: text("voice", input.voice, 1, 100),
    prompt: template("prompt", input.prompt, LONGEST_PROMPT, name),
    greeting: template("greeting", input.greeting, LONGEST_GREETING, name),
    retry_attempts: whole("retry_attempts", input.retry_attempts, 0, 10),
    retry_minutes: whole("retry_minutes", input.retry_minutes, 1, 7 * 24 * 60),
    retry_outcomes: retryOutcomes(input.retry_outcomes),
    calling_hours: checkedCallingHours(input.calling_hours),
    branch_id: uuid("branch_id", input.branch_id),
    appointment_type_id: uuid("appointment_type_id", input.appointment_type_id),
    transfer_to: transferTarget(input.transfer_to),
    analysis_fields: checkedAnalysisFields(input.analysis_fields),
    model_speech: checkedModelSpeech(input.model_speech),
    approved_answers: checkedAnswers(input.approved_answers, language),
    open_announcements: input.open_announcements,
    recording_mode: checkedRecordingMode(input.recording_mode),
    purpose: checkedPurpose("purpose", input.purpose),
    asks_consent_for:
      input.asks_consent_for === null ? null : checkedPurpose("asks_consent_for", input.asks_consent_for),
    dlt_entity_id: checkedDltId("dlt_entity_id", input.dlt_entity_id),
    dlt_template_id: checkedDltId("dlt_template_id", input.dlt_template_id),
    latest_minutes:
      input.latest_minutes === null ? null : whole("latest_minutes", input.latest_minutes, 5, 7 * 24 * 60),
  };
}

function text(field: string, value: string, shortest: number, longest: number): string {
  if (value.length < shortest || value.length > longest) {
    throw invalidField(field, `${field} must have ${shortest} to ${longest} characters.`);
  }
  return value;
}

function template(field: string, value: string, longest: number, agentName: string): string {
  assertRenderable(field, text(field, value, 0, longest), agentName);
  return value;
}

function whole(field: string, value: number, lowest: number, highest: number): number {
  if (!Number.isInteger(value) || value < lowest || value > highest) {
    throw invalidField(field, `${field} must be a whole number from ${lowest} to ${highest}.`);
  }
  return value;
}

/** RFC 5646 without its rare forms: hi, en-IN, zh-Hant-TW. */
export const AGENT_LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

function language(value: string, field = "language"): string {
  if (!AGENT_LANGUAGE.test(value)) {
    throw invalidField(field, `${field} must be a language tag such as "en-IN" or "hi".`);
  }
  return value;
}

function retryOutcomes(outcomes: readonly string[]): string[] {
  const unknown = outcomes.filter((outcome) => !(RETRY_OUTCOMES as readonly string[]).includes(outcome));
  if (unknown.length > 0) throw invalidField("retry_outcomes", `retry_outcomes may hold ${RETRY_OUTCOMES.join(", ")}.`);
  return RETRY_OUTCOMES.filter((outcome) => outcomes.includes(outcome));
}

function uuid(field: string, value: string | null): string | null {
  if (value !== null && !isUuid(value)) throw invalidField(field, `${field} must be a UUID.`);
  return value?.toLowerCase() ?? null;
}

export const LONGEST_TRANSFER_TARGET = 200;

function transferTarget(value: string | null): string | null {
  const target = value?.trim() ?? "";
  if (target === "") return null;
  // A complete number, or an extension of the exchange behind the trunk.
  const isNumber = /^\+[1-9][0-9]{1,14}$/.test(target) || isExtension(target);
  if (!isNumber && !(target.length <= LONGEST_TRANSFER_TARGET && isSipAddress(target))) {
    throw invalidField(
      "transfer_to",
      'transfer_to must be a number such as "+912212345678", an extension such as "201", or a SIP address such as "sip:100@pbx.hospital.example".',
    );
  }
  return target;
}

/** Headers after a question mark are rejected, because the address is copied into a header. */
function isSipAddress(text: string): boolean {
  try {
    return parseUri(text).user !== null && !/[?\s\p{Cc}]/u.test(text);
  } catch {
    return false;
  }
}
