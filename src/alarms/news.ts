// What people are told about one subject: one message for a fault and one for its end, however often it flapped
// between.
import { HOUR_MS } from "../core/clock.ts";
import type { Alarm } from "./records.ts";

export interface News {
  /** The newest alarm, which the message is about. */
  alarm: Alarm;
  state: "open" | "over";
  /** Alarms about the subject that opened and ended in between, without a message of their own. */
  flaps: number;
}

/** Messages about one subject in an hour; later news waits, and comes as one message. */
export const MOST_PER_HOUR = 4;

/** `about`: the alarms about one subject, newest first. Null: nothing is new, or too much was told in the last hour. */
export function newsOf(about: readonly Alarm[], now: number): News | null {
  const [alarm] = about;
  if (!alarm || !about.some(isUntold)) return null;
  const toldTimes = about.flatMap(({ told_at, over_told_at }) => [told_at, over_told_at]);
  const lately = new Set(toldTimes.filter((at) => at !== null && now - at < HOUR_MS && at <= now));
  if (lately.size >= MOST_PER_HOUR) return null;
  // Its end was told before: an alarm between that and now is the only news.
  const flaps = about.filter((each) => each !== alarm && each.told_at === null).length;
  return { alarm, state: alarm.over_at === null ? "open" : "over", flaps };
}

export const isUntold = ({ told_at, told_step, step, over_at, over_told_at }: Alarm): boolean =>
  told_at === null || (over_at === null ? step > told_step : over_told_at === null);

/** What is stored when the news was told. */
export const toldChange = (alarm: Alarm, now: number) => ({
  told_at: alarm.told_at ?? now,
  told_step: Math.max(alarm.told_step, alarm.step),
  ...(alarm.over_at !== null && { over_told_at: alarm.over_told_at ?? now }),
});
