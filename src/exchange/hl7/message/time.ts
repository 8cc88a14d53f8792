// HL7 times (TS): YYYY[MM[DD[HH[MM[SS[.S…]]]]]][+/-ZZZZ].
import { instantOf } from "../../../core/zones.ts";

const TIME = /^(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:\.(\d{1,6}))?([+-]\d{4})?$/;

export type TimePrecision = "day" | "minute";

/** Milliseconds; null if it is no such time. A time without offset is a wall time of `zone`. */
export function readTime(text: string, zone: string, least: TimePrecision = "minute"): number | null {
  // Some senders write ISO 8601 or a space between date and time.
  const plain = text.trim().replace(/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?/, "$1$2$3$4$5$6");
  const match = TIME.exec(plain.replace(/Z$/, "+0000").replace(/([+-]\d{2}):(\d{2})$/, "$1$2"));
  if (!match) return null;
  const [, year = "", month, day, hour, minute, second = "0", fraction = "", offset] = match;
  if (day === undefined || (least === "minute" && minute === undefined)) return null;
  const date = `${year}-${month ?? "01"}-${day}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return null;
  const [hours, minutes, seconds] = [Number(hour ?? "0"), Number(minute ?? "0"), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  const rest = Math.min(seconds, 59) * 1_000 + Number(`0.${fraction || "0"}`) * 1_000;
  const minuteOfDay = hours * 60 + minutes;
  if (offset === undefined) return Math.floor(instantOf(date, minuteOfDay, zone) + rest);
  const offsetMinutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3));
  if (Number(offset.slice(1, 3)) > 14 || Number(offset.slice(3)) > 59) return null;
  return Math.floor(
    midnight + (minuteOfDay - (offset.startsWith("-") ? -offsetMinutes : offsetMinutes)) * 60_000 + rest,
  );
}

/** In UTC with its offset, so that it needs no zone. */
export function writeTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}+0000`;
}
