// The rules of law for one call, and when they allow it. Pure.
import { nextAllowedInstant } from "../../agents/calling-hours.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import type { CallRules } from "../../rules/call-rules.ts";
import { allowedByLimits } from "./call-limits.ts";

/** The rules of the callee's country and state, and what they depend on. */
export interface LegalFacts {
  rules: CallRules;
  purpose: Purpose;
  /** Every zone the callee may be in. */
  zones: readonly string[];
  /** When the number was dialled in the last eight days, over all agents and campaigns. */
  dials: readonly number[];
  /** The callee asked for this call: it is not counted and does not wait for the limits. */
  isRequested: boolean;
  /** `withdrawn` forbids the call even where no consent is needed. */
  consent: { id: string | null; state: "given" | "withdrawn" } | null;
  /** Refused by a registry for promotional calls. */
  isRefusedByRegistry: boolean;
  /** The agent has a number that the rules allow as caller ID. */
  hasLawfulNumber: boolean;
}

/** First moment from `now` on within the legal hours; null if there is none. */
export function legallyOpenAt({ rules, zones }: LegalFacts, now: number): number | null {
  return nextAllowedInstant({ ...rules.hours, daysOff: rules.daysOff }, zones, now);
}

/** First moment from `now` on at which the limits of calls to the number allow the call; null if there is none. */
export function withinLimitsAt({ rules, zones, dials, isRequested }: LegalFacts, now: number): number | null {
  return isRequested ? now : allowedByLimits(rules, dials, zones, now);
}
