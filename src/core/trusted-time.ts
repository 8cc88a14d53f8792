// Whether the wall clock may be believed. What is erased by age cannot be brought back, so before it is, the wall clock has to
// agree with the time that has passed since it was last believed, or to have been steady for long. Pure: readings in, state out.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./clock.ts";

export interface ClockReading {
  /** Milliseconds since the Unix epoch, by a clock that anybody may set. */
  wallMs: number;
  /** Milliseconds that only ever grow; see Clock.elapsedMs. */
  elapsedMs: number;
}

/** A reading that was believed. Of one from an earlier run it is not known how much time has passed since. */
interface Anchor extends ClockReading {
  isOfThisRun: boolean;
}

export interface TrustedTime {
  /** Null where nothing is known: the first start on an empty database. */
  readonly anchor: Anchor | null;
  readonly last: ClockReading;
  /** How long the wall clock has moved as fast as time passes, without a step. */
  readonly steadyMs: number;
}

export type ClockVerdict =
  | { isTrusted: true }
  /** `aheadMs`: how far the wall clock is from where it should be; negative where it is behind. `waitMs` is left to wait. */
  | { isTrusted: false; isDoubted: boolean; aheadMs: number; waitMs: number };

/** Time servers correct a clock by less than this in a step, and drift between two looks (30 s) is a few milliseconds. */
const STEP_TOLERANCE_MS = MINUTE_MS;
/** Clocks drift and are corrected slowly, by at most 500 ppm: twice that is no disagreement. */
const DRIFT_TOLERANCE = 0.001;
/** A machine that has just started may not have heard of its time server yet. */
export const SETTLING_MS = 10 * MINUTE_MS;
/** A wrong clock is noticed and set right within a day, by a time server or by a person whose calls are at odd times. */
export const PROVING_MS = DAY_MS;
/** A running machine that slept, or whose clock was a little wrong: at worst things are erased this much too early. */
const MOST_AHEAD_RUNNING_MS = HOUR_MS;
/** Between two runs nobody can tell a clock set forward from a machine that was off: a night off is ordinary. */
const MOST_AHEAD_AFTER_START_MS = DAY_MS;
const MOST_BEHIND_MS = HOUR_MS;

/** `steadyMs` is what an earlier run had seen already of the clock that this one goes on with. */
export function beginTrustedTime(reading: ClockReading, believedAt: number | null, steadyMs = 0): TrustedTime {
  const anchor = believedAt === null ? null : storedAnchor(believedAt, reading);
  return { anchor, last: reading, steadyMs };
}

/** Somebody who knows says that the wall clock was right at `believedAt`, and that was a moment ago. */
export function confirmClock(state: TrustedTime, believedAt: number): TrustedTime {
  const anchor = storedAnchor(believedAt, state.last);
  return { ...state, anchor, steadyMs: Math.max(state.steadyMs, SETTLING_MS) };
}

function storedAnchor(believedAt: number, { elapsedMs }: ClockReading): Anchor {
  return { wallMs: believedAt, elapsedMs, isOfThisRun: false };
}

export function observeClock(state: TrustedTime, reading: ClockReading): TrustedTime {
  const passedMs = reading.elapsedMs - state.last.elapsedMs;
  const stepMs = reading.wallMs - state.last.wallMs - passedMs;
  const isSteady = Math.abs(stepMs) <= STEP_TOLERANCE_MS + passedMs * DRIFT_TOLERANCE;
  const next = { anchor: state.anchor, last: reading, steadyMs: isSteady ? state.steadyMs + passedMs : 0 };
  if (!clockVerdict(next).isTrusted) return next;
  return { ...next, anchor: { ...reading, isOfThisRun: true } };
}

export function clockVerdict({ anchor, last, steadyMs }: TrustedTime): ClockVerdict {
  const passedMs = anchor ? last.elapsedMs - anchor.elapsedMs : 0;
  const aheadMs = anchor ? last.wallMs - anchor.wallMs - passedMs : 0;
  // Back where it should be by the time that has passed: a clock that was wrong for a while has been set right.
  const isWhereExpected =
    anchor?.isOfThisRun === true && Math.abs(aheadMs) <= STEP_TOLERANCE_MS + passedMs * DRIFT_TOLERANCE;
  const mostAheadMs = anchor?.isOfThisRun ? MOST_AHEAD_RUNNING_MS : MOST_AHEAD_AFTER_START_MS;
  const isDoubted = aheadMs > mostAheadMs || aheadMs < -MOST_BEHIND_MS;
  const neededMs = isWhereExpected ? 0 : isDoubted ? PROVING_MS : SETTLING_MS;
  if (steadyMs >= neededMs) return { isTrusted: true };
  return { isTrusted: false, isDoubted, aheadMs, waitMs: neededMs - steadyMs };
}
