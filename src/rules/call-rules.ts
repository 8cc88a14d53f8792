// The legal rules that apply to one call, resolved from the rule books (config/rules) and the organisation's changes.
import type { Purpose, RecordingMode } from "../payloads/lawful.ts";

export interface RuleQuestion {
  /** E.164. */
  number: string;
  /** Two-letter state for +1; null: from the area code. */
  region: string | null;
  purpose: Purpose;
  /** The callee has agreed to calls of this purpose. */
  hasConsent: boolean;
}

export interface CallRules {
  /** Of the rule book, e.g. `us-2026.11`. */
  version: string;
  country: "IN" | "US";
  /** Two-letter state, or Canada; null if not known. */
  region: string | null;
  /** HH:MM in the callee's time zone; `days` with 0 as Sunday. */
  hours: { start: string; end: string; days: readonly number[] };
  /** Dates without calls, as YYYY-MM-DD, or MM-DD for every year. */
  daysOff: readonly string[];
  /** Most calls to one number across agents and campaigns; null: no limit. */
  perDay: number | null;
  perWeek: number | null;
  needsConsent: boolean;
  /** Prefix that the caller ID must have, e.g. `+91140`; null: any. */
  callerIdPrefix: string | null;
  /** The most lenient mode allowed. */
  recording: RecordingMode;
}
