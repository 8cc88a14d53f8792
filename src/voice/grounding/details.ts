// Grounding check for a field value from a model: accepted if the quoted utterance says it, otherwise null.
import type { AnalysisField } from "../../payloads/analysis-field.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import { understand } from "../understanding/understand.ts";
import { agentBefore } from "./agent-before.ts";
import { clausesOf } from "./clauses.ts";
import { isNumberSaid, isQuoted } from "./quoted.ts";
import { isAboutField, yesNoSaid } from "./yes-no.ts";

export type FieldValue = string | number | boolean | null;

export interface SpokenRecord {
  transcript: readonly Utterance[];
  /** Date of the call, YYYY-MM-DD. */
  date: string;
  language: string;
}

/** Whether the callee says `value` in the utterance at this index. */
export function isSaidIn(field: AnalysisField, value: FieldValue, index: number, record: SpokenRecord): boolean {
  const { transcript, language } = record;
  const utterance = transcript[index];
  if (!utterance || utterance.speaker === "agent" || value === null) return false;
  const { text } = utterance;
  const before = agentBefore(transcript, index);
  switch (field.type) {
    case "text":
      return isQuoted(String(value), text);
    case "number":
      return isNumberSaid(Number(value), text) && isAboutField(field, `${before} ${text}`);
    case "yes_no":
      return yesNoSaid(field, text, before, language) === value;
    case "date":
      return isDateSaid(String(value), text, record);
    case "choice":
      return (
        isQuoted(String(value), text) || (isNone(String(value)) && yesNoSaid(field, text, before, language) === false)
      );
  }
}

const isNone = (choice: string): boolean => /^(?:no|none|nothing|neither)$/i.test(choice.trim());

function isDateSaid(value: string, text: string, { date, language }: SpokenRecord): boolean {
  const isPlain = clausesOf(text).every(({ isQuestion, qualifiers }) => !isQuestion && qualifiers.length === 0);
  const hearing = {
    expecting: "day_or_time" as const,
    offers: [],
    today: date,
    nowTime: "00:00",
    lastOffered: null,
    language,
  };
  const { moment } = understand(text, hearing);
  return isPlain && moment?.date === value && moment.dateEnd === null && !moment.conflict;
}
