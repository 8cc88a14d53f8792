// Start and end of windows and appointments as instants. Their times are local to the branch. A time skipped in spring
// does not exist; a time repeated in autumn means its first occurrence.
import { toIso } from "../core/clock.ts";
import { hasOneOffset, instantOf, isShown } from "../core/zones.ts";

export interface LocalTimes {
  date: string;
  /** HH:MM */
  start_time: string;
  end_time: string;
}

export function momentsOf({ date, start_time, end_time }: LocalTimes, zone: string) {
  return {
    starts_at: toIso(instantOf(date, minuteOf(start_time), zone)),
    ends_at: toIso(instantOf(date, minuteOf(end_time), zone)),
    time_zone: zone,
  };
}

/** Whether the wall clock shows the window's start on this date. */
export type Begins = (date: string, startTime: string) => boolean;

/** Memoizes: 1,000 windows share their dates and times. */
export function beginsIn(zone: string): Begins {
  const quiet = new Map<string, boolean>();
  const shown = new Map<string, boolean>();
  return (date, startTime) => {
    let isQuiet = quiet.get(date);
    if (isQuiet === undefined) quiet.set(date, (isQuiet = hasOneOffset(date, zone)));
    if (isQuiet) return true;
    const time = `${date} ${startTime}`;
    let begins = shown.get(time);
    if (begins === undefined) shown.set(time, (begins = isShown(date, minuteOf(startTime), zone)));
    return begins;
  };
}

/** "09:30" → 570 */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
