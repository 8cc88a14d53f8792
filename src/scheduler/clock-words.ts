// Messages about a clock that is not trusted.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/clock.ts";
import type { ClockVerdict } from "../core/trusted-time.ts";

/** By subject, for /readyz and Today. A delay of erasure by a few minutes is not reported. */
export interface ClockNotes {
  /** Why no calls go out; null while they do. */
  clock: string | null;
  /** Why nothing is erased although calls go out. */
  retention: string | null;
}

export function clockNotes(verdict: ClockVerdict): ClockNotes {
  if (verdict.isDoubted) return { clock: doubtWords(verdict), retention: null };
  if (!verdict.mayDial) return { clock: settlingWords(verdict), retention: null };
  return { clock: null, retention: verdict.waitMs > HOUR_MS ? eraseWords(verdict) : null };
}

export function doubtWords({ aheadMs, waitMs }: Pick<ClockVerdict, "aheadMs" | "waitMs">): string {
  const by = spanWords(Math.abs(aheadMs));
  return (
    `The clock shows ${by} ${aheadMs > 0 ? "more" : "less"} than expected. No call goes out and nothing is erased by age ` +
    `until it has been steady for another ${spanWords(waitMs)}. If it is right, run "ringward clock confirm"; ` +
    "if not, set it right (NTP)."
  );
}

function eraseWords({ waitMs }: Pick<ClockVerdict, "waitMs">): string {
  return (
    "The machine was off for more than a day. Calls go out; nothing is erased by age until the clock has been steady for " +
    `another ${spanWords(waitMs)}. If it is right, run "ringward clock confirm".`
  );
}

function settlingWords({ waitToDialMs }: ClockVerdict): string {
  return `The machine was off. Calls wait until its clock has been steady for another ${spanWords(waitToDialMs)}.`;
}

function spanWords(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
}
