// Formatting of times in the organisation's time zone, with the zone shown; of durations, numbers and percentages.

import { locale, spokenLanguage } from "./language.ts";

/** 24 hours in every locale, like the calendar windows: 09:00–17:00. */
const CLOCK = { hourCycle: "h23" } as const;

export function formatTime(iso: string | null, zone: string): string {
  if (iso === null) return "–";
  return new Intl.DateTimeFormat(locale(), {
    timeZone: zone,
    dateStyle: "medium",
    timeStyle: "medium",
    ...CLOCK,
  }).format(new Date(iso));
}

export function formatShortTime(iso: string | null, zone: string): string {
  if (iso === null) return "–";
  return new Intl.DateTimeFormat(locale(), {
    timeZone: zone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...CLOCK,
  }).format(new Date(iso));
}

/** "16 Nov 2026" */
export function formatDay(iso: string, zone: string): string {
  return new Intl.DateTimeFormat(locale(), { timeZone: zone, dateStyle: "medium" }).format(new Date(iso));
}

/** "Mon 16 Nov" */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat(locale(), {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
  }).format(new Date(`${date}T12:00:00Z`));
}

/** 0 is Sunday. */
export function weekdayName(day: number, length: "short" | "long"): string {
  // 1 January 2023 was a Sunday.
  return new Intl.DateTimeFormat(locale(), { timeZone: "UTC", weekday: length }).format(Date.UTC(2023, 0, 1 + day));
}

export function formatDuration(seconds: number | null): string {
  if (seconds === null) return "–";
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (spokenLanguage() !== "en") {
    return minutes === 0 ? unitText(whole, "second") : `${unitText(minutes, "minute")} ${unitText(rest, "second")}`;
  }
  return minutes === 0 ? `${whole} s` : `${minutes} min ${String(rest).padStart(2, "0")} s`;
}

/** "5 से॰" */
export const unitText = (value: number, unit: "second" | "minute"): string =>
  new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(
    value,
  );

/** 83 → 1:23, for players. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function formatShare(share: number | null): string {
  return share === null
    ? "–"
    : new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 }).format(share);
}

export function formatNumber(value: number | null): string {
  return value === null ? "–" : new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value);
}

/** Country codes of one and two digits; all others have three. */
const SHORT_COUNTRY_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** +919810010001 → +91 98100 10001. Other text, such as an extension, is unchanged. */
export function phoneGroups(number: string): string[] {
  if (!/^\+\d{7,15}$/.test(number)) return [number];
  const country = SHORT_COUNTRY_CODE.exec(number)?.[0] ?? number.slice(0, 4);
  const rest = number.slice(country.length);
  if (country === "+91" && rest.length === 10) return [country, rest.slice(0, 5), rest.slice(5)];
  // Groups of three; the last group has four digits rather than leaving a single one.
  return [country, ...(rest.match(/\d{4}$|\d{3}(?!\d$)|\d+$/g) ?? [])];
}

/** The current date in a zone, YYYY-MM-DD. */
export function todayIn(zone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    new Date(),
  );
}

export function addDays(date: string, days: number): string {
  const time = new Date(`${date}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + days);
  return time.toISOString().slice(0, 10);
}

/** Links of the API contain the public address. The dashboard uses the same path on its own host. */
export function localPath(link: string): string {
  const url = new URL(link, location.origin);
  return `${url.pathname}${url.search}`;
}

/** Wall time in a zone, in the format of a datetime-local field. */
export function wallTimeOf(iso: string, zone: string): string {
  if (iso === "") return "";
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
    .format(new Date(iso))
    .replace(" ", "T");
}

/** Converts the wall time of a datetime-local field in `zone` to ISO with Z. */
export function zonedToIso(local: string, zone: string): string {
  const guess = new Date(`${local}:00Z`).getTime();
  const shown = (instant: number) => {
    const parts = Object.fromEntries(
      new Intl.DateTimeFormat("en-US", {
        timeZone: zone,
        hourCycle: "h23",
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        hour: "2-digit",
        minute: "2-digit",
      })
        .formatToParts(instant)
        .map(({ type, value }) => [type, value]),
    );
    return Date.UTC(
      Number(parts["year"]),
      Number(parts["month"]) - 1,
      Number(parts["day"]),
      Number(parts["hour"]),
      Number(parts["minute"]),
    );
  };
  const first = guess - (shown(guess) - guess);
  return new Date(first - (shown(first) - guess)).toISOString();
}
