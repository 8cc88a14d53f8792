// Script of the demo hospital's two weeks, day by day: calls, bookings and lists, with their times. Deterministic.
import { DAY_MS, MINUTE_MS } from "../core/clock.ts";
import { addDays, instantOf, wallTime, weekdayOf } from "../core/zones.ts";
import { isDaytime, openFrom } from "./daytime.ts";
import { friendlyPersonAt, personAt } from "./people.ts";
import type { Act } from "./past-loop.ts";
import type { DemoStaff } from "./staff.ts";

export const HISTORY_DAYS = 14;
/** A day of the story begins and ends outside calling hours. */
const DAY_BEGINS_MINUTE = 6 * 60;
const LEAST_DAY_MS = 30 * MINUTE_MS;
const SUNDAY = 0;
const MONDAY = 1;

/** Few enough to be generated within two seconds of the start: each costs about 12 ms on a busy core. */
const CALLS_AT = ["10:20", "10:21", "15:10"];
/** People called individually; the others are on the lists. */
const CALLED_ONE_BY_ONE = 40;
/** On its day, or on the next if that is a Sunday. */
const FIRST_LIST = { day: 5, at: "11:00", places: { from: 40, count: 10 } };
/** One call per minute, the last of them in the daytime. */
const LIST_OF_TODAY = { places: { from: 50, count: 50 }, begunBefore: 15 * MINUTE_MS, takes: 50 * MINUTE_MS };

export interface StoryDay {
  /** From 0. */
  day: number;
  from: number;
  until: number;
}

/** Early enough that the first day is complete at any time of day. */
export function beginningOf(now: number, zone: string): number {
  return instantOf(
    addDays(wallTime(now - DAY_BEGINS_MINUTE * MINUTE_MS, zone).date, -HISTORY_DAYS),
    DAY_BEGINS_MINUTE,
    zone,
  );
}

/** Days left to generate; the last one ends now. */
export function daysLeft(beginsAt: number, madeUntil: number, now: number, zone: string): StoryDay[] {
  const days: StoryDay[] = [];
  const first = wallTime(beginsAt, zone).date;
  let from = beginsAt;
  for (let day = 0; from < now; day++) {
    const end = instantOf(addDays(first, day + 1), DAY_BEGINS_MINUTE, zone);
    // A day that has hardly begun is part of the previous one, so its list has been called for a while.
    const until = now - end < LEAST_DAY_MS ? now : end;
    if (until > madeUntil) days.push({ day, from: Math.max(from, madeUntil), until });
    from = until;
  }
  return days;
}

/** `isLast`: the day ends now. */
export function actsOf({ day, from, until }: StoryDay, isLast: boolean, staff: DemoStaff, zone: string): Act[] {
  const { date } = wallTime(from, zone);
  const at = (time: string): number => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    return instantOf(date, hours * 60 + minutes, zone);
  };
  const acts: Act[] = [];
  const plan = (when: number, run: Act["run"], makes?: Act["makes"]) =>
    acts.push({ at: when, run, ...(makes && { makes }) });
  if (day === 0) plan(from, () => staff.remindTheDayBefore("17:00"));
  if (weekdayOf(date) !== SUNDAY) planWorkday(day, date, staff, (time, ...act) => plan(at(time), ...act));
  if (isLast) {
    const made = Math.max(from, until - LIST_OF_TODAY.begunBefore);
    plan(
      made,
      () => staff.startCampaign("Check-ups of this month", LIST_OF_TODAY.places, 1, listBegins(made, zone)),
      "lists",
    );
  }
  return acts.filter((act) => act.at >= from);
}

/** Immediately if the whole list fits into the day; otherwise the next morning. */
export function listBegins(made: number, zone: string): number {
  return isDaytime(made + LIST_OF_TODAY.takes, zone)
    ? openFrom(made, zone)
    : openFrom(made + LIST_OF_TODAY.takes, zone);
}

function planWorkday(
  day: number,
  date: string,
  staff: DemoStaff,
  plan: (time: string, run: Act["run"], makes?: Act["makes"]) => void,
): void {
  plan("09:05", () => staff.book(friendlyPersonAt(day * 2 + 20), 1));
  if (day % 2 === 0) plan("09:15", () => staff.book(friendlyPersonAt(day * 2 + 21), 3));
  for (const [i, time] of CALLS_AT.slice(day % 2).entries())
    plan(time, () => staff.call(personAt((day * CALLS_AT.length + i) % CALLED_ONE_BY_ONE)), "calls");
  if (day % 4 === 2) plan("13:15", () => staff.cancelOne(addDays(date, 1)));
  const isAfterSunday = weekdayOf(date) === MONDAY;
  if (day === FIRST_LIST.day || (isAfterSunday && day - 1 === FIRST_LIST.day))
    plan(FIRST_LIST.at, () => staff.startCampaign("Vaccination against influenza", FIRST_LIST.places, 4), "lists");
  if (day % 3 === 1) plan("16:00", () => staff.waits(day * 5 + 50, ["Evening"]));
  if (day % 6 === 4) plan("16:10", () => staff.waits(day * 5 + 57, ["Afternoon", "Evening"]));
  if (day % 5 === 3) plan("16:20", () => staff.note(personAt(day), "Simulated note: prefers to be called after ten."));
  plan("17:40", () => staff.settleUntil(date));
  plan("17:45", () => staff.tickOff(staff.aDayAgo));
  plan("17:50", () => staff.lookAtWorklist());
}

/** Progress of the generation, for the waiting visitor. */
export function progressOf(beginsAt: number, madeUntil: number): { day: number; days: number } {
  return { day: Math.min(HISTORY_DAYS, Math.round((madeUntil - beginsAt) / DAY_MS)), days: HISTORY_DAYS };
}
