// Spoken Hindi dates and times: "मंगलवार पाँच मई, सुबह साढ़े दस बजे". Day and time are separate clauses, because each
// repeats across calls and is cached.
import { cardinal } from "./spoken-number.ts";

const WEEKDAYS = ["रविवार", "सोमवार", "मंगलवार", "बुधवार", "गुरुवार", "शुक्रवार", "शनिवार"];
export const MONTHS = ["जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"];

/** Both are branch-local, so there is no zone to convert. */
export function spokenMoment({ date, startTime }: { date: string; startTime: string }): string {
  return `${spokenDate(date)}, ${spokenTime(startTime)}`;
}

/** From YYYY-MM-DD. Other text is returned unchanged. */
export function spokenDate(date: string): string {
  const noon = new Date(`${date}T12:00:00Z`);
  if (Number.isNaN(noon.getTime())) return date;
  return `${WEEKDAYS[noon.getUTCDay()] ?? ""} ${dayOfMonth(noon.getUTCDate(), noon.getUTCMonth())}`;
}

/** `month` starts at 0. */
export function dayOfMonth(day: number, month: number): string {
  return `${cardinal(day)} ${MONTHS[month] ?? ""}`;
}

/** From HH:MM. Other text is returned unchanged. */
export function spokenTime(time: string): string {
  const [, hourText, minuteText] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hourText === undefined || minuteText === undefined) return time;
  const hour = Number(hourText);
  return `${partOfDay(hour)} ${clockTime(hour, Number(minuteText))}`;
}

/** सवा, साढ़े and पौने are a quarter past, half past and a quarter to; half past one and two have their own words. */
export function clockTime(hour: number, minute: number): string {
  const said = (of: number) => cardinal(((of + 11) % 12) + 1);
  if (minute === 0) return `${said(hour)} बजे`;
  if (minute === 15) return `सवा ${said(hour)} बजे`;
  if (minute === 30) return `${HALF_PAST[said(hour)] ?? `साढ़े ${said(hour)}`} बजे`;
  if (minute === 45) return `पौने ${said(hour + 1)} बजे`;
  return `${said(hour)} बजकर ${cardinal(minute)} मिनट`;
}

const HALF_PAST: Readonly<Record<string, string>> = { एक: "डेढ़", दो: "ढाई" };

export function partOfDay(hour: number): string {
  if (hour < 4 || hour >= 20) return "रात";
  if (hour < 12) return "सुबह";
  return hour < 16 ? "दोपहर" : "शाम";
}
