// Spoken days and times. Today is Sunday the 15th of November 2026, nine in the morning.
import { describe, expect, test } from "bun:test";
import type { Expecting, Hearing } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

/** "2026-11-17..2026-11-20 10:30 morning conflict", with the parts that were said. */
function momentIn(text: string, hearing: Partial<Hearing> = {}): string {
  const { moment } = understand(text, { ...HEARING, expecting: "day_or_time", ...hearing });
  if (!moment) return "nothing";
  const { date, dateEnd, time, partOfDay, conflict } = moment;
  const day = dateEnd === null ? date : `${date}..${dateEnd}`;
  return [day, time, partOfDay, conflict ? "conflict" : null].filter((said) => said !== null).join(" ");
}

describe("days:", () => {
  test.each([
    ["today", "2026-11-15"],
    ["tomorrow", "2026-11-16"],
    ["Tomorrow.", "2026-11-16"],
    ["the day after tomorrow", "2026-11-17"],
    ["day after tomorrow please", "2026-11-17"],
    ["Monday", "2026-11-16"],
    ["on Tuesday", "2026-11-17"],
    ["Wednesday would be good", "2026-11-18"],
    ["Could I come on Thursday?", "2026-11-19"],
    ["this Thursday", "2026-11-19"],
    ["this coming Wednesday", "2026-11-18"],
    ["coming Friday", "2026-11-20"],
    ["next Tuesday", "2026-11-17"],
    ["next Saturday", "2026-11-21"],
    ["Sunday", "2026-11-22"],
    ["this Sunday", "2026-11-15"],
    ["next Sunday", "2026-11-22"],
    ["Tuesday week", "2026-11-24"],
    ["a week on Tuesday", "2026-11-24"],
    ["Tuesday after next", "2026-11-24"],
    ["Tuesday next week", "2026-11-17"],
    ["next week Tuesday", "2026-11-17"],
    ["next week on Friday", "2026-11-20"],
    ["Friday of next week", "2026-11-20"],
    ["in three days", "2026-11-18"],
    ["after two days", "2026-11-17"],
    ["two days from now", "2026-11-17"],
    ["in a week", "2026-11-22"],
    ["in two weeks", "2026-11-29"],
    ["in a couple of weeks", "2026-11-29"],
    ["in a fortnight", "2026-11-29"],
    ["a week from tomorrow", "2026-11-23"],
    ["in a month", "2026-12-15"],
    ["after one month", "2026-12-15"],
    ["24", "2026-11-24"],
    ["a week Thursday", "2026-11-26"],
    ["a fortnight from now", "2026-11-29"],
    ["first of the month", "2026-12-01"],
    ["the Monday after next", "2026-11-23"],
  ])("%p is %s", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("dates, day before month:", () => {
  test.each([
    ["the 21st", "2026-11-21"],
    ["on the 21st", "2026-11-21"],
    ["21st", "2026-11-21"],
    ["the twenty first", "2026-11-21"],
    ["on the twenty-first please", "2026-11-21"],
    ["the 3rd", "2026-12-03"],
    ["the thirtieth", "2026-11-30"],
    ["the 31st", "2026-12-31"],
    ["21st November", "2026-11-21"],
    ["the 21st of November", "2026-11-21"],
    ["November 21st", "2026-11-21"],
    ["November the 21st", "2026-11-21"],
    ["November twenty first", "2026-11-21"],
    ["21 November", "2026-11-21"],
    ["21 Nov", "2026-11-21"],
    ["5 December", "2026-12-05"],
    ["5th of December", "2026-12-05"],
    ["the fifth of January", "2027-01-05"],
    ["2nd of February 2027", "2027-02-02"],
    ["December twenty fifth twenty twenty six", "2026-12-25"],
    ["21/11", "2026-11-21"],
    ["5/12", "2026-12-05"],
    ["5/12/2026", "2026-12-05"],
    ["21.11.2026", "2026-11-21"],
    ["the 5th of next month", "2026-12-05"],
    ["20th of this month", "2026-11-20"],
    ["May 5th", "2027-05-05"],
    ["5th May", "2027-05-05"],
    ["Friday the 20th", "2026-11-20"],
    ["Friday, the 20th.", "2026-11-20"],
    ["Friday, 20th November", "2026-11-20"],
    ["Friday, November 20", "2026-11-20"],
    ["tomorrow the 16th", "2026-11-16"],
    ["the 20th, a Friday", "2026-11-20"],
  ])("%p is %s", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("what does not fit together is asked about:", () => {
  test.each([
    ["Friday the 21st", "conflict"],
    ["Friday, the twenty first.", "conflict"],
    ["Monday the 21st of November", "conflict"],
    ["tomorrow the 18th", "conflict"],
    ["the 31st of April", "conflict"],
    ["30th of February", "conflict"],
    ["11/21", "conflict"],
    ["Monday or Thursday", "conflict"],
    ["Friday the 21st at ten", "10:00 conflict"],
    ["the third of November", "conflict"],
    ["today at 8 am", "2026-11-15 08:00 conflict"],
  ])("%p", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("ranges:", () => {
  test.each([
    ["next week", "2026-11-16..2026-11-22"],
    ["sometime next week", "2026-11-16..2026-11-22"],
    ["the week after next", "2026-11-23..2026-11-29"],
    ["this weekend", "2026-11-15"],
    ["next weekend", "2026-11-21..2026-11-22"],
    ["on the weekend", "2026-11-21..2026-11-22"],
    ["not this week, the week after", "2026-11-16..2026-11-22"],
    ["tomorrow or the day after", "2026-11-16..2026-11-17"],
    ["next month", "2026-12-01..2026-12-31"],
    ["this month", "2026-11-15..2026-11-30"],
    ["end of the month", "2026-11-24..2026-11-30"],
    ["at the end of this month", "2026-11-24..2026-11-30"],
    ["the beginning of next month", "2026-12-01..2026-12-07"],
    ["middle of next month", "2026-12-11..2026-12-20"],
    ["first week of December", "2026-12-01..2026-12-07"],
    ["end of December", "2026-12-25..2026-12-31"],
    ["in December", "2026-12-01..2026-12-31"],
    ["early next week", "2026-11-16..2026-11-18"],
    ["end of next week", "2026-11-20..2026-11-22"],
    ["the week of the 23rd", "2026-11-23..2026-11-29"],
    ["in a few days", "2026-11-17..2026-11-20"],
    ["in a week or two", "2026-11-22..2026-11-29"],
    ["Thursday or Friday", "2026-11-19..2026-11-20"],
    ["between Monday and Wednesday", "conflict"],
    ["from Monday to Wednesday", "2026-11-16..2026-11-18"],
    ["after the 20th", "2026-11-21..2026-12-04"],
    ["not before Thursday", "2026-11-19..2026-12-02"],
    ["before Friday", "2026-11-15..2026-11-19"],
    ["by Friday", "2026-11-15..2026-11-20"],
    ["I'm away until Thursday", "2026-11-19..2026-12-02"],
    ["after next week", "2026-11-23..2026-12-06"],
    ["within a week", "2026-11-15..2026-11-22"],
  ])("%p is %s", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("times:", () => {
  test.each([
    ["half past ten", "10:30"],
    ["half past 10", "10:30"],
    ["half ten", "10:30"],
    ["quarter past nine", "09:15"],
    ["quarter to four", "15:45"],
    ["a quarter to five in the evening", "16:45 evening"],
    ["ten to four", "15:50"],
    ["twenty past nine", "09:20"],
    ["five past eleven", "11:05"],
    ["ten thirty", "10:30"],
    ["10.30", "10:30"],
    ["10:30", "10:30"],
    ["10:30 a.m.", "10:30"],
    ["10.30 a.m.", "10:30"],
    ["10 30", "10:30"],
    ["at 1030", "10:30"],
    ["nine fifteen", "09:15"],
    ["eleven forty five", "11:45"],
    ["ten oh five", "10:05"],
    ["two thirty", "14:30"],
    ["two thirty pm", "14:30"],
    ["ten o'clock", "10:00"],
    ["10 o clock", "10:00"],
    ["four o'clock", "16:00"],
    ["at ten", "10:00"],
    ["at four", "16:00"],
    ["around six", "18:00"],
    ["10 a.m.", "10:00"],
    ["10am", "10:00"],
    ["ten a m", "10:00"],
    ["4 p.m.", "16:00"],
    ["4pm", "16:00"],
    ["8 pm", "20:00"],
    ["eight in the evening", "20:00 evening"],
    ["seven in the morning", "07:00 morning"],
    ["nine at night", "21:00 evening"],
    ["3 in the afternoon", "15:00 afternoon"],
    ["14:30", "14:30"],
    ["at noon", "12:00"],
    ["midday", "12:00"],
    ["12 noon", "12:00"],
    ["twelve thirty", "12:30"],
    ["ten", "10:00"],
    ["Ten, please.", "10:00"],
    ["let's say eleven", "11:00"],
    ["in the morning", "morning"],
    ["mornings are best", "morning"],
    ["early morning", "morning"],
    ["first thing in the morning", "morning"],
    ["afternoon", "afternoon"],
    ["after lunch", "afternoon"],
    ["before lunch", "morning"],
    ["before noon", "morning"],
    ["evening please", "evening"],
    ["after work", "evening"],
    ["after three", "15:00"],
    ["not before eleven", "11:00"],
    ["before eleven", "morning"],
    ["between two and four", "14:00"],
    ["from 10 to 12", "10:00"],
    ["between 2 and 4 pm", "14:00"],
    ["ten or eleven", "morning"],
  ])("%p is %s", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("days with times:", () => {
  test.each([
    ["tomorrow morning", "2026-11-16 morning"],
    ["tomorrow at ten", "2026-11-16 10:00"],
    ["Wednesday afternoon", "2026-11-18 afternoon"],
    ["Thursday one thirty", "2026-11-19 13:30"],
    ["tomorrow at half past ten", "2026-11-16 10:30"],
    ["tomorrow 10", "2026-11-16 10:00"],
    ["tomorrow ten thirty", "2026-11-16 10:30"],
    ["ten thirty tomorrow", "2026-11-16 10:30"],
    ["Call me tomorrow at ten.", "2026-11-16 10:00"],
    ["next Tuesday after three", "2026-11-17 15:00"],
    ["Monday at nine fifteen", "2026-11-16 09:15"],
    ["Saturday evening around six", "2026-11-21 18:00 evening"],
    ["any time before noon on Thursday", "2026-11-19 morning"],
    ["between two and four tomorrow", "2026-11-16 14:00"],
    ["twenty first of December at two thirty pm", "2026-12-21 14:30"],
    ["next week in the afternoon", "2026-11-16..2026-11-22 afternoon"],
    ["this evening", "2026-11-15 evening"],
    ["this evening at 7", "2026-11-15 19:00 evening"],
    ["tonight at eight", "2026-11-15 20:00 evening"],
    ["today at five", "2026-11-15 17:00"],
    ["today at eight", "2026-11-15 20:00"],
    ["Thursday the 19th at 4 p.m.", "2026-11-19 16:00"],
    ["Thursday, 19 November, 10:30", "2026-11-19 10:30"],
    ["in an hour", "2026-11-15 10:00"],
    ["in half an hour", "2026-11-15 09:30"],
    ["after ten minutes", "2026-11-15 09:10"],
    ["in two hours", "2026-11-15 11:00"],
    ["in an hour and a half", "2026-11-15 10:30"],
  ])("%p is %s", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("what was denied or taken back is not the moment:", () => {
  test.each([
    ["not today, Thursday", "2026-11-19"],
    ["not today Thursday", "2026-11-19"],
    ["not Thursday", "nothing"],
    ["any day but Monday", "nothing"],
    ["Sunday is not possible but Monday is", "2026-11-16"],
    ["Wednesday, not Thursday", "2026-11-18"],
    ["make it four instead of three", "16:00"],
    ["I can't come on Thursday", "nothing"],
    ["I can't come on Thursday or Friday", "nothing"],
    ["I can't come on Thursday, what about Friday?", "2026-11-20"],
    ["I'm busy on Monday", "nothing"],
    ["Thursday doesn't work", "nothing"],
    ["Thursday I can't, but Friday is fine", "2026-11-20"],
    ["Thursday is too early", "nothing"],
    ["Friday instead of Thursday", "2026-11-20"],
    ["Thursday, no, Friday", "2026-11-20"],
    ["Thursday, sorry, I mean Friday", "2026-11-20"],
    ["not in the morning", "nothing"],
    ["not Thursday morning", "nothing"],
    ["why not Thursday", "2026-11-19"],
    ["I don't mind Thursday", "2026-11-19"],
  ])("%p is %s", (text, moment) => expect(momentIn(text)).toBe(moment));
});

describe("no moment is made up from", () => {
  test.each([
    "yes",
    "I may come",
    "Good morning.",
    "Good evening, who is this?",
    "just a second",
    "one second please",
    "that one",
    "the first one",
    "I have two questions",
    "yesterday",
    "last week",
    "I was born on the 4th of June 1962",
    "the fourth of June nineteen sixty two",
    "I came last Monday",
    "for two people",
    "my number is 98 40 21 33",
    "we march on",
    "I'm fine",
    "second floor",
    "no",
    "",
  ])("%p", (text) => expect(momentIn(text, { expecting: "yes_no" })).toBe("nothing"));
});

describe("from the place that was offered last:", () => {
  const lastOffered = { date: "2026-11-19", startTime: "10:30" };
  test.each([
    ["the day after", "2026-11-20"],
    ["the next day", "2026-11-20"],
    ["the day before", "2026-11-18"],
    ["a day later", "2026-11-20"],
    ["the same day in the afternoon", "2026-11-19 afternoon"],
    ["same time on Friday", "2026-11-20 10:30"],
    ["a week later", "2026-11-26"],
    ["an hour later", "2026-11-19 11:30"],
  ])("%p is %s", (text, moment) => expect(momentIn(text, { lastOffered })).toBe(moment));

  test("without one nothing is said by it", () => {
    for (const text of ["the day after", "same time", "the same day"]) expect(momentIn(text)).toBe("nothing");
  });
});

describe("on other days of the week and year:", () => {
  test.each([
    ["2026-11-16", "next Thursday", "2026-11-26"],
    ["2026-11-16", "this Thursday", "2026-11-19"],
    ["2026-11-16", "Thursday", "2026-11-19"],
    ["2026-11-16", "Monday", "2026-11-23"],
    ["2026-11-20", "next Tuesday", "2026-11-24"],
    ["2026-11-16", "this weekend", "2026-11-21..2026-11-22"],
    ["2026-12-31", "tomorrow", "2027-01-01"],
    ["2026-12-20", "the 5th", "2027-01-05"],
    ["2026-12-20", "next month", "2027-01-01..2027-01-31"],
    ["2027-01-31", "in a month", "2027-02-28"],
    ["2027-01-31", "the 30th", "2027-03-30"],
    ["2028-02-28", "tomorrow", "2028-02-29"],
    ["2026-11-18", "this week", "2026-11-18..2026-11-22"],
  ])("on %s, %p is %s", (today, text, moment) => expect(momentIn(text, { today })).toBe(moment));
});

describe("a bare hour is the one to come:", () => {
  test.each<[nowTime: string, expecting: Expecting, text: string, moment: string]>([
    ["14:00", "callback_time", "at eight", "20:00"],
    ["14:00", "callback_time", "tomorrow at eight", "2026-11-16 08:00"],
    ["14:00", "callback_time", "at five", "17:00"],
    ["14:00", "callback_time", "half an hour", "2026-11-15 14:30"],
    ["14:00", "callback_time", "two hours", "2026-11-15 16:00"],
    ["23:30", "callback_time", "in an hour", "2026-11-16 00:30"],
  ])("at %s, asked for %s, %p is %s", (nowTime, expecting, text, moment) =>
    expect(momentIn(text, { nowTime, expecting })).toBe(moment),
  );
});

test("a day of the month without its ending counts beside a weekday", () => {
  const said = (text: string) => understand(text, { ...HEARING, expecting: "yes_no" }).moment;
  for (const text of [
    "Thursday the 26 at ten thirty",
    "Thursday, the twenty six, that ten, thirty",
    "on thursday the twenty six",
  ])
    expect(said(text)).toMatchObject({ date: "2026-11-26", conflict: false });
  expect(said("Thursday the 26 at ten thirty")).toMatchObject({ time: "10:30" });
  // The 27th is a Friday.
  expect(said("Thursday the 27 at ten")).toMatchObject({ conflict: true });
  expect(said("Thursday at ten thirty")).toMatchObject({ date: "2026-11-19", time: "10:30" });
});
