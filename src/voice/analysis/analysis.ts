// Analysis of a call, from two sources: the rules, which know what was done, and a language model, which reads what was
// said. A part of the model's answer is used only if it quotes the callee and does not contradict the rules. Each part
// is labelled with its source.
import type { AnalysisField } from "../../payloads/analysis-field.ts";
import type { AnalysisSource, CallAnalytics } from "../../payloads/conversation.ts";
import { SURE, saysIn } from "../grounding/said-intents.ts";
import { isSaidIn, type FieldValue, type SpokenRecord } from "../grounding/details.ts";
import { groundedSentences, MOST_SENTENCES, sentencesOf } from "../grounding/summary.ts";
import { notedValues, type ModelAnalysis, type NextStep, type Quoted } from "./answer.ts";

export interface Findings {
  analytics: CallAnalytics | null;
  extractedDetails: Record<string, unknown> | null;
  /** Details noted by a model during the call, by name. */
  modelDetails?: readonly string[];
}

/** Stored and reported result of the analysis. */
export interface Found extends Pick<Findings, "analytics" | "extractedDetails"> {
  source: AnalysisSource | null;
}

/** Outcomes that mean the rules found no result. */
const OPEN_OUTCOMES: readonly unknown[] = ["none", "unsettled", "acknowledged"];
/** Dispositions from which the rules cannot derive the callee's wish. */
const OPEN_ENDS: readonly CallAnalytics["disposition"][] = ["ended_by_customer", "session_ended"];

const STEPS: Readonly<Record<NextStep, string>> = {
  none: "",
  call_contact: "Call the contact.",
  answer_question: "Answer the contact's question. It is in the transcript.",
  find_time: "Find another time with the contact.",
  read_transcript: "Read the transcript.",
};

/** Without a model: the configured fields exist, and are null unless the call itself filled them. */
export function byRules(rules: Findings, fields: readonly AnalysisField[]): Found {
  const extractedDetails = detailsOf(rules, fields, {});
  return { analytics: rules.analytics, extractedDetails, source: sourceOf(rules, extractedDetails, RULES, {}) };
}

export function withModel(
  rules: Findings,
  model: ModelAnalysis,
  fields: readonly AnalysisField[],
  record: SpokenRecord,
): Found {
  const quoted = quotedDetails(model, fields, record);
  const extractedDetails = detailsOf(rules, fields, quoted);
  const { analytics, by } = merged(rules, model, record);
  return { analytics, extractedDetails, source: sourceOf(rules, extractedDetails, by, quoted) };
}

type Sources = Omit<AnalysisSource, "details">;
const RULES: Sources = { summary: "rules", sentiment: "rules", next_steps: "rules", disposition: "rules" };

/** Bookings, changes, cancellations, agreements and refusals come from recorded actions, never from words. */
function outcomeOf({ extractedDetails }: Findings): string {
  const answer = extractedDetails?.["answer"] ?? extractedDetails?.["keypad_answer"];
  return typeof answer === "string" ? answer : "none";
}

function merged(
  rules: Findings,
  model: ModelAnalysis,
  record: SpokenRecord,
): { analytics: CallAnalytics; by: Sources } {
  const known = rules.analytics ?? UNKNOWN;
  const outcome = outcomeOf(rules);
  const isSettled = !OPEN_OUTCOMES.includes(outcome);
  const heard = record.transcript.filter(({ speaker }) => speaker !== "agent").map(({ text }) => text);
  const told = groundedSentences(model.summary, heard, outcome);
  // Nothing was settled: the summary states who was called, then what they said.
  const first = sentencesOf(known.summary).slice(0, isSettled || told.length === 0 ? MOST_SENTENCES : 1);
  const added = told.slice(0, MOST_SENTENCES - first.length);
  const isNegative = isSettled && known.sentiment === "negative";
  const step = STEPS[model.next_steps];
  const hasSteps = isSettled && known.next_steps !== "None.";
  const isRefusal =
    !isSettled &&
    OPEN_ENDS.includes(known.disposition) &&
    model.disposition === "not_interested" &&
    heard.some((text) => saysIn(text, record.language, ["not_interested", "do_not_call"]) >= SURE);
  return {
    analytics: {
      summary: [...first, ...added].join(" "),
      sentiment: isNegative ? "negative" : model.sentiment,
      next_steps: hasSteps || step === "" ? known.next_steps : step,
      disposition: isRefusal ? "not_interested" : known.disposition,
    },
    by: {
      summary: added.length > 0 ? "model" : "rules",
      sentiment: isNegative ? "rules" : "model",
      next_steps: hasSteps || step === "" ? "rules" : "model",
      disposition: isRefusal ? "model" : "rules",
    },
  };
}

/** Default for an agent that returned no analytics. */
const UNKNOWN: CallAnalytics = {
  summary: "The call was answered.",
  sentiment: "neutral",
  next_steps: "None.",
  disposition: "session_ended",
};

function quotedDetails(
  model: ModelAnalysis,
  fields: readonly AnalysisField[],
  record: SpokenRecord,
): Record<string, Quoted> {
  const said = fields.flatMap((field): [string, Quoted][] => {
    const quoted = model.details[field.name] ?? null;
    return quoted && isSaidIn(field, quoted.value, quoted.saidIn, record) ? [[field.name, quoted]] : [];
  });
  return Object.fromEntries(said);
}

function detailsOf(
  { extractedDetails }: Findings,
  fields: readonly AnalysisField[],
  quoted: Readonly<Record<string, Quoted>>,
): Record<string, unknown> | null {
  if (fields.length === 0) return extractedDetails;
  const noted = notedValues(extractedDetails ?? {}, fields);
  const found = fields.map(({ name }): [string, FieldValue] => [name, quoted[name]?.value ?? noted[name] ?? null]);
  return { ...extractedDetails, ...Object.fromEntries(found) };
}

function sourceOf(
  { modelDetails = [] }: Findings,
  details: Readonly<Record<string, unknown>> | null,
  by: Sources,
  quoted: Readonly<Record<string, Quoted>>,
): AnalysisSource {
  const each = Object.entries(details ?? {}).map(([name, value]): [string, AnalysisSource["details"][string]] => {
    const isModels = value !== null && (name in quoted || modelDetails.includes(name));
    return [name, { source: isModels ? "model" : "rules", utterance: quoted[name]?.saidIn ?? null }];
  });
  return { ...by, details: Object.fromEntries(each) };
}
