// iCalendar output. Times are in UTC, so clients need no time zone definitions; days are plain dates.
import { toIso } from "../../core/clock.ts";
import { addDays } from "../../core/zones.ts";
import { escaped, folded } from "./content-lines.ts";

export interface CalendarEvent {
  /** Stable: the same entry always has the same UID. */
  uid: string;
  changedAt: number;
  summary: string;
  description?: string | undefined;
  location?: string | undefined;
  /** Instants, or days with both ends inclusive. */
  when: { from: number; to: number } | { firstDay: string; lastDay: string };
  /** Whether the event blocks time (TRANSP:OPAQUE). */
  isBusy: boolean;
}

export function calendarText(name: string, events: readonly CalendarEvent[], zone: string): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Ringward//Calendar//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-TIMEZONE:${escaped(zone)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return `${lines.map(folded).join("\r\n")}\r\n`;
}

function eventLines({ uid, changedAt, summary, description, location, when, isBusy }: CalendarEvent): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(changedAt)}`,
    `LAST-MODIFIED:${utc(changedAt)}`,
    ...("from" in when
      ? [`DTSTART:${utc(when.from)}`, `DTEND:${utc(when.to)}`]
      : // The end of an event on whole days is the day after it (section 3.6.1).
        [`DTSTART;VALUE=DATE:${day(when.firstDay)}`, `DTEND;VALUE=DATE:${day(addDays(when.lastDay, 1))}`]),
    `SUMMARY:${escaped(summary)}`,
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    ...(location ? [`LOCATION:${escaped(location)}`] : []),
    `TRANSP:${isBusy ? "OPAQUE" : "TRANSPARENT"}`,
    "CLASS:PRIVATE",
    "END:VEVENT",
  ];
}

/** 20261116T033000Z */
function utc(instant: number): string {
  return toIso(instant)
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
}

function day(date: string): string {
  return date.replaceAll("-", "");
}
