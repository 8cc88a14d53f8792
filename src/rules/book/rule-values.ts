// Settings of the rule books: which values each takes, which of two is stricter, and how they combine.
import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { NOTICE_KINDS, RECORDING_MODES, strictestMode } from "../../payloads/lawful.ts";

const clockTime = Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", allowed: "a time as HH:MM" });
const MOST_DAYS_OFF = 200;
const DAY_OFF = "^([0-9]{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
/** One of these words. */
export const oneOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(words.map((word) => Type.Literal(word))));
const limit = Type.Union([Type.Integer({ minimum: 1, maximum: 100 }), Type.Literal("unlimited")], {
  allowed: "a whole number from 1 to 100, or unlimited",
});

export const HoursSchema = Type.Object(
  {
    start: clockTime,
    end: clockTime,
    days: Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      allowed: "a list of days, 0 (Sunday) to 6, with at least one",
    }),
  },
  { additionalProperties: false },
);

/** Setting → what a value of it looks like. */
export const VALUE_SCHEMAS = {
  hours: HoursSchema,
  days_off: Type.Array(Type.String({ pattern: DAY_OFF, allowed: "a date as YYYY-MM-DD, or MM-DD for every year" }), {
    maxItems: MOST_DAYS_OFF,
    uniqueItems: true,
  }),
  per_day: limit,
  per_week: limit,
  consent: oneOf(["needed", "not_needed"]),
  caller_id: Type.String({ pattern: "^(any|\\+[0-9]{1,10})$", allowed: "any, or a prefix such as +91140" }),
  recording: oneOf(RECORDING_MODES),
  notices: Type.Array(oneOf(NOTICE_KINDS), { minItems: 1, maxItems: NOTICE_KINDS.length, uniqueItems: true }),
} as const satisfies Record<string, TSchema>;

export type RuleSetting = keyof typeof VALUE_SCHEMAS;
export type ValueOf<S extends RuleSetting> = Static<(typeof VALUE_SCHEMAS)[S]>;
export type RuleValue = ValueOf<RuleSetting>;

export const RULE_SETTINGS = Object.keys(VALUE_SCHEMAS) as RuleSetting[];

type Hours = ValueOf<"hours">;
type Limit = ValueOf<"per_day">;

const later = (one: string, other: string) => (one > other ? one : other);
const earlier = (one: string, other: string) => (one < other ? one : other);
const limitOf = (value: Limit) => (value === "unlimited" ? Infinity : value);
const smaller = (one: Limit, other: Limit) => (limitOf(one) <= limitOf(other) ? one : other);
const union = <T>(one: readonly T[], other: readonly T[]) => [...new Set([...one, ...other])];

function overlap(one: Hours, other: Hours): Hours {
  const start = later(one.start, other.start);
  const end = earlier(one.end, other.end);
  return { start, end, days: start < end ? one.days.filter((day) => other.days.includes(day)) : [] };
}

/** Setting → a value that satisfies both. Hours that never overlap have no days. */
const COMBINED: { readonly [S in RuleSetting]: (one: ValueOf<S>, other: ValueOf<S>) => ValueOf<S> } = {
  hours: overlap,
  days_off: (one, other) => union(one, other).toSorted(),
  per_day: smaller,
  per_week: smaller,
  consent: (one, other) => (one === "needed" ? one : other),
  // No number has two prefixes unless one begins with the other.
  caller_id: (one, other) => (other === "any" || one.startsWith(other) ? one : other),
  recording: (one, other) => strictestMode([one, other]),
  notices: (one, other) => union(one, other),
};

export function strictest<S extends RuleSetting>(setting: S, values: readonly ValueOf<S>[]): ValueOf<S> | null {
  const [first, ...others] = values;
  return first === undefined ? null : others.reduce(COMBINED[setting], first);
}

/** Whether every call that `value` allows is also allowed by `other`. */
export function isAsStrict<S extends RuleSetting>(setting: S, value: ValueOf<S>, other: ValueOf<S>): boolean {
  return isSameValue(COMBINED[setting](value, other), value);
}

export function isSameValue(one: RuleValue, other: RuleValue): boolean {
  return Value.Equal(sorted(one), sorted(other));
}

/** The order of days, dates and notices has no meaning. */
function sorted(value: RuleValue): unknown {
  if (Array.isArray(value)) return value.map(String).toSorted();
  return typeof value === "object" ? { ...value, days: value.days.map(String).toSorted() } : value;
}
