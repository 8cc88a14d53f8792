// Values of rules in words.
import { CANADA } from "../../../payloads/lawful.ts";
import type { RuleView } from "../../../rules/book/model.ts";
import type { ValueOf } from "../../../rules/book/rule-values.ts";
import { weekdayName } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.rules;
const EVERY_DAY = 7;
const WEEK = [1, 2, 3, 4, 5, 6, 0];
const SHORTEST_RANGE = 3;
/** More dates than these are counted instead of listed. */
const MOST_DATES = 6;

export function hoursInWords({ start, end, days }: ValueOf<"hours">): string {
  if (days.length === 0) return words.never;
  const names = days.length === EVERY_DAY ? words.everyDay : daysInWords(days);
  return `${words.hours(start, end)}, ${names}`;
}

/** From Monday on; days in a row as a range. */
function daysInWords(days: readonly number[]): string {
  const ordered = WEEK.filter((day) => days.includes(day));
  const names = ordered.map((day) => weekdayName(day, "short"));
  const first = WEEK.indexOf(ordered[0] ?? 0);
  const isRow = names.length >= SHORTEST_RANGE && ordered.every((day, at) => day === WEEK[first + at]);
  return isRow ? `${names[0] ?? ""}–${names.at(-1) ?? ""}` : names.join(", ");
}

export function datesInWords(dates: readonly string[]): string {
  if (dates.length === 0) return words.noDays;
  return dates.length > MOST_DATES ? words.daysCount(dates.length) : dates.join(", ");
}

export const limitInWords = (limit: number | "unlimited" | null): string =>
  limit === null || limit === "unlimited" ? words.unlimited : String(limit);

export const callerIdInWords = (prefix: string | null): string =>
  prefix === null || prefix === "any" ? words.anyNumber : words.prefix(prefix);

export const wordOf = (value: string): string => words.words[value as keyof typeof words.words];

export const noticesInWords = (kinds: readonly (keyof typeof words.notices)[]): string =>
  kinds.map((kind) => words.notices[kind]).join(", ");

export function valueInWords(setting: RuleView["setting"], value: unknown): string {
  switch (setting) {
    case "hours":
      return hoursInWords(value as ValueOf<"hours">);
    case "days_off":
      return datesInWords(value as string[]);
    case "per_day":
    case "per_week":
      return limitInWords(value as ValueOf<"per_day">);
    case "caller_id":
      return callerIdInWords(value as string);
    case "notices":
      return noticesInWords(value as ValueOf<"notices">);
    case "consent":
    case "recording":
      return wordOf(value as string);
  }
}

/** A state, or Canada. */
export const stateInWords = (state: string): string => (state === CANADA ? words.canada : state);

/** Purpose, states and consent that a rule concerns. */
export function scopeInWords({ purposes, states, given }: RuleView): string {
  const isAll = purposes.length === Object.keys(words.purposes).length;
  return [
    isAll ? words.everyCall : purposes.map((purpose) => words.purposes[purpose]).join(", "),
    given && words.given[given],
    states && words.states(states.map(stateInWords).join(", ")),
  ]
    .filter(Boolean)
    .join(" · ");
}
