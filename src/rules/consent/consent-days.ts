// Days of a consent as people write them, as moments in the organisation's time zone.
import { invalidField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { addDays, instantOf, wallTime } from "../../core/zones.ts";
import type { Grant } from "./checked-grant.ts";

/** As YYYY-MM-DD, or as a moment in ISO 8601, as an export has them. Null: today, and without an end. */
export interface ConsentDays {
  grantedOn: string | null;
  /** The last day. */
  untilDay: string | null;
}

/** A consent with days instead of moments. */
export type DatedGrant = Omit<Grant, "grantedAt" | "until"> & ConsentDays;

const MOMENT = /^\d{4}-\d{2}-\d{2}T/;

/** The day begins at midnight; today is now, so that a consent of this morning counts after a withdrawal. */
export function momentsOf({ grantedOn, untilDay }: ConsentDays, zone: string, now: number) {
  const today = wallTime(now, zone).date;
  const begin = (day: string) => (day === today ? null : instantOf(existingDay("granted_on", day), 0, zone));
  const end = (day: string) => instantOf(addDays(existingDay("until", day), 1), 0, zone);
  return {
    grantedAt: momentOf("granted_on", grantedOn, begin),
    until: momentOf("until", untilDay, end),
  };
}

function momentOf<Moment>(field: string, text: string | null, ofDay: (day: string) => Moment) {
  if (text === null) return null;
  return MOMENT.test(text) ? parseIsoTime(field, text) : ofDay(text);
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

function existingDay(field: string, text: string): string {
  const [, year = "", month = "", day = ""] = DAY.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = DAY.test(text) && Number(year) >= 1970 && date.toISOString().slice(0, 10) === text;
  if (!exists) throw invalidField(field, `${field} must be a date as YYYY-MM-DD, for example 2026-11-20.`);
  return text;
}
