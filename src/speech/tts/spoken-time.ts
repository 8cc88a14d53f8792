// Spoken English dates and times: "Tuesday, the fifth of May, at ten thirty in the morning".
import { cardinal, ordinal } from "./spoken-number.ts";

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
/** Both are branch-local, so there is no zone to convert. */
export function spokenMoment({ date, startTime }: { date: string; startTime: string }): string {
  return `${spokenDate(date)}, at ${spokenTime(startTime)}`;
}

/** From YYYY-MM-DD. Other text is returned unchanged. */
export function spokenDate(date: string): string {
  const noon = new Date(`${date}T12:00:00Z`);
  if (Number.isNaN(noon.getTime())) return date;
  return `${WEEKDAYS[noon.getUTCDay()] ?? ""}, the ${ordinal(noon.getUTCDate())} of ${MONTHS[noon.getUTCMonth()] ?? ""}`;
}

/** From HH:MM. Other text is returned unchanged. */
export function spokenTime(time: string): string {
  const [, hourText, minuteText] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hourText === undefined || minuteText === undefined) return time;
  const hour = Number(hourText);
  const minute = Number(minuteText);
  if (minute === 0 && hour === 0) return "midnight";
  if (minute === 0 && hour === 12) return "twelve noon";
  const spokenHour = cardinal(hour % 12 === 0 ? 12 : hour % 12);
  return `${spokenHour} ${spokenMinute(minute)} ${partOfDay(hour)}`;
}

function spokenMinute(minute: number): string {
  if (minute === 0) return "o'clock";
  return minute < 10 ? `oh ${cardinal(minute)}` : cardinal(minute);
}

function partOfDay(hour: number): string {
  if (hour < 4 || hour >= 21) return "at night";
  if (hour < 12) return "in the morning";
  return hour < 17 ? "in the afternoon" : "in the evening";
}
