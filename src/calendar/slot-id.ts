// The three forms of a slot_id: <calendar_id>, <calendar_id>||<date>, <calendar_id>||<date>||<appointment_type_id or
// any>.
import { AppError, invalidField } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";

const SEPARATOR = "||";

export function availabilitySlotId(calendarId: string, date: string): string {
  return `${calendarId}${SEPARATOR}${date}`;
}

export function trackingSlotId(calendarId: string, date: string, appointmentTypeId: string | null): string {
  return [calendarId, date, appointmentTypeId ?? "any"].join(SEPARATOR);
}

/** For window paths: only the first segment counts. A segment that is not a UUID matches no window. */
export function calendarIdOf(slotId: string): string {
  const [calendarId = ""] = decoded(slotId).split(SEPARATOR);
  if (!isUuid(calendarId)) throw new AppError("NOT_FOUND", "There is no window with this slot_id.");
  return calendarId.toLowerCase();
}

/** For bookings and tracking: requires the date as well. */
export function datedSlotOf(slotId: string, field = "slot_id"): { calendarId: string; date: string } {
  const [calendarId = "", date = ""] = decoded(slotId).split(SEPARATOR);
  if (!isUuid(calendarId) || !isCalendarDate(date)) {
    throw invalidField(field, `${field} must be <calendar_id>||<YYYY-MM-DD>, as the availability answers it.`);
  }
  return { calendarId: calendarId.toLowerCase(), date };
}

export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Some clients percent-encode a path segment and others do not. */
function decoded(text: string): string {
  return text.replace(/%7c/gi, "|");
}
