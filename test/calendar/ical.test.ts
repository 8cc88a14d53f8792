// iCalendar output: folded, escaped, and read back by an independent parser; and holidays from arbitrary files.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { calendarText, type CalendarEvent } from "../../src/calendar/ical/calendar-text.ts";
import { contentLines, escaped, folded, unescaped } from "../../src/calendar/ical/content-lines.ts";
import { initialsOf, toldOf } from "../../src/calendar/ical/feed-people.ts";
import { holidaysIn } from "../../src/calendar/ical/holiday-days.ts";
import { readCalendar } from "../support/read-calendar.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 300 });
const octets = (text: string) => new TextEncoder().encode(text).length;

describe("a line", () => {
  test("is never longer than 75 octets, splits no character, and unfolds to itself", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = `SUMMARY:${escaped(text)}`;
        const lines = folded(line).split("\r\n");
        expect(lines.every((each) => octets(each) <= 75)).toBeTrue();
        expect(lines.every((each) => !each.includes("\ufffd") || text.includes("\ufffd"))).toBeTrue();
        expect(lines.map((each, i) => (i === 0 ? each : each.slice(1))).join("")).toBe(line);
      }),
    );
  });

  test("round-trips its text; line breaks are kept, other control characters are removed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const kept = text.replaceAll(/\r\n?/g, "\n").replaceAll(/(?![\t\n])\p{Cc}/gu, "");
        expect(unescaped(escaped(text))).toBe(kept);
        const [line] = contentLines(folded(`X;A="b:c;d":${escaped(text)}`));
        expect([line?.name, line?.parameters.get("A"), unescaped(line?.value ?? "")]).toEqual(["X", "b:c;d", kept]);
      }),
      { examples: [["\u2028"], ["\u0085 \u2029"], ["\r\r\n"]] },
    );
  });
});

describe("a calendar", () => {
  const event: CalendarEvent = {
    uid: "w-2026-11-16@ringward",
    changedAt: Date.UTC(2026, 10, 15, 6, 0, 0),
    summary: "Morning, Eye; test\\ 3 of 10",
    description: "M. I.\nA. R.",
    location: "Main",
    when: { from: Date.UTC(2026, 10, 16, 3, 30), to: Date.UTC(2026, 10, 16, 6, 30) },
    isBusy: true,
  };

  test("is read back completely by a strict parser", () => {
    const closed: CalendarEvent = {
      uid: "cls_1@ringward",
      changedAt: 0,
      summary: "Closed: Diwali",
      when: { firstDay: "2026-11-30", lastDay: "2026-12-01" },
      isBusy: false,
    };
    const { properties, events } = readCalendar(calendarText("Main", [event, closed], "Asia/Kolkata"));
    expect([properties["VERSION"], properties["PRODID"]]).toEqual(["2.0", "-//Ringward//Calendar//EN"]);
    expect(events).toMatchObject([
      {
        UID: "w-2026-11-16@ringward",
        DTSTAMP: "20261115T060000Z",
        DTSTART: "20261116T033000Z",
        DTEND: "20261116T063000Z",
        SUMMARY: "Morning, Eye; test\\ 3 of 10",
        DESCRIPTION: "M. I.\nA. R.",
        TRANSP: "OPAQUE",
      },
      { "DTSTART;VALUE=DATE": "20261130", "DTEND;VALUE=DATE": "20261202", TRANSP: "TRANSPARENT" },
    ]);
  });

  test("with arbitrary names is read back", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), (names) => {
        const events = names.map((summary, i) => ({ ...event, uid: `${i}@ringward`, summary }));
        const read = readCalendar(calendarText(names[0] ?? "Main", events, "Asia/Kolkata"));
        expect(read.events.map((each) => each["UID"])).toEqual(events.map(({ uid }) => uid));
      }),
      { numRuns: 50 },
    );
  });
});

describe("a feed reveals of a person", () => {
  test("nothing, initials or the name, as configured", () => {
    const row = { contact_name: "meera  iyer" };
    expect([toldOf("none", row), toldOf("initials", row), toldOf("names", row)]).toEqual([
      null,
      "M. I.",
      "meera  iyer",
    ]);
    expect(toldOf("names", { contact_name: null })).toBeNull();
    expect(initialsOf("𝒜da 李")).toBe("𝒜. 李.");
  });
});

const RANGE = { from: "2026-11-15", to: "2028-11-15" };
const file = (...events: string[][]) =>
  ["BEGIN:VCALENDAR", ...events.flatMap((lines) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]), "END:VCALENDAR"].join(
    "\r\n",
  );
const found = (...events: string[][]) =>
  holidaysIn(file(...events), RANGE).holidays.map(({ from, to, name }) => [from, to, name]);

describe("holidays from a file", () => {
  test("are days, with the exclusive end of the format, and unescaped names", () => {
    expect(
      found(
        ["DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261226", "SUMMARY:Christmas\\, day one"],
        [
          "DTSTART;VALUE=DATE:20270101",
          "SUMMARY;LANGUAGE=en:New",
          "  Year",
          "BEGIN:VALARM",
          "SUMMARY:Alarm",
          "END:VALARM",
        ],
        ["DTSTART;TZID=Asia/Kolkata:20270126T000000", "DTEND;TZID=Asia/Kolkata:20270128T000000", "SUMMARY:Two days"],
        ["DTSTART;VALUE=DATE:20270301", "DURATION:P3D", "SUMMARY:Three"],
        ["DTSTART;VALUE=DATE:20200101", "SUMMARY:Over"],
        ["DTSTART;VALUE=DATE:20270202", "STATUS:CANCELLED", "SUMMARY:Not at all"],
      ),
    ).toEqual([
      ["2026-12-25", "2026-12-25", "Christmas, day one"],
      ["2027-01-01", "2027-01-01", "New Year"],
      ["2027-01-26", "2027-01-27", "Two days"],
      ["2027-03-01", "2027-03-03", "Three"],
    ]);
  });

  test("recur yearly if the file says so", () => {
    expect(
      found(["DTSTART;VALUE=DATE:20200126", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20270126", "SUMMARY:R"]),
    ).toEqual([["2028-01-26", "2028-01-26", "R"]]);
    expect(found(["DTSTART;VALUE=DATE:20251225", "RRULE:FREQ=YEARLY;COUNT=2", "SUMMARY:C"])).toEqual([
      ["2026-12-25", "2026-12-25", "C"],
    ]);
    expect(found(["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;INTERVAL=2;UNTIL=20271231", "SUMMARY:U"])).toEqual([
      ["2026-12-25", "2026-12-25", "U"],
    ]);
    expect(found(["DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "SUMMARY:L"])).toEqual([
      ["2028-02-29", "2028-02-29", "L"],
    ]);
  });

  test("with another recurrence are counted as unread; their first day is used", () => {
    const weekly = ["DTSTART;VALUE=DATE:20261206", "RRULE:FREQ=WEEKLY", "SUMMARY:W"];
    const broken = ["DTSTART:soon", "SUMMARY:B"];
    expect(holidaysIn(file(weekly, broken), RANGE)).toEqual({
      holidays: [{ from: "2026-12-06", to: "2026-12-06", name: "W" }],
      unread: 2,
    });
  });

  test("are rejected from other files, and from endless ones", () => {
    const refused = (text: string) => {
      try {
        holidaysIn(text, RANGE);
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : "";
      }
    };
    expect(refused("Dear sir")).toContain("not a calendar file");
    expect(refused(file(...Array.from({ length: 2_001 }, () => ["SUMMARY:x"])))).toContain("2000 events");
  });

  test("for any file, each day is within the requested years", () => {
    const word = fc.constantFrom(
      "DTSTART;VALUE=DATE:20261225",
      "DTEND:20270101",
      "RRULE:FREQ=YEARLY",
      "RRULE:FREQ=YEARLY;COUNT=x",
      "DURATION:P900D",
      "BEGIN:VEVENT",
      "END:VEVENT",
      "SUMMARY:a\\",
      " folded",
      "EXDATE:,,",
      ":::",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, anyText), { maxLength: 30 }), (lines) => {
        const { holidays } = holidaysIn(["BEGIN:VCALENDAR", "VERSION:2.0", ...lines].join("\n"), RANGE);
        for (const { from, to } of holidays) {
          expect(from <= to && to >= RANGE.from && from <= RANGE.to).toBeTrue();
          expect(new Date(`${from}T00:00:00Z`).toISOString().slice(0, 10)).toBe(from);
        }
      }),
    );
  });
});
