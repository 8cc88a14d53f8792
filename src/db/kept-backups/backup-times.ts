// When the next backup is due, and when the last good one is too old. Pure.
import { everyMs, type BackupSettings } from "../../config/backup-settings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/clock.ts";
import type { BackupState } from "./backup-state.ts";

const FIRST_RETRY_MS = 5 * MINUTE_MS;
const LONGEST_RETRY_MS = HOUR_MS;
/** Late after one and a half times the interval. */
const LATE_AFTER = 1.5;

type Times = Pick<BackupState, "since" | "lastGood" | "failures" | "failedAt">;

/** Infinity if the server makes no backups. A time in the past means now. */
export function nextBackupAt(settings: Pick<BackupSettings, "every" | "at">, state: Times, now: number): number {
  const every = everyMs(settings);
  if (every === null) return Infinity;
  const planned = plannedAt(settings, every, state);
  // A clock that was set back must not postpone the next backup by the jump.
  const dueAt = isOfAnotherTime(planned, every, now) ? now : planned;
  if (state.failedAt === null || state.failures === 0) return dueAt;
  const retryMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 3 ** Math.min(state.failures - 1, 10));
  return Math.max(Math.min(dueAt, now), Math.min(state.failedAt, now) + retryMs);
}

/** By a clock that was ahead and was set back since. */
const isOfAnotherTime = (at: number, every: number, now: number): boolean => at - now > every + DAY_MS;

function plannedAt({ at }: Pick<BackupSettings, "at">, every: number, { since, lastGood }: Times): number {
  if (at === "") return lastGood === null ? since : lastGood.madeAt + every;
  if (lastGood === null) return nextSlot(at, every, since);
  // With "7d" at a time of day: that time nearest to seven days.
  return nextSlot(at, every, lastGood.madeAt + (every > DAY_MS ? every - DAY_MS / 2 : 0));
}

/** The first slot after `after`. Slots begin at the time of day on this machine's clock, until the next day. */
function nextSlot(at: string, every: number, after: number): number {
  const today = timeOfDay(at, after, 0);
  const [begin, end] = today > after ? [timeOfDay(at, after, -1), today] : [today, timeOfDay(at, after, 1)];
  const steps = Math.floor((after - begin) / every) + 1;
  return Math.min(begin + steps * every, end);
}

/** By the calendar, so it stays the same when the clocks change. */
function timeOfDay(at: string, on: number, daysLater: number): number {
  const [hour = 0, minute = 0] = at.split(":").map(Number);
  const day = new Date(on);
  day.setDate(day.getDate() + daysLater);
  day.setHours(hour, minute, 0, 0);
  return day.getTime();
}

/** Null if the server makes no backups. */
export function isBackupLate(settings: Pick<BackupSettings, "every">, state: Times, now: number): boolean | null {
  const every = everyMs(settings);
  if (every === null) return null;
  const madeAt = state.lastGood?.madeAt ?? state.since;
  return now - madeAt > LATE_AFTER * every || isOfAnotherTime(madeAt, every, now);
}
