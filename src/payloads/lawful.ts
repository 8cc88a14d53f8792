// Words of the legal rules that rooms, API, events and pages share.

/** Why an agent calls. An agent without a purpose is `service`. */
export const PURPOSES = ["transactional", "service", "promotional"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** How a call is recorded, from lenient to strict. */
export const RECORDING_MODES = ["announce", "ask", "off"] as const;
export type RecordingMode = (typeof RECORDING_MODES)[number];

/** The strictest of these modes. */
export function strictestMode(modes: readonly RecordingMode[]): RecordingMode {
  const strictness = (mode: RecordingMode) => RECORDING_MODES.indexOf(mode);
  return modes.reduce((strictest, mode) => (strictness(mode) > strictness(strictest) ? mode : strictest), "announce");
}

/**
 * What must be said on a call: who calls, that the voice is automatic, that the call is recorded, the number to call
 * back, and how to stop the calls.
 */
export const NOTICE_KINDS = ["caller", "automatic", "recording", "callback", "stop"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A notice that was played on a call. */
export interface NoticeHeard {
  kind: NoticeKind;
  /** Seconds from the answer to the end of the notice; null if it was cut off before its end. */
  heardAt: number | null;
}

/** What came of the recording of a call. */
export interface RecordingReport {
  mode: RecordingMode;
  /** The callee's answer; null if they were not asked or did not answer. */
  consent: "given" | "refused" | "withdrawn" | null;
  /** Seconds from the answer to the first recorded sound; null if nothing was recorded. */
  from: number | null;
  /** Seconds from the answer to the end, where the callee ended it before the call did. */
  until: number | null;
}

/**
 * The facts on which a call was dialled, refused or received: stored in the transaction that decides, part of the
 * proof.
 */
export interface DialBasis {
  /** Version of the rule book; NO_RULES for a received call to which no rules apply. */
  rules: string;
  /** False in a demo: rules are computed and do not hold calls. */
  isEnforced: boolean;
  /** Only where rules are not enforced: what would have held or refused the call. */
  wouldBeHeldBy?: readonly string[];
  purpose: Purpose;
  region: string | null;
  /** IANA zones in which the rules held, and the local time in the first, as YYYY-MM-DDTHH:MM. */
  zones: readonly string[];
  localTime: string;
  /**
   * Calls to the number before this one, with the limits. A callback that the callee requested and a received call are
   * not counted.
   */
  counts: { day: number; week: number; perDay: number | null; perWeek: number | null; isExempt: boolean };
  /** The consent used; null if none was needed. */
  consentId: string | null;
  /** Answer of the organisation's own system; null if none is configured. */
  question: { answer: "go" | "failed_open" | "drop"; at: string } | null;
  recording: RecordingMode;
}

export const NO_RULES = "none";

/** The region of +1 numbers of Canada, and a word among the states of a rule. */
export const CANADA = "Canada";
