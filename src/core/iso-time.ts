// Parser for ISO 8601 times from clients: an existing date and time, with Z or an explicit offset.
import { invalidField } from "./errors.ts";

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

const SECONDS_LENGTH = "2026-11-20T09:30:00".length;

export function parseIsoTime(field: string, text: string): number {
  const match = FORM.exec(text);
  if (!match) throw invalidField(field, `${field} must be ISO 8601, e.g. 2026-11-20T09:30:00+05:30.`);
  const [, year, month, day, hour, minute, second = "00", offset] = match;
  if (offset === undefined) throw invalidField(field, `${field} must end in Z or carry an offset such as +05:30.`);
  const instant = Date.parse(text);
  // Fast path for the usual form: a time that round-trips exists.
  if (
    offset === "Z" &&
    !Number.isNaN(instant) &&
    new Date(instant).toISOString().startsWith(text.slice(0, SECONDS_LENGTH))
  )
    return instant;
  if (Number.isNaN(instant) || !existsInCalendar([year, month, day, hour, minute, second].map(Number), offset)) {
    throw invalidField(field, `${field} is not a date and time that exists.`);
  }
  return instant;
}

/** Date.parse turns 30 February into 2 March and accepts 24:00; both are errors here. */
function existsInCalendar(parts: number[], offset: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const [offsetHours = 0, offsetMinutes = 0] = offset === "Z" ? [] : offset.slice(1).split(":").map(Number);
  // The largest UTC offset is +14:00 (Kiribati).
  const isOffset = offsetMinutes < 60 && offsetHours * 60 + offsetMinutes <= 14 * 60;
  return isDate && hour < 24 && minute < 60 && second < 60 && isOffset;
}
