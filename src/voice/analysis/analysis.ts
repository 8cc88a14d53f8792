// What is written down of a call: by the rules, which know what really happened, and by a language model, which knows what was
// said. Where the two meet, the rules count.
import type { AnalysisField } from "../../payloads/analysis-field.ts";
import type { CallAnalytics } from "../../payloads/conversation.ts";
import { notedValues, type ModelAnalysis } from "./answer.ts";

export interface Findings {
  analytics: CallAnalytics | null;
  extractedDetails: Record<string, unknown> | null;
}

/** Outcomes that say no more than that the rules found none. */
const OPEN_OUTCOMES: readonly unknown[] = ["none", "unsettled", "acknowledged"];
/** Ends by which the rules tell nothing of what was wanted. */
const OPEN_ENDS: readonly CallAnalytics["disposition"][] = ["ended_by_customer", "session_ended"];

/** Without a model: the fields that were asked for are there, and empty unless the call itself filled them in. */
export function byRules(rules: Findings, fields: readonly AnalysisField[]): Findings {
  return { analytics: rules.analytics, extractedDetails: detailsOf(rules, fields, null) };
}

export function withModel(rules: Findings, model: ModelAnalysis, fields: readonly AnalysisField[]): Findings {
  const { analytics } = rules;
  return {
    analytics: analytics === null ? withoutFacts(model) : merged(analytics, model, isSettled(rules)),
    extractedDetails: detailsOf(rules, fields, model),
  };
}

/** What was booked, moved, cancelled, agreed to or refused is known from what was done, and not from what was said. */
function isSettled({ extractedDetails }: Findings): boolean {
  const outcome = extractedDetails?.["answer"] ?? extractedDetails?.["keypad_answer"];
  return outcome !== undefined && !OPEN_OUTCOMES.includes(outcome);
}

function merged(rules: CallAnalytics, model: ModelAnalysis, settled: boolean): CallAnalytics {
  const isOpenEnd = !settled && OPEN_ENDS.includes(rules.disposition);
  const hasSteps = settled && rules.next_steps !== "None.";
  return {
    summary: settled ? joined(rules.summary, model.summary) : model.summary,
    sentiment: settled && rules.sentiment === "negative" ? "negative" : model.sentiment,
    next_steps: (hasSteps ? joined(rules.next_steps, model.next_steps) : model.next_steps) || rules.next_steps,
    disposition: isOpenEnd && model.disposition === "not_interested" ? "not_interested" : rules.disposition,
  };
}

/** An agent that made nothing of its call: what only the appliance could know did not happen. */
function withoutFacts({ summary, sentiment, next_steps, disposition }: ModelAnalysis): CallAnalytics {
  return {
    summary,
    sentiment,
    next_steps: next_steps || "None.",
    disposition: disposition === "not_interested" ? disposition : "session_ended",
  };
}

const joined = (...sentences: string[]): string => sentences.filter((sentence) => sentence !== "").join(" ");

function detailsOf(
  { extractedDetails }: Findings,
  fields: readonly AnalysisField[],
  model: ModelAnalysis | null,
): Record<string, unknown> | null {
  if (fields.length === 0) return extractedDetails;
  const noted = notedValues(extractedDetails ?? {}, fields);
  const found = fields.map(({ name }) => [name, model?.details[name] ?? noted[name] ?? null] as const);
  return { ...extractedDetails, ...Object.fromEntries(found) };
}
