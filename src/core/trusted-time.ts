// Trust in the wall clock, and the time to use while it is not trusted. A clock jump must not dial or erase anything
// early. The wall clock must therefore agree with the elapsed time since it was last trusted, or be steady for a day,
// or be confirmed. Pure: readings in, state out.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./clock.ts";

export interface ClockReading {
  /** Milliseconds since the Unix epoch, by a clock that can be set. */
  wallMs: number;
  /** Monotonic milliseconds, including suspend where known. */
  elapsedMs: number;
}

/** A trusted reading. `isMeasured`: the elapsed time since then is known, because the machine was not restarted. */
interface Anchor extends ClockReading {
  isMeasured: boolean;
}

/** The state of an earlier run. */
export interface KnownTime {
  at: number;
  /** Null if the machine was restarted since: then a clock set forward looks the same as a machine that was off. */
  passedMs: number | null;
  /** How long the clock must have been steady before data is erased by age. */
  neededMs: number;
}

export interface TrustedTime {
  readonly anchor: Anchor;
  readonly last: ClockReading;
  /** How long the wall clock has advanced at the rate of elapsed time, without a step. */
  readonly steadyMs: number;
  /** How long it must have been steady before data is erased by age. */
  readonly neededMs: number;
}

export interface ClockVerdict {
  /** Old data may be erased by age. */
  isTrusted: boolean;
  /** Calls may go out. */
  mayDial: boolean;
  /** The clock differs from the expected time. */
  isDoubted: boolean;
  /**
   * How far the wall clock is from the expected time; negative if it is behind. After a restart, how long the machine
   * was off.
   */
  aheadMs: number;
  /** Remaining wait until old data is erased, and until calls go out, if the clock stays steady. */
  waitMs: number;
  waitToDialMs: number;
}

/**
 * Time servers correct a clock by less than this in one step, and drift between two checks (30 s) is a few
 * milliseconds.
 */
export const STEP_TOLERANCE_MS = MINUTE_MS;
/** Clocks drift and are slewed by at most 500 ppm: twice that is tolerated. */
const DRIFT_TOLERANCE = 0.001;
/**
 * Tolerance for a paused virtual machine or a slightly wrong clock: calls go out at most this much too early or late.
 */
const MOST_OFF_MS = 5 * MINUTE_MS;
/** A machine that has just started may not have synchronised with its time server yet. */
export const SETTLING_MS = 10 * MINUTE_MS;
/** The same for calls, which are more urgent than erasing. Time servers are queried within the first minute. */
export const SETTLING_TO_DIAL_MS = 2 * MINUTE_MS;
/** Upper bound for an ordinary restart of the machine. */
const RESTART_MS = 10 * MINUTE_MS;
/** A wrong clock is noticed and corrected within a day, by a time server or by a person whose calls do not go out. */
export const PROVING_MS = DAY_MS;
/** Powered off over a long weekend. Calls due meanwhile are overdue, which does not concern the clock. */
const MOST_OFF_DUTY_MS = 4 * DAY_MS;
/** Erased data cannot be recovered, so for erasing only one night off is ordinary. */
const NIGHT_MS = DAY_MS;

/** `steadyMs`: the steady time that an earlier run has already observed on the same clock. */
export function beginTrustedTime(reading: ClockReading, known: KnownTime | null, steadyMs = 0): TrustedTime {
  if (known === null) {
    return { anchor: { ...reading, isMeasured: true }, last: reading, steadyMs, neededMs: SETTLING_MS };
  }
  const { at, passedMs, neededMs } = known;
  const anchor = { wallMs: at, elapsedMs: reading.elapsedMs - (passedMs ?? 0), isMeasured: passedMs !== null };
  return observeClock({ anchor, last: reading, steadyMs, neededMs }, reading);
}

/**
 * How long the clock of an earlier run must be steady before data is erased, if that run had not reached that point.
 */
export function neededAfter(believedAt: number | null, keptAt: number): number {
  if (believedAt === keptAt) return 0;
  return believedAt !== null && keptAt - believedAt > NIGHT_MS + HOUR_MS ? PROVING_MS : SETTLING_MS;
}

/** A person confirms that the wall clock was right at `believedAt`, a moment ago. */
export function confirmClock(state: TrustedTime, believedAt: number): TrustedTime {
  const anchor = { wallMs: believedAt, elapsedMs: state.last.elapsedMs, isMeasured: true };
  return observeClock({ ...state, anchor, neededMs: 0 }, state.last);
}

export function observeClock(state: TrustedTime, reading: ClockReading): TrustedTime {
  const passedMs = reading.elapsedMs - state.last.elapsedMs;
  const stepMs = reading.wallMs - state.last.wallMs - passedMs;
  const isSteady = Math.abs(stepMs) <= STEP_TOLERANCE_MS + passedMs * DRIFT_TOLERANCE;
  const next = { ...state, last: reading, steadyMs: isSteady ? state.steadyMs + passedMs : 0 };
  const verdict = clockVerdict(next);
  // An acceptable step: calls continue, and erasing waits until the clock has settled.
  const hasMoved = !isSteady && !verdict.isDoubted && Math.abs(verdict.aheadMs) > STEP_TOLERANCE_MS;
  if (hasMoved) return { ...next, neededMs: Math.max(next.neededMs, SETTLING_MS) };
  if (!verdict.mayDial || (next.anchor.isMeasured && !verdict.isTrusted)) return next;
  return { ...next, anchor: { ...reading, isMeasured: true }, neededMs: verdict.isTrusted ? 0 : neededToErase(next) };
}

const aheadOf = ({ anchor, last }: TrustedTime): number =>
  last.wallMs - anchor.wallMs - (last.elapsedMs - anchor.elapsedMs);

function isOff({ anchor, last }: TrustedTime, aheadMs: number): boolean {
  const driftMs = (last.elapsedMs - anchor.elapsedMs) * DRIFT_TOLERANCE;
  return aheadMs > (anchor.isMeasured ? MOST_OFF_MS : MOST_OFF_DUTY_MS) + driftMs || aheadMs < -MOST_OFF_MS - driftMs;
}

function neededToErase(state: TrustedTime): number {
  const aheadMs = aheadOf(state);
  if (isOff(state, aheadMs)) return PROVING_MS;
  if (state.anchor.isMeasured) return state.neededMs;
  return Math.max(state.neededMs, aheadMs > NIGHT_MS ? PROVING_MS : SETTLING_MS);
}

function neededToDial(state: TrustedTime): number {
  const aheadMs = aheadOf(state);
  if (isOff(state, aheadMs)) return PROVING_MS;
  return state.anchor.isMeasured || aheadMs <= RESTART_MS ? 0 : SETTLING_TO_DIAL_MS;
}

export function clockVerdict(state: TrustedTime): ClockVerdict {
  const { steadyMs } = state;
  const aheadMs = aheadOf(state);
  const waitMs = Math.max(0, neededToErase(state) - steadyMs);
  const waitToDialMs = Math.max(0, neededToDial(state) - steadyMs);
  const mayDial = waitToDialMs === 0;
  return {
    isTrusted: waitMs === 0,
    mayDial,
    isDoubted: !mayDial && isOff(state, aheadMs),
    aheadMs,
    waitMs,
    waitToDialMs,
  };
}

/**
 * The time for planning and for judging ages: the wall clock while it is trusted, otherwise the last trusted time plus
 * the elapsed time. After a restart of the machine, this is a lower bound.
 */
export function keptTime(state: TrustedTime): number {
  return clockVerdict(state).isDoubted ? continuedTime(state, state.last) : state.last.wallMs;
}

/** The appliance's time at a reading while the clock is not trusted. */
export function continuedTime({ anchor }: TrustedTime, { wallMs, elapsedMs }: ClockReading): number {
  const kept = anchor.wallMs + (elapsedMs - anchor.elapsedMs);
  return anchor.isMeasured ? kept : Math.max(kept, wallMs);
}
