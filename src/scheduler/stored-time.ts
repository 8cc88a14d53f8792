// Initial clock state of a run, from the stored state of an earlier one.
import { DAY_MS, type Clock } from "../core/clock.ts";
import {
  beginTrustedTime,
  clockVerdict,
  neededAfter,
  SETTLING_MS,
  type ClockReading,
  type KnownTime,
  type TrustedTime,
} from "../core/trusted-time.ts";
import type { Uptime } from "../core/uptime.ts";
import type { Executor } from "../db/tables.ts";
import { sinceKept, storedClock, type StoredClock } from "./clock-store.ts";

export function timeFrom(stored: StoredClock, reading: ClockReading, uptime: Uptime | null): TrustedTime {
  return beginTrustedTime(reading, knownTime(stored, uptime), steadyBefore(stored, reading.wallMs));
}

/** Whether the machine's clock is doubted, for a process of its own. */
export async function isClockDoubted(executor: Executor, clock: Clock): Promise<boolean> {
  const uptime = clock.uptime?.() ?? null;
  const reading = { wallMs: clock.now(), elapsedMs: uptime?.ms ?? clock.elapsedMs() };
  return clockVerdict(timeFrom(await storedClock(executor), reading, uptime)).isDoubted;
}

/** Null for an empty database. */
function knownTime({ kept, believedAt, lastSignAt }: StoredClock, uptime: Uptime | null): KnownTime | null {
  if (kept !== null) {
    return { at: kept.at, passedMs: sinceKept(kept, uptime), neededMs: neededAfter(believedAt, kept.at) };
  }
  // A database from before these rows still has its last write time.
  const at = believedAt ?? lastSignAt;
  return at === null ? null : { at, passedMs: null, neededMs: SETTLING_MS };
}

/** A clock that continues where it stopped, with at most one night off, keeps its steady time. */
function steadyBefore({ doubt }: StoredClock, now: number): number {
  return doubt && now >= doubt.at && now - doubt.at <= DAY_MS ? doubt.steadyMs : 0;
}
