// Schema and validation of a language model's analysis. Values that do not match are dropped.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { oneOf } from "../../core/schema.ts";
import type { AnalysisField } from "../../payloads/analysis-field.ts";
import { DISPOSITIONS, SENTIMENTS } from "../../payloads/conversation.ts";
import type { FieldValue } from "../grounding/details.ts";

/** Next steps a model may recommend; analysis.ts has the wording of each. */
const NEXT_STEPS = ["none", "call_contact", "answer_question", "find_time", "read_transcript"] as const;
export type NextStep = (typeof NEXT_STEPS)[number];

const AnswerSchema = Type.Object({
  summary: Type.String({ minLength: 1 }),
  sentiment: oneOf(SENTIMENTS),
  next_steps: oneOf(NEXT_STEPS),
  disposition: oneOf(DISPOSITIONS),
  details: Type.Record(Type.String(), Type.Unknown()),
});

/** A value with the index of the utterance it comes from. */
export interface Quoted {
  value: FieldValue;
  saidIn: number;
}

export type ModelAnalysis = Omit<Static<typeof AnswerSchema>, "details"> & {
  /** All configured fields; null if not said or not quoted. */
  details: Record<string, Quoted | null>;
};

const LONGEST_SUMMARY = 1_200;
const LONGEST_TEXT = 500;

/** Null if the text is not the requested JSON. A detail of the wrong type counts as not said. */
export function readAnswer(text: string, fields: readonly AnalysisField[]): ModelAnalysis | null {
  const answer = parsed(text);
  if (!Value.Check(AnswerSchema, answer)) return null;
  const summary = plain(answer.summary, LONGEST_SUMMARY);
  if (summary === "") return null;
  return {
    summary,
    sentiment: answer.sentiment,
    next_steps: answer.next_steps,
    disposition: answer.disposition,
    details: quotedValues(answer.details, fields),
  };
}

/** Each as `{ value, said_in }`; a value without an utterance counts as not said. */
function quotedValues(
  given: Readonly<Record<string, unknown>>,
  fields: readonly AnalysisField[],
): Record<string, Quoted | null> {
  const quoted = (field: AnalysisField): Quoted | null => {
    const one = Object.hasOwn(given, field.name) ? given[field.name] : null;
    if (!Value.Check(QuotedSchema, one)) return null;
    const value = fitting(field, one.value);
    return value === null ? null : { value, saidIn: one.said_in };
  };
  return Object.fromEntries(fields.map((field) => [field.name, quoted(field)]));
}

const QuotedSchema = Type.Object({ value: Type.Unknown(), said_in: Type.Integer({ minimum: 0 }) });

/** Picks the known fields; each has a value of its type, or null. */
export function fieldValues(
  given: Readonly<Record<string, unknown>>,
  fields: readonly AnalysisField[],
): Record<string, FieldValue> {
  return Object.fromEntries(
    fields.map((field) => [field.name, Object.hasOwn(given, field.name) ? fitting(field, given[field.name]) : null]),
  );
}

/** Details noted during the call are text, whatever their type. */
export function notedValues(
  noted: Readonly<Record<string, unknown>>,
  fields: readonly AnalysisField[],
): Record<string, FieldValue> {
  const typed = fields.map((field): [string, unknown] => {
    const value = Object.hasOwn(noted, field.name) ? noted[field.name] : null;
    return [field.name, typeof value === "string" ? fromText(field, value.trim()) : value];
  });
  return fieldValues(Object.fromEntries(typed), fields);
}

function fromText({ type, choices }: AnalysisField, text: string): unknown {
  const small = text.toLowerCase();
  if (type === "number") return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
  if (type === "yes_no")
    return small === "yes" || small === "true" || (small === "no" || small === "false" ? false : null);
  if (type === "choice") return choices.find((choice) => choice.toLowerCase() === small) ?? null;
  return text;
}

function fitting({ type, choices }: AnalysisField, value: unknown): FieldValue {
  switch (type) {
    case "text":
      return typeof value === "string" ? plain(value, LONGEST_TEXT) || null : null;
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : null;
    case "yes_no":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" && isDate(value) ? value : null;
    case "choice":
      return choices.find((choice) => choice === value) ?? null;
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Collapses the text to one line without control characters. */
function plain(text: string, most: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();
}

/** Reasoning models think aloud before the answer, and some wrap it in a code fence. */
function parsed(text: string): unknown {
  const said = text.replace(/^\s*<think>[\s\S]*?<\/think>/, "").trim();
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(said)?.[1];
  try {
    return JSON.parse(fenced ?? said);
  } catch {
    return null;
  }
}

/** The same as JSON Schema, for servers with constrained output. */
export function answerSchema(fields: readonly AnalysisField[]): Record<string, unknown> {
  const details = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]));
  return object({
    summary: { type: "string", description: "What came of the call, in two or three sentences." },
    sentiment: { type: "string", enum: SENTIMENTS },
    next_steps: { type: "string", enum: NEXT_STEPS },
    disposition: { type: "string", enum: DISPOSITIONS },
    details: object(details),
  });
}

function object(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const JSON_TYPES = { text: "string", number: "number", yes_no: "boolean", date: "string", choice: "string" } as const;

function fieldSchema({ type, description, choices }: AnalysisField): Record<string, unknown> {
  const value = {
    type: [JSON_TYPES[type], "null"],
    description: type === "date" ? `${description} As YYYY-MM-DD.`.trim() : description,
    ...(type === "choice" && { enum: [...choices, null] }),
  };
  return object({ value, said_in: { type: ["integer", "null"], description: "Index of the callee's utterance." } });
}
