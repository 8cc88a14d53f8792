// Form values of an agent, and the conversion from and to the API.
import type { FieldType } from "../../../payloads/analysis-field.ts";
import type { AgentInput } from "../../../agents/checked-agent.ts";
import { DEFAULT_HOURS } from "../../../payloads/default-hours.ts";
import { KNOWN_NAMES } from "../../../payloads/known-values.ts";
import { transferTarget } from "../../phone-number.ts";
import { PLACEHOLDER } from "../../../agents/template.ts";

export type Agent = AgentInput & { agent_id: string; created_at: string; updated_at: string; version: string };

export interface AgentForm {
  type: string;
  name: string;
  language: string;
  voice: string;
  prompt: string;
  greeting: string;
  retryAttempts: string;
  retryMinutes: string;
  retryOutcomes: readonly string[];
  hasHours: boolean;
  start: string;
  end: string;
  days: readonly number[];
  branchId: string;
  serviceId: string;
  transferTo: string;
  /** Empty: the default of the appliance. */
  latestMinutes: string;
  analysisFields: readonly FieldForm[];
  openAnnouncements: boolean;
  /** Empty: as the organisation. */
  recordingMode: string;
  purpose: string;
  /** Sent only where it is needed. */
  purposeReason: string;
  asksConsentFor: string;
  dltEntityId: string;
  dltTemplateId: string;
  modelSpeech: string;
  approvedAnswers: readonly AnswerForm[];
}

/** Form values of an approved answer. */
export interface AnswerForm {
  /** Key of the row. */
  key: number;
  question: string;
  answer: string;
  language: string;
}

/** Form values of an analysis field. */
export interface FieldForm {
  /** Key of the row. */
  key: number;
  name: string;
  type: string;
  description: string;
  /** Comma-separated. */
  choices: string;
}

export const FIELD_TYPES = ["text", "number", "yes_no", "date", "choice"] as const satisfies readonly FieldType[];

export function newField(list: readonly FieldForm[]): FieldForm {
  const key = Math.max(0, ...list.map((field) => field.key)) + 1;
  return { key, name: "", type: "text", description: "", choices: "" };
}

export function newAnswer(list: readonly AnswerForm[]): AnswerForm {
  const key = Math.max(0, ...list.map((one) => one.key)) + 1;
  return { key, question: "", answer: "", language: "" };
}

export const EMPTY_FORM: AgentForm = {
  type: "outbound",
  name: "",
  language: "en-IN",
  voice: "default",
  prompt: "",
  greeting: "",
  retryAttempts: "0",
  retryMinutes: "30",
  retryOutcomes: [],
  hasHours: true,
  start: DEFAULT_HOURS.start,
  end: DEFAULT_HOURS.end,
  days: DEFAULT_HOURS.days,
  branchId: "",
  serviceId: "",
  transferTo: "",
  latestMinutes: "",
  analysisFields: [],
  openAnnouncements: false,
  recordingMode: "",
  purpose: "service",
  purposeReason: "",
  asksConsentFor: "",
  dltEntityId: "",
  dltTemplateId: "",
  modelSpeech: "chosen",
  approvedAnswers: [],
};

export function formOf(agent: Agent): AgentForm {
  const hours = agent.calling_hours;
  return {
    type: agent.type,
    name: agent.name,
    language: agent.language,
    voice: agent.voice,
    prompt: agent.prompt,
    greeting: agent.greeting,
    retryAttempts: String(agent.retry_attempts),
    retryMinutes: String(agent.retry_minutes),
    retryOutcomes: agent.retry_outcomes,
    hasHours: hours !== null,
    start: hours?.start ?? EMPTY_FORM.start,
    end: hours?.end ?? EMPTY_FORM.end,
    days: hours?.days ?? EMPTY_FORM.days,
    branchId: agent.branch_id ?? "",
    serviceId: agent.appointment_type_id ?? "",
    transferTo: agent.transfer_to ?? "",
    latestMinutes: agent.latest_minutes === null ? "" : String(agent.latest_minutes),
    analysisFields: agent.analysis_fields.map(({ choices, ...field }, key) => ({
      ...field,
      key,
      choices: choices.join(", "),
    })),
    openAnnouncements: agent.open_announcements,
    recordingMode: agent.recording_mode ?? "",
    purpose: agent.purpose,
    purposeReason: "",
    asksConsentFor: agent.asks_consent_for ?? "",
    dltEntityId: agent.dlt_entity_id ?? "",
    dltTemplateId: agent.dlt_template_id ?? "",
    modelSpeech: agent.model_speech,
    approvedAnswers: agent.approved_answers.map((one, key) => ({ ...one, key })),
  };
}

/** Form values of a new agent, based on a template. */
export function formFrom(point: Partial<AgentInput>): AgentForm {
  return formOf({ ...bodyOf(EMPTY_FORM), agent_id: "", created_at: "", updated_at: "", version: "", ...point });
}

export function bodyOf(form: AgentForm) {
  return {
    type: form.type,
    name: form.name,
    language: form.language.trim(),
    voice: form.voice.trim(),
    prompt: form.prompt,
    greeting: form.greeting,
    retry_attempts: Number(form.retryAttempts),
    retry_minutes: Number(form.retryMinutes),
    retry_outcomes: [...form.retryOutcomes],
    calling_hours: form.hasHours
      ? { start: form.start, end: form.end, days: form.days.toSorted((a, b) => a - b) }
      : null,
    branch_id: form.branchId === "" ? null : form.branchId,
    appointment_type_id: form.serviceId === "" ? null : form.serviceId,
    transfer_to: transferTarget(form.transferTo) || null,
    latest_minutes: form.latestMinutes.trim() === "" ? null : Number(form.latestMinutes),
    analysis_fields: form.analysisFields.map(({ name, type, description, choices }) => ({
      name: name.trim(),
      type: FIELD_TYPES.find((known) => known === type) ?? "text",
      description: description.trim(),
      choices: type === "choice" ? choices.split(",").flatMap((choice) => choice.trim() || []) : [],
    })),
    open_announcements: form.openAnnouncements,
    recording_mode: form.recordingMode || null,
    purpose: form.purpose,
    asks_consent_for: form.asksConsentFor || null,
    dlt_entity_id: form.dltEntityId.trim() || null,
    dlt_template_id: form.dltTemplateId.trim() || null,
    model_speech: form.modelSpeech,
    approved_answers: form.approvedAnswers.map(({ question, answer, language }) => ({
      question: question.trim(),
      answer: answer.trim(),
      language: language.trim(),
    })),
  };
}

/** Whether the owner has to say why the agent is not promotional any more. */
export const needsPurposeReason = (stored: Pick<Agent, "purpose"> | null, form: AgentForm): boolean =>
  stored?.purpose === "promotional" && form.purpose !== "promotional";

/** Sent with a change; no value of the agent. */
export const reasonOf = (stored: Agent, form: AgentForm) =>
  needsPurposeReason(stored, form) ? { purpose_reason: form.purposeReason.trim() } : {};

/** Placeholders that every call fills; see calls/call/template-values.ts. */
export const ALWAYS_KNOWN = ["user_name", "contact_name", "agent_name", ...KNOWN_NAMES] as const;

/** The value for a name; empty for inherited names such as "constructor". */
export function typedFor(typed: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(typed, name) ? (typed[name] ?? "") : "";
}

export function placeholdersOf(...templates: string[]): string[] {
  const names = templates.flatMap((template) => [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ""));
  return [...new Set(names)];
}

export interface Piece {
  text: string;
  isPlaceholder: boolean;
}

/** Splits the text for highlighting. Every character is in exactly one piece. */
export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ text: template.slice(end, match.index), isPlaceholder: false });
    end = match.index + match[0].length;
    pieces.push({ text: match[0], isPlaceholder: true });
  }
  if (end < template.length) pieces.push({ text: template.slice(end), isPlaceholder: false });
  return pieces;
}
