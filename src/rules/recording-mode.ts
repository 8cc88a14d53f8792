// How a call is recorded: the strictest of the country's and state's rules, the appliance, the organisation and the
// agent.
import { invalidField } from "../core/errors.ts";
import type { RuleQuestion } from "./call-rules.ts";
import { ruleBook } from "./book/embedded-books.ts";
import type { OrganisationChanges } from "./book/rule-book.ts";
import { RECORDING_MODES, strictestMode, type RecordingMode } from "../payloads/lawful.ts";

export interface ModeSources {
  /** `CallRules.recording`: the most lenient mode that country and state allow. */
  rules: RecordingMode;
  /** The setting `recordings.mode`. */
  appliance: RecordingMode;
  /** Null: as the appliance. */
  organisation: RecordingMode | null;
  /** Null: as the organisation. */
  agent: RecordingMode | null;
}

export function recordingModeFor({ rules, appliance, organisation, agent }: ModeSources): RecordingMode {
  return strictestMode([rules, appliance, organisation ?? appliance, agent ?? appliance]);
}

/**
 * The number whose country's rules apply. A caller may call from another country or without a number: then the rules of
 * our own number apply. Null without any rules.
 */
export const numberWithRules = (number: string, ownNumber: string): string | null =>
  [number, ownNumber].find((each) => ruleBook().hasRulesFor(each)) ?? null;

/** The mode that country and state demand. Without any rules the caller is asked. */
export function recordingRule(question: RuleQuestion, ownNumber: string, changes: OrganisationChanges): RecordingMode {
  const number = numberWithRules(question.number, ownNumber);
  return number === null ? "ask" : ruleBook().resolve({ ...question, number }, changes).recording;
}

/** Null or empty: no own mode. */
export function checkedRecordingMode(value: string | null): RecordingMode | null {
  if (value === null || value === "") return null;
  const mode = RECORDING_MODES.find((known) => known === value);
  if (mode === undefined)
    throw invalidField("recording_mode", `recording_mode must be one of ${RECORDING_MODES.join(", ")}, or null.`);
  return mode;
}
