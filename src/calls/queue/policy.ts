// Rules that decide whether a call may be dialled or answered now, in order. Pure, and the only place for this
// decision. A refusal ends the call, a hold makes it wait with a reason. dial-facts.ts provides the facts.
import { nextAllowedInstant, type CallingHours } from "../../agents/calling-hours.ts";
import { calleeZones } from "../../core/callee-zone.ts";
import { isInventedNumber } from "../../core/invented-number.ts";
import { costlyKind, costlyWords } from "../../core/costly-numbers.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { RESTORED_HOLD } from "../../db/backup/hold-due-calls.ts";
import type { TrunkLines } from "../../telephony/port.ts";

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

export const HOLD_REASONS = [
  "waiting_for_line",
  "number_in_call",
  "number_lines_busy",
  "outside_calling_hours",
  "agent_has_no_number",
  "number_has_no_trunk",
  "trunk_unavailable",
  "trunk_lines_busy",
  "overloaded",
  CLOCK_NOT_TRUSTED,
  ...PERSON_HOLDS,
  RELEASED,
  CAMPAIGN_PAUSED,
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export type RefusalCode = "insufficient_credits" | "do_not_disturb" | "invalid_number";

/** Free lines, independent of agent and contact. */
export interface LineFacts {
  /** Of this machine and its carrier, across all organisations. */
  freeApplianceLines: number;
  /** Of the organisation's plan. */
  freePlanLines: number;
}

export interface PolicyFacts extends LineFacts {
  now: number;
  contactNumber: string;
  /** Allowed number ranges despite their higher cost; see costly-numbers.ts. */
  allowedRanges: readonly string[];
  /** Calls are simulated; no telephone rings. */
  isSimulated: boolean;
  /** Null if credits are unlimited. */
  creditsLeft: number | null;
  /** Cost of one minute of this call and of every live call of the organisation. */
  creditsNeeded: number;
  isDoNotDisturb: boolean;
  /** False while the machine's clock is not trusted. */
  isClockBelieved: boolean;
  callingHours: CallingHours | null;
  /** Calling hours are shown but not enforced. */
  isDemo?: boolean;
  contactIsInCall: boolean;
  agentHasNumber: boolean;
  /** Of the number that would be used; `trunkLines` is the state of its trunk. */
  freeNumberLines: number;
  trunkLines: TrunkLines;
  /** When the rate limit of released calls admits this call; in the past for all others. */
  turnAt: number;
}

export type Obstacle =
  | { kind: "refuse"; code: RefusalCode; message: string }
  | { kind: "hold"; reason: HoldReason; until: number };

export type Verdict = { kind: "dial" } | Obstacle;

type Rule = (facts: PolicyFacts) => Obstacle | null;

/** Retry interval while waiting for another call's end. Each end also wakes the dispatcher. */
const LOOK_AGAIN_MS = 5 * SECOND_MS;
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
const isPaidFor: Rule = ({ creditsLeft, creditsNeeded }) =>
  creditsLeft !== null && creditsLeft < creditsNeeded ? TOO_FEW_CREDITS : null;
const hasBelievedClock: Rule = (facts) => (facts.isClockBelieved ? null : lookAgain(facts, CLOCK_NOT_TRUSTED));
const isInHours: Rule = (facts) => {
  const at = allowedAt(facts);
  if (at === facts.now) return null;
  return { kind: "hold", reason: "outside_calling_hours", until: at ?? facts.now + HOUR_MS };
};
const hasLineLeft: Rule = (facts) => (hasLine(facts) ? null : lookAgain(facts, "waiting_for_line"));
const hasNumber: Rule = (facts) => (facts.agentHasNumber ? null : lookAgain(facts, "agent_has_no_number"));
const isContactFree: Rule = (facts) => (facts.contactIsInCall ? lookAgain(facts, "number_in_call") : null);
const hasNumberLine: Rule = (facts) =>
  facts.agentHasNumber && facts.freeNumberLines <= 0 ? lookAgain(facts, "number_lines_busy") : null;
const hasTrunkLine: Rule = (facts) => {
  const { now, trunkLines } = facts;
  // Without a usable number there is no trunk to check.
  if (!facts.agentHasNumber || facts.freeNumberLines <= 0) return null;
  if (trunkLines.kind === "closed") {
    return { kind: "hold", reason: trunkLines.reason, until: trunkLines.until ?? now + LOOK_AT_TRUNK_AGAIN_MS };
  }
  return trunkLines.lines <= 0 ? lookAgain(facts, "trunk_lines_busy") : null;
};
const hasTurn: Rule = ({ now, turnAt }) => (turnAt <= now ? null : { kind: "hold", reason: RELEASED, until: turnAt });

const DIAL_RULES: readonly Rule[] = [
  isReal,
  isUndisturbed,
  isAffordable,
  isPaidFor,
  hasBelievedClock,
  isInHours,
  hasLineLeft,
  hasNumber,
  isContactFree,
  hasNumberLine,
  hasTrunkLine,
  hasTurn,
];
/** Inbound calls are answered now or never, and already have a line of the trunk. */
const ARRIVAL_RULES: readonly Rule[] = [isPaidFor, hasLineLeft, hasNumberLine];

/** Whether a call may be dialled now; otherwise the first obstacle. */
export function judge(facts: PolicyFacts): Verdict {
  return firstObstacle(DIAL_RULES, facts) ?? { kind: "dial" };
}

/** All obstacles, in the order of the rules. */
export function obstaclesTo(facts: PolicyFacts): Obstacle[] {
  return DIAL_RULES.map((rule) => rule(facts)).filter((obstacle) => obstacle !== null);
}

/** Independent of other obstacles. */
export function isRefusedForCredits(facts: PolicyFacts): boolean {
  return isPaidFor(facts) !== null;
}

/** Whether an inbound call may be answered. */
export function mayBeTaken(facts: PolicyFacts): boolean {
  return firstObstacle(ARRIVAL_RULES, facts) === null;
}

/** Without a free line no call of the organisation needs to be considered. */
export function hasLine({ freeApplianceLines, freePlanLines }: LineFacts): boolean {
  return freeApplianceLines > 0 && freePlanLines > 0;
}

/** First moment from `now` on within the calling hours; null if there is none. */
export function allowedAt({ callingHours, contactNumber, now, isDemo }: PolicyFacts): number | null {
  return callingHours && !isDemo ? nextAllowedInstant(callingHours, calleeZones(contactNumber), now) : now;
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

function firstObstacle(rules: readonly Rule[], facts: PolicyFacts): Obstacle | null {
  for (const rule of rules) {
    const obstacle = rule(facts);
    if (obstacle) return obstacle;
  }
  return null;
}

function lookAgain({ now }: PolicyFacts, reason: HoldReason): Obstacle {
  return { kind: "hold", reason, until: now + LOOK_AGAIN_MS };
}
