// What a run knows of the clock when it begins, from what an earlier one stored.
import { DAY_MS } from "../core/clock.ts";
import {
  beginTrustedTime,
  neededAfter,
  SETTLING_MS,
  type ClockReading,
  type KnownTime,
  type TrustedTime,
} from "../core/trusted-time.ts";
import type { Uptime } from "../core/uptime.ts";
import { sinceKept, type StoredClock } from "./clock-store.ts";

export function timeFrom(stored: StoredClock, reading: ClockReading, uptime: Uptime | null): TrustedTime {
  return beginTrustedTime(reading, knownTime(stored, uptime), steadyBefore(stored, reading.wallMs));
}

/** Null on an empty database. */
function knownTime({ kept, believedAt, lastSignAt }: StoredClock, uptime: Uptime | null): KnownTime | null {
  if (kept !== null) {
    return { at: kept.at, passedMs: sinceKept(kept, uptime), neededMs: neededAfter(believedAt, kept.at) };
  }
  // A database from before these rows knows at least when it was last written.
  const at = believedAt ?? lastSignAt;
  return at === null ? null : { at, passedMs: null, neededMs: SETTLING_MS };
}

/** A clock that goes on where it was left, a night off included, keeps what it has proved. */
function steadyBefore({ doubt }: StoredClock, now: number): number {
  return doubt && now >= doubt.at && now - doubt.at <= DAY_MS ? doubt.steadyMs : 0;
}
