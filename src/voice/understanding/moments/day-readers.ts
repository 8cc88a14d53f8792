// Readers of spoken days, on text with digits. Longer patterns come first: each consumes what it matched.
import { addDays, weekdayOf } from "../../../core/zones.ts";
import type { Hearing } from "../meaning.ts";
import {
  dayOf,
  dayOfMonth,
  monthOf,
  monthRange,
  nextWeekday,
  weekdayWithin,
  weekRange,
  yearOf,
  type DayRange,
} from "./calendar-days.ts";
import { MONTHS, readerOf, type Piece, type Reader, WEEKDAYS } from "./pieces.ts";

const WEEKDAY = "(?<weekday>sunday|monday|tuesday|wednesday|thursday|friday|saturday|mon|tues?|weds?|thurs?|thu|fri)s?";
const MONTH =
  "(?<month>january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|aug|sept?|oct|nov|dec)";
/** "May" and "march" are also ordinary words: they are months only next to a number or "in", "of", "next". */
const PLAIN_DAY = "(?<day>[1-9]|[12]\\d|3[01])";
const DAY_ORDINAL = "(?<day>[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)";
const YEAR = "(?: (?<year>20\\d\\d|19\\d\\d)| (?<century>19|20) (?<inCentury>\\d\\d))?";
/** Without a year, dates this far ahead are more likely in the past or misheard. */
const FAR_DAYS = 330;

const reader = (source: string, read: Reader["read"]) => readerOf(` (?:${source})(?= )`, read);
const range = ({ from, to }: DayRange): Piece => ({ kind: "range", from, to });
const day = (date: string): Piece => ({ kind: "day", date });
const weekdayNumber = (name = "") => WEEKDAYS.findIndex((weekday) => weekday.startsWith(name.slice(0, 3)));
const monthNumber = (name = "") => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;
const count = (word = "1") => ({ a: 1, an: 1, couple: 2 })[word] ?? Number(word);

/** The next occurrence of the date. Null if the month has no such day, or it is almost a year away. */
function comingDay(day: number, month: number, { today }: Hearing): string | null {
  for (const year of [yearOf(today), yearOf(today) + 1]) {
    const date = dayOf(year, month, day);
    if (date !== null && date >= today) return date <= addDays(today, FAR_DAYS) ? date : null;
  }
  return null;
}

function dated({ groups = {} }: RegExpExecArray, hearing: Hearing): Piece | null {
  const { day: said, month, year, century, inCentury } = groups;
  const number = Number(said);
  const named = month === undefined ? null : Number(month) || monthNumber(month);
  const inYear = year ?? (century === undefined ? undefined : `${century}${inCentury}`);
  if (inYear !== undefined && named !== null) {
    // A past date with a year, such as a date of birth, is not a wish.
    const date = dayOf(Number(inYear.length === 2 ? `20${inYear}` : inYear), named, number);
    return date !== null && date < hearing.today ? null : { kind: "dayOfMonth", date };
  }
  return {
    kind: "dayOfMonth",
    date: named === null ? nextWithDay(number, hearing) : comingDay(number, named, hearing),
  };
}

/** "The 21st": in this month if still ahead, otherwise in the next month that has one. */
function nextWithDay(number: number, { today }: Hearing): string | null {
  for (let ahead = 0; ahead <= 2; ahead++) {
    const { from } = monthRange(yearOf(today), monthOf(today) + ahead);
    const date = dayOf(yearOf(from), monthOf(from), number);
    if (date !== null && date >= today) return date;
  }
  return null;
}

function shareOf(whole: DayRange, share: string): DayRange {
  const days = Math.round((Date.parse(whole.to) - Date.parse(whole.from)) / 86_400_000) + 1;
  const isWeek = days === 7;
  if (/end|late|last/.test(share)) return { from: addDays(whole.to, isWeek ? -2 : -6), to: whole.to };
  if (/mid/.test(share))
    return { from: addDays(whole.from, isWeek ? 2 : 10), to: addDays(whole.from, isWeek ? 3 : 19) };
  return { from: whole.from, to: addDays(whole.from, isWeek ? 2 : 6) };
}

const spanOf = (which: string | undefined, unit: string | undefined, { today }: Hearing): DayRange => {
  const ahead = which === "next" || which === "coming" || which === "following" ? 1 : 0;
  return unit === "week" ? weekRange(today, ahead) : monthRange(yearOf(today), monthOf(today) + ahead);
};

function comingMonth(name: string | undefined, { today }: Hearing): DayRange {
  const month = monthNumber(name);
  return monthRange(yearOf(today) + (month < monthOf(today) ? 1 : 0), month);
}

function weekdayPiece(which: string, name: string | undefined, { today }: Hearing): Piece {
  const weekday = weekdayNumber(name);
  // "Next Thursday" on a Monday is in the next week; "this Thursday" and "Thursday" are the coming one.
  if (which === "next" || which === "following")
    return { kind: "day", date: weekdayWithin(weekRange(today, 1), weekday), weekday };
  const isToday = which.startsWith("this") && weekdayOf(today) === weekday;
  return { kind: "day", date: isToday ? today : nextWeekday(today, weekday), weekday, isBare: which === "" };
}

const SHARE = "(?<share>end|beginning|start|middle|mid|early|late|last week|1st week|last days)";
const NUMBER_OF = "(?<count>\\d{1,2}|an?|(?:a )?couple(?: of)?)";

export const DAY_READERS: readonly Reader[] = [
  // Phrases that only look like a day.
  reader(
    "(?:last|past|previous|every|since) (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?",
    () => null,
  ),
  reader("(?:yesterday|day before yesterday)", () => null),

  // Counted days.
  reader("tomorrow or (?:the )?day after(?: tomorrow)?", (_, { today }) =>
    range({ from: addDays(today, 1), to: addDays(today, 2) }),
  ),
  reader(`(?:the )?day after tomorrow`, (_, { today }) => day(addDays(today, 2))),
  reader(`${NUMBER_OF} (?<unit>day|days|week|weeks|month|months) (?:from|after) (?<base>today|now|tomorrow)`, counted),
  reader(`(?:a|1) week (?:(?:from|on|after) )?(?:this |next )?${WEEKDAY}`, ({ groups = {} }, { today }) =>
    day(addDays(nextWeekday(today, weekdayNumber(groups["weekday"])), 7)),
  ),
  reader(`${WEEKDAY} (?:week|after next)(?! after| before)`, ({ groups = {} }, { today }) =>
    day(addDays(nextWeekday(today, weekdayNumber(groups["weekday"])), 7)),
  ),
  reader("(?:in|after|within) (?:a|1) week or (?:2|so)", (_, { today }) =>
    range({ from: addDays(today, 7), to: addDays(today, 14) }),
  ),
  reader("(?:in|after|within|over|for)? ?(?:a|the|the next|next) few days", (_, { today }) =>
    range({ from: addDays(today, 2), to: addDays(today, 5) }),
  ),
  reader(
    `(?:within|in the next|in the coming|over the next) (?:the )?(?:next )?(?:${NUMBER_OF} )?(?<unit>days?|weeks?)`,
    ({ groups = {} }, { today }) =>
      range({
        from: today,
        to: addDays(today, count(firstWordOf(groups["count"])) * (groups["unit"]?.startsWith("week") ? 7 : 1)),
      }),
  ),
  reader(`(?:in|after) ${NUMBER_OF} (?<unit>day|days|week|weeks|month|months|fortnight)(?: time)?`, counted),
  reader(`${NUMBER_OF} (?<unit>day|days|week|weeks|month|months) (?<base>later)`, counted),
  reader("(?:in|after) (?:a )?fortnight|(?:a )?fortnight (?:from now|from today|later)", (_, { today }) =>
    day(addDays(today, 14)),
  ),

  // Relative to the last offer.
  reader(
    "(?:the )?(?:next|following) day|(?:the )?day after(?: that)?|a day later",
    (_, { lastOffered }) => lastOffered && day(addDays(lastOffered.date, 1)),
  ),
  reader(
    "(?:the )?day before(?: that)?|a day earlier|the previous day",
    (_, { lastOffered }) => lastOffered && day(addDays(lastOffered.date, -1)),
  ),
  reader("(?:the )?same (?:day|date)", (_, { lastOffered }) => lastOffered && day(lastOffered.date)),

  // Near days.
  reader("tomorrow", (_, { today }) => day(addDays(today, 1))),
  reader("tonight", (_, { today }) => [day(today), { kind: "part", part: "evening" }]),
  reader("(?:later )?today", (_, { today }) => day(today)),
  reader("(?:later )?this (?<part>morning|afternoon|evening)", ({ groups = {} }, { today }) => [
    day(today),
    { kind: "part", part: groups["part"] as "morning" | "afternoon" | "evening" },
  ]),

  // Dates.
  reader(`(?:the )?${PLAIN_DAY}(?:st|nd|rd|th)?(?: of| day of)? ${MONTH}${YEAR}`, dated),
  reader(`${MONTH} (?:the )?${PLAIN_DAY}(?:st|nd|rd|th)?${YEAR}`, dated),
  reader(`${PLAIN_DAY}[/.](?<month>1[0-2]|0?[1-9])[/.](?<year>20\\d\\d|19\\d\\d|\\d\\d)`, dated),
  reader(`${PLAIN_DAY}/(?<month>\\d{1,2})`, dated),
  reader(`${MONTH} (?<year>19\\d\\d)|(?:in |year )?19\\d\\d`, () => null),
  reader(`(?:the )?${PLAIN_DAY}(?:st|nd|rd|th)?(?: of)? (?<which>this|next) month`, ({ groups = {} }, hearing) => {
    const { from } = spanOf(groups["which"], "month", hearing);
    const date = dayOf(yearOf(from), monthOf(from), Number(groups["day"]));
    return { kind: "dayOfMonth", date: date !== null && date >= hearing.today ? date : null };
  }),

  reader(`(?:the )?${PLAIN_DAY}(?:st|nd|rd|th)? of the month`, dated),

  // Weeks, months and their parts.
  reader(`(?:the )?week (?:of|starting|beginning)(?: the)? ${DAY_ORDINAL}`, ({ groups = {} }, hearing) => {
    const date = nextWithDay(Number(groups["day"]), hearing);
    return date === null ? null : range(weekRange(date, 0));
  }),
  reader(`${WEEKDAY} (?:of |in )?(?:the )?(?<which>next|this|coming|following) week`, ({ groups = {} }, hearing) =>
    day(weekdayWithin(spanOf(groups["which"], "week", hearing), weekdayNumber(groups["weekday"]))),
  ),
  reader(`(?<which>next|this|coming|following) week(?: on)? ${WEEKDAY}`, ({ groups = {} }, hearing) =>
    day(weekdayWithin(spanOf(groups["which"], "week", hearing), weekdayNumber(groups["weekday"]))),
  ),
  reader(
    `(?:the )?${SHARE}(?: of)?(?: the)?(?: (?<which>this|next|coming))? (?<unit>week|month)`,
    ({ groups = {} }, hearing) =>
      range(shareOf(spanOf(groups["which"], groups["unit"], hearing), groups["share"] ?? "")),
  ),
  reader(`(?:the )?${SHARE}(?: of| in)? ${MONTH}`, ({ groups = {} }, hearing) =>
    range(shareOf(comingMonth(groups["month"], hearing), groups["share"] ?? "")),
  ),
  reader("(?:the )?(?<unit>week|month) after next", ({ groups = {} }, { today }) =>
    range(groups["unit"] === "week" ? weekRange(today, 2) : monthRange(yearOf(today), monthOf(today) + 2)),
  ),
  reader("the week after(?: that)?", (_, { today, lastOffered }) => range(weekRange(lastOffered?.date ?? today, 1))),
  reader("(?:later|rest of|remainder of) (?:this |the )week", (_, { today }) =>
    range({ from: addDays(today, 1), to: weekRange(addDays(today, 1), 0).to }),
  ),
  reader(
    "(?:the )?(?<which>this|next|coming|following|the) weekend|(?:on |at |over )?(?:the )?weekends?",
    ({ groups = {} }, { today }) => {
      const which = groups["which"];
      // On a Sunday, "the weekend" is the coming one.
      const isNext = which === "next" || which === "following" || (which !== "this" && weekdayOf(today) === 0);
      const { to } = weekRange(today, isNext ? 1 : 0);
      return range({ from: addDays(to, -1) < today ? today : addDays(to, -1), to });
    },
  ),
  reader("(?:the )?(?<which>this|next|coming|following) (?<unit>week|month)", ({ groups = {} }, hearing) =>
    range(spanOf(groups["which"], groups["unit"], hearing)),
  ),
  reader(`(?:in|during|sometime in|by|next|of) ${MONTH}`, ({ groups = {} }, hearing) =>
    range(comingMonth(groups["month"], hearing)),
  ),

  // Weekdays, then bare days of the month.
  reader(`(?:(?<which>this coming|next|this|coming|following|upcoming) )?${WEEKDAY}`, ({ groups = {} }, hearing) =>
    weekdayPiece(groups["which"] ?? "", groups["weekday"], hearing),
  ),
  reader(
    `(?:on )?(?:the )?${DAY_ORDINAL}(?! (?:one|option|slot|choice|time|floor|appointment|offer|of |thing|available|half|week|visit|call))`,
    (said, hearing) => (isOrdinalOfOffer(Number(said.groups?.["day"]), hearing) ? "unread" : dated(said, hearing)),
  ),
  // A bare number that is too large for an hour.
  reader("(?<=^(?: (?:the|on|okay|yes|maybe))* )(?<day>1[3-9]|2\\d|3[01])(?= (?:\\| )?$)", (said, hearing) =>
    hearing.expecting === "day_or_time" ? dated(said, hearing) : null,
  ),
  reader(`on the ${PLAIN_DAY}(?! \\d\\d )`, dated),
  // "Thursday the 26", after the weekday was consumed.
  readerOf(`(?<=~) the ${PLAIN_DAY}(?= )(?! (?:\\d\\d|oclock|am|pm) )`, dated),
];

/** "The second" among offers is a choice, unless one of them falls on such a day. */
const isOrdinalOfOffer = (number: number, { offers }: Hearing) =>
  number <= offers.length && !offers.some(({ date }) => dayOfMonth(date) === number);

const firstWordOf = (text = "1") => text.replace(/^a couple.*|^couple.*/, "couple").split(" ", 1)[0];

function counted({ groups = {} }: RegExpExecArray, { today, lastOffered }: Hearing): Piece {
  const { unit = "", base } = groups;
  const number = count(firstWordOf(groups["count"]));
  const isFromOffer = base === "later" && lastOffered !== null;
  const start = base === "tomorrow" ? addDays(today, 1) : isFromOffer ? lastOffered.date : today;
  if (unit.startsWith("month")) {
    const { from, to } = monthRange(yearOf(start), monthOf(start) + number);
    return day(dayOf(yearOf(from), monthOf(from), dayOfMonth(start)) ?? to);
  }
  const daysInUnit = unit.startsWith("week") ? 7 : unit === "fortnight" ? 14 : 1;
  return day(addDays(start, number * daysInUnit));
}
