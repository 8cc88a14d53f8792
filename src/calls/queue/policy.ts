// Rules that decide whether a call may be dialled or answered now, in order. Pure, and the only place for this
// decision. A refusal ends the call, a hold makes it wait with a reason. dial-facts.ts provides the facts.
//
// To add a rule: add its facts, write it as a Rule below, give it a place in DIAL_RULES, and its reason a place in
// HOLD_REASONS or RefusalCode; the compiler then names the texts that are missing.
import { nextAllowedInstant, type OpenHours } from "../../agents/calling-hours.ts";
import { isInventedNumber } from "../../core/invented-number.ts";
import { costlyKind, costlyWords } from "../../core/costly-numbers.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { RESTORED_HOLD } from "../../db/backup/hold-due-calls.ts";
import type { QuestionFact } from "../../rules/question/answer.ts";
import type { TrunkLines } from "../../telephony/port.ts";
import { legallyOpenAt, withinLimitsAt, type LegalFacts } from "./legal-facts.ts";

/** Set and cleared with the pause of a campaign; see campaign-calls-store.ts. */
export const CAMPAIGN_PAUSED = "campaign_paused";

/** No call is dialled while the clock is not trusted after a jump; see scheduler/trusted-clock.ts. */
export const CLOCK_NOT_TRUSTED = "clock_not_trusted";

/** Set by lateness.ts. */
export const OVERDUE = "overdue";
/** Released by a person; the call waits for its turn, see turns.ts. */
export const RELEASED = "released";
/** Holds that only a person ends; see held-calls.ts. */
export const PERSON_HOLDS = [RESTORED_HOLD, OVERDUE] as const;
export type PersonHold = (typeof PERSON_HOLDS)[number];

/** The organisation's own system is being asked; see rules/question. */
export const QUESTION_PENDING = "question_pending";

/** Its lines are in use, or its calls per second are. */
export const TRUNK_LINES_BUSY = "trunk_lines_busy";

export const HOLD_REASONS = [
  "waiting_for_line",
  "number_in_call",
  "number_lines_busy",
  "outside_calling_hours",
  "outside_legal_hours",
  "too_many_calls",
  "agent_has_no_number",
  "caller_id_not_allowed",
  "number_has_no_trunk",
  "trunk_unavailable",
  TRUNK_LINES_BUSY,
  "overloaded",
  CLOCK_NOT_TRUSTED,
  QUESTION_PENDING,
  "question_unanswered",
  "asked_to_wait",
  ...PERSON_HOLDS,
  RELEASED,
  CAMPAIGN_PAUSED,
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** Holds of the law that a time ends. */
export const LEGAL_WAITS = ["outside_legal_hours", "too_many_calls"] as const satisfies readonly HoldReason[];

/** Holds of the law: a time ends them, or another caller ID. */
export const LEGAL_HOLDS = [...LEGAL_WAITS, "caller_id_not_allowed"] as const satisfies readonly HoldReason[];

export const REFUSAL_CODES = [
  "insufficient_credits",
  "do_not_disturb",
  "invalid_number",
  "no_consent",
  "registry_refused",
  "dropped_by_hospital",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Free lines, independent of agent and contact. */
export interface LineFacts {
  /** Of this machine and its carrier, across all organisations. */
  freeApplianceLines: number;
  /** Of the organisation's plan. */
  freePlanLines: number;
}

/** Facts that decide whether an inbound call is answered. */
export interface ArrivalFacts extends LineFacts {
  now: number;
  /** Null if credits are unlimited. */
  creditsLeft: number | null;
  /** Cost of one minute of this call and of every live call of the organisation. */
  creditsNeeded: number;
  agentHasNumber: boolean;
  /** Of the number that would be used; `trunkLines` is the state of its trunk. */
  freeNumberLines: number;
}

/** `moreInMs`: when the trunk's pace allows another call; absent if its number of lines is the limit. */
export type TrunkPlaces = Extract<TrunkLines, { kind: "closed" }> | { kind: "open"; lines: number; moreInMs?: number };

export interface PolicyFacts extends ArrivalFacts {
  contactNumber: string;
  /** Allowed number ranges despite their higher cost; see costly-numbers.ts. */
  allowedRanges: readonly string[];
  /** Calls are simulated; no telephone rings. */
  isSimulated: boolean;
  isDoNotDisturb: boolean;
  /** False while the machine's clock is not trusted. */
  isClockBelieved: boolean;
  callingHours: OpenHours | null;
  /** `rules.enforce`: otherwise calling hours and legal rules are shown and hold nothing. */
  isEnforced: boolean;
  legal: LegalFacts;
  contactIsInCall: boolean;
  trunkLines: TrunkPlaces;
  /** When the rate limit of released calls admits this call; in the past for all others. */
  turnAt: number;
  /** What the organisation's own system says; absent if it is not asked. */
  question?: QuestionFact;
}

export type Obstacle =
  | { kind: "refuse"; code: RefusalCode; message: string }
  | { kind: "hold"; reason: HoldReason; until: number };

export type Verdict = { kind: "dial" } | Obstacle;

type RuleOn<Facts> = (facts: Facts) => Obstacle | null;
type Rule = RuleOn<PolicyFacts>;

/** Retry interval while waiting for another call's end. Each end also wakes the dispatcher. */
const LOOK_AGAIN_MS = 5 * SECOND_MS;
/** Longer than a question takes. Its answer ends the hold; without one, the call is asked about again. */
const QUESTION_HOLD_MS = 10 * SECOND_MS;
/** A trunk may be down for hours with thousands of calls waiting; they are released as soon as it is back. */
const LOOK_AT_TRUNK_AGAIN_MS = MINUTE_MS;

const DO_NOT_DISTURB: Obstacle = {
  kind: "refuse",
  code: "do_not_disturb",
  message: "The number is on the do-not-disturb list.",
};
const TOO_FEW_CREDITS: Obstacle = {
  kind: "refuse",
  code: "insufficient_credits",
  message: "The organisation has too few credits for this call.",
};

const REFUSED_BY_REGISTRY: Obstacle = {
  kind: "refuse",
  code: "registry_refused",
  message: "A registry of numbers that want no promotional calls refused the number.",
};
const NO_CONSENT: Obstacle = {
  kind: "refuse",
  code: "no_consent",
  message: "The callee has not agreed to calls of this purpose, or has withdrawn the consent.",
};

const INVENTED: Obstacle = {
  kind: "refuse",
  code: "invalid_number",
  message: "The number was invented for the demo and is called in simulations alone.",
};

/** Demo contacts stay in the lists when a trunk is set up later. */
const isReal: Rule = ({ isSimulated, contactNumber }) =>
  !isSimulated && isInventedNumber(contactNumber) ? INVENTED : null;
const isUndisturbed: Rule = ({ isDoNotDisturb }) => (isDoNotDisturb ? DO_NOT_DISTURB : null);
/** The call may be older than the rule, or than the removal of its range from the settings. */
const isAffordable: Rule = ({ contactNumber, allowedRanges }) => {
  const kind = costlyKind(contactNumber, allowedRanges);
  return kind === null
    ? null
    : { kind: "refuse", code: "invalid_number", message: `The number is ${costlyWords(kind)}` };
};
const isRegistered: Rule = ({ legal }) =>
  legal.purpose === "promotional" && legal.isRefusedByRegistry ? REFUSED_BY_REGISTRY : null;
const hasConsent: Rule = ({ legal: { rules, consent } }) =>
  consent?.state === "withdrawn" || (rules.needsConsent && consent === null) ? NO_CONSENT : null;
const isPaidFor: RuleOn<ArrivalFacts> = ({ creditsLeft, creditsNeeded }) =>
  creditsLeft !== null && creditsLeft < creditsNeeded ? TOO_FEW_CREDITS : null;
const hasBelievedClock: Rule = (facts) => (facts.isClockBelieved ? null : lookAgain(facts, CLOCK_NOT_TRUSTED));
const isInHours: Rule = (facts) => {
  const at = openAt(facts);
  if (at === facts.now) return null;
  return { kind: "hold", reason: "outside_calling_hours", until: at ?? facts.now + HOUR_MS };
};
const isInLegalHours: Rule = (facts) => {
  const at = legallyOpenAt(facts.legal, facts.now);
  if (at === facts.now) return null;
  return { kind: "hold", reason: "outside_legal_hours", until: at ?? facts.now + HOUR_MS };
};
const isWithinLimits: Rule = (facts) => {
  const at = withinLimitsAt(facts.legal, facts.now);
  if (at === facts.now) return null;
  return { kind: "hold", reason: "too_many_calls", until: at ?? facts.now + HOUR_MS };
};
const hasLineLeft: RuleOn<ArrivalFacts> = (facts) => (hasLine(facts) ? null : lookAgain(facts, "waiting_for_line"));
const hasNumber: Rule = (facts) => (facts.agentHasNumber ? null : lookAgain(facts, "agent_has_no_number"));
/** A person assigns another number, or changes the rule. */
const hasLawfulNumber: Rule = ({ now, agentHasNumber, legal }) =>
  agentHasNumber && !legal.hasLawfulNumber
    ? { kind: "hold", reason: "caller_id_not_allowed", until: now + LOOK_AT_TRUNK_AGAIN_MS }
    : null;
const isContactFree: Rule = (facts) => (facts.contactIsInCall ? lookAgain(facts, "number_in_call") : null);
const hasNumberLine: RuleOn<ArrivalFacts> = (facts) =>
  facts.agentHasNumber && facts.freeNumberLines <= 0 ? lookAgain(facts, "number_lines_busy") : null;
const hasTrunkLine: Rule = (facts) => {
  const { now, trunkLines } = facts;
  // Without a usable number there is no trunk to check.
  if (!facts.agentHasNumber || facts.freeNumberLines <= 0) return null;
  if (trunkLines.kind === "closed") {
    return { kind: "hold", reason: trunkLines.reason, until: trunkLines.until ?? now + LOOK_AT_TRUNK_AGAIN_MS };
  }
  if (trunkLines.lines > 0) return null;
  return { kind: "hold", reason: TRUNK_LINES_BUSY, until: now + (trunkLines.moreInMs ?? LOOK_AGAIN_MS) };
};
const hasTurn: Rule = ({ now, turnAt }) => (turnAt <= now ? null : { kind: "hold", reason: RELEASED, until: turnAt });

/** The last rule: only a call that may go out otherwise is asked about. */
const isAgreed: Rule = ({ now, question }) => {
  if (question === undefined || question.kind === "go" || question.kind === "failed_open") return null;
  if (question.kind === "drop")
    return { kind: "refuse", code: "dropped_by_hospital", message: dropWords(question.reason) };
  if (question.kind === "not_asked") return { kind: "hold", reason: QUESTION_PENDING, until: now + QUESTION_HOLD_MS };
  const reason = question.kind === "wait" ? "asked_to_wait" : "question_unanswered";
  return { kind: "hold", reason, until: question.until };
};
const dropWords = (reason: string) => (reason === "" ? "The hospital's system dropped the call." : reason);

const DIAL_RULES: readonly Rule[] = [
  isReal,
  isUndisturbed,
  isRegistered,
  hasConsent,
  isAffordable,
  isPaidFor,
  hasBelievedClock,
  isInHours,
  isInLegalHours,
  isWithinLimits,
  hasLineLeft,
  hasNumber,
  hasLawfulNumber,
  isContactFree,
  hasNumberLine,
  hasTrunkLine,
  hasTurn,
  isAgreed,
];
/** Applied only if `isEnforced`. */
const LAWFUL_RULES: readonly Rule[] = [
  isRegistered,
  hasConsent,
  isInHours,
  isInLegalHours,
  isWithinLimits,
  hasLawfulNumber,
];
const UNENFORCED_RULES: readonly Rule[] = DIAL_RULES.filter((rule) => !LAWFUL_RULES.includes(rule));
/** Inbound calls are answered now or never, and already have a line of the trunk. */
const ARRIVAL_RULES: readonly RuleOn<ArrivalFacts>[] = [isPaidFor, hasLineLeft, hasNumberLine];

const DIAL: Verdict = { kind: "dial" };

/** Whether a call may be dialled now; otherwise the first obstacle. */
export function judge(facts: PolicyFacts): Verdict {
  for (const rule of dialRules(facts)) {
    const obstacle = rule(facts);
    if (obstacle) return obstacle;
  }
  return DIAL;
}

/** All obstacles, in the order of the rules. */
export function obstaclesTo(facts: PolicyFacts): Obstacle[] {
  return obstaclesAmong(dialRules(facts), facts);
}

/** The obstacles of rules that are not enforced; empty if all are. */
export function obstaclesShown(facts: PolicyFacts): Obstacle[] {
  return facts.isEnforced ? [] : obstaclesAmong(LAWFUL_RULES, facts);
}

export const reasonOf = (obstacle: Obstacle): HoldReason | RefusalCode =>
  obstacle.kind === "refuse" ? obstacle.code : obstacle.reason;

/** Independent of other obstacles. */
export function isRefusedForCredits(facts: ArrivalFacts): boolean {
  return isPaidFor(facts) !== null;
}

/** Whether an inbound call may be answered. */
export function mayBeTaken(facts: ArrivalFacts): boolean {
  return ARRIVAL_RULES.every((rule) => rule(facts) === null);
}

/** Without a free line no call of the organisation needs to be considered. */
export function hasLine({ freeApplianceLines, freePlanLines }: LineFacts): boolean {
  return freeApplianceLines > 0 && freePlanLines > 0;
}

/** First moment from `now` on at which the rules about time allow the call; null if there is none. */
export function allowedAt(facts: PolicyFacts): number | null {
  if (!facts.isEnforced) return facts.now;
  let at = facts.now;
  // Each pass moves to the latest of the three; two for each day of a week cover every overlap.
  for (let pass = 0; pass < 16; pass++) {
    const then = { ...facts, now: at };
    const [open, legallyOpen, withinLimits] = [
      openAt(then),
      legallyOpenAt(facts.legal, at),
      withinLimitsAt(facts.legal, at),
    ];
    if (open === null || legallyOpen === null || withinLimits === null) return null;
    const latest = Math.max(open, legallyOpen, withinLimits);
    if (latest === at) return at;
    at = latest;
  }
  return null;
}

/** Within the hours of agent and campaign. */
function openAt({ callingHours, legal, now }: PolicyFacts): number | null {
  return callingHours ? nextAllowedInstant(callingHours, legal.zones, now) : now;
}

/** Facts for a later day with unknown traffic: ignores obstacles that depend on calls of this moment. */
export function whenLinesAreQuiet(facts: PolicyFacts): PolicyFacts {
  return {
    ...facts,
    freeApplianceLines: Infinity,
    freePlanLines: Infinity,
    contactIsInCall: false,
    freeNumberLines: Infinity,
    trunkLines: { kind: "open", lines: Infinity },
    turnAt: facts.now,
  };
}

const dialRules = ({ isEnforced }: PolicyFacts): readonly Rule[] => (isEnforced ? DIAL_RULES : UNENFORCED_RULES);

/** In the order of the rules. */
const obstaclesAmong = (rules: readonly Rule[], facts: PolicyFacts): Obstacle[] =>
  rules.map((rule) => rule(facts)).filter((obstacle) => obstacle !== null);

function lookAgain({ now }: ArrivalFacts, reason: HoldReason): Obstacle {
  return { kind: "hold", reason, until: now + LOOK_AGAIN_MS };
}
