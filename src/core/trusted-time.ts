// Whether the wall clock may be believed, and what time it is meanwhile. A jump of the clock must dial nothing early
// and erase nothing early, so the wall clock has to agree with the time that has passed since it was last believed, or
// to have been steady for a day, or to be confirmed. Pure: readings in, state out.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./clock.ts";

export interface ClockReading {
  /** Milliseconds since the Unix epoch, by a clock that anybody may set. */
  wallMs: number;
  /** Milliseconds that only ever grow, sleep of the machine included where that is known. */
  elapsedMs: number;
}

/**
 * A reading that was believed. `isMeasured`: the elapsed time since then is known, because the machine was not
 * restarted.
 */
interface Anchor extends ClockReading {
  isMeasured: boolean;
}

/** What an earlier run believed. */
export interface KnownTime {
  at: number;
  /** Null where the machine was restarted since: nobody can tell a clock set forward from a machine that was off. */
  passedMs: number | null;
  /** How long the clock must have been steady before anything is erased by age. */
  neededMs: number;
}

export interface TrustedTime {
  readonly anchor: Anchor;
  readonly last: ClockReading;
  /** How long the wall clock has moved as fast as time passes, without a step. */
  readonly steadyMs: number;
  /** How long it must have been steady before anything is erased by age. */
  readonly neededMs: number;
}

export interface ClockVerdict {
  /** Old data may be erased by its age. */
  isTrusted: boolean;
  /** Calls may go out. */
  mayDial: boolean;
  /** The clock is not where it should be. */
  isDoubted: boolean;
  /**
   * How far the wall clock is from where it should be; negative where it is behind. After a restart, how long the
   * machine was off.
   */
  aheadMs: number;
  /** Left to wait until old data is erased, and until calls go out, if the clock stays steady. */
  waitMs: number;
  waitToDialMs: number;
}

/**
 * Time servers correct a clock by less than this in a step, and drift between two looks (30 s) is a few milliseconds.
 */
export const STEP_TOLERANCE_MS = MINUTE_MS;
/** Clocks drift and are corrected slowly, by at most 500 ppm: twice that is no disagreement. */
const DRIFT_TOLERANCE = 0.001;
/**
 * A virtual machine that was paused, or a clock that was a little wrong: calls go out this much too early or late at
 * worst.
 */
const MOST_OFF_MS = 5 * MINUTE_MS;
/** A machine that has just started may not have heard of its time server yet. */
export const SETTLING_MS = 10 * MINUTE_MS;
/** The same for calls, which cannot wait as long as erasing can: time servers are asked within the first minute. */
export const SETTLING_TO_DIAL_MS = 2 * MINUTE_MS;
/** An ordinary restart of the machine takes no longer. */
const RESTART_MS = 10 * MINUTE_MS;
/** A wrong clock is noticed and set right within a day, by a time server or by a person whose calls do not go out. */
export const PROVING_MS = DAY_MS;
/** A long weekend off. Calls that were due meanwhile are overdue, and no matter of the clock. */
const MOST_OFF_DUTY_MS = 4 * DAY_MS;
/** What is erased cannot be brought back: only a night off is ordinary there. */
const NIGHT_MS = DAY_MS;

/** `steadyMs` is what an earlier run had seen already of the clock that this one goes on with. */
export function beginTrustedTime(reading: ClockReading, known: KnownTime | null, steadyMs = 0): TrustedTime {
  if (known === null) {
    return { anchor: { ...reading, isMeasured: true }, last: reading, steadyMs, neededMs: SETTLING_MS };
  }
  const { at, passedMs, neededMs } = known;
  const anchor = { wallMs: at, elapsedMs: reading.elapsedMs - (passedMs ?? 0), isMeasured: passedMs !== null };
  return observeClock({ anchor, last: reading, steadyMs, neededMs }, reading);
}

/**
 * How long the clock of an earlier run must be steady before anything is erased, where that run had not got there yet.
 */
export function neededAfter(believedAt: number | null, keptAt: number): number {
  if (believedAt === keptAt) return 0;
  return believedAt !== null && keptAt - believedAt > NIGHT_MS + HOUR_MS ? PROVING_MS : SETTLING_MS;
}

/** A person says that the wall clock was right at `believedAt`, a moment ago. */
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
  // A step that is no reason for doubt: calls go on, and erasing waits until the clock has settled.
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
 * The time to plan and to judge ages by: the wall clock's while it is believed, otherwise what has passed since it was.
 * Where the machine was restarted, at least so much has passed.
 */
export function keptTime(state: TrustedTime): number {
  return clockVerdict(state).isDoubted ? continuedTime(state, state.last) : state.last.wallMs;
}

/** The time that the appliance went by while the clock was doubted, at a reading. */
export function continuedTime({ anchor }: TrustedTime, { wallMs, elapsedMs }: ClockReading): number {
  const kept = anchor.wallMs + (elapsedMs - anchor.elapsedMs);
  return anchor.isMeasured ? kept : Math.max(kept, wallMs);
}
