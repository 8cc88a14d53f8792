// Parser for a rule book (config/rules): rules as data, each with its source. All faults are reported at once.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { US_STATES } from "../../core/area-codes.ts";
import { messageOf } from "../../core/errors.ts";
import { allowedBy } from "../../core/schema-words.ts";
import { CANADA, PURPOSES } from "../../payloads/lawful.ts";
import { oneOf, RULE_SETTINGS, VALUE_SCHEMAS, type RuleSetting, type RuleValue } from "./rule-values.ts";

/** `reported`: lists and summaries name the value; the text of the law was not confirmed. */
export const RULE_BASES = ["law", "reported", "caution"] as const;

const some = <T extends string>(words: readonly T[]) => Type.Array(oneOf(words), { minItems: 1, uniqueItems: true });

const RuleSchema = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z]{2}(-[a-z]+)+$", maxLength: 60, allowed: "small letters and hyphens" }),
    setting: oneOf(RULE_SETTINGS),
    purposes: Type.Optional(some(PURPOSES)),
    states: Type.Optional(Type.Array(Type.String(), { minItems: 1, uniqueItems: true })),
    given: Type.Optional(oneOf(["consent", "no_consent"])),
    value: Type.Unknown(),
    basis: oneOf(RULE_BASES),
    source: Type.String({ minLength: 10, maxLength: 400 }),
  },
  { additionalProperties: false },
);

const BookSchema = Type.Object(
  {
    version: Type.String({ pattern: "^[a-z]{2}-[0-9]{4}\\.[0-9]{2}$", allowed: "country, year and month: us-2026.11" }),
    country: oneOf(["IN", "US"]),
    calling_code: Type.String({ pattern: "^\\+[1-9][0-9]{0,2}$", allowed: "a calling code such as +91" }),
    disclaimer: Type.String({ minLength: 10 }),
    rules: Type.Array(RuleSchema, { minItems: 1 }),
  },
  { additionalProperties: false },
);

export type BookRule = Omit<Static<typeof RuleSchema>, "value"> & { value: RuleValue };
export type Book = Omit<Static<typeof BookSchema>, "rules"> & { rules: readonly BookRule[] };

export class RuleBookError extends Error {
  constructor(file: string, faults: readonly string[]) {
    super(`${file} has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n  - ${faults.join("\n  - ")}`);
    this.name = "RuleBookError";
  }
}

export function parseBook(file: string, toml: string): Book {
  const book = parsedToml(file, toml);
  if (!Value.Check(BookSchema, book)) {
    const faults = [...Value.Errors(BookSchema, book)].map(
      ({ path, schema }) => `${path.slice(1).replaceAll("/", ".") || "the file"}: must be ${allowedBy(schema)}.`,
    );
    throw new RuleBookError(file, [...new Set(faults)]);
  }
  const faults = book.rules.flatMap((rule, index) => faultsOf(rule, book, index));
  if (faults.length > 0) throw new RuleBookError(file, faults);
  return book as Book;
}

function parsedToml(file: string, toml: string): unknown {
  try {
    return Bun.TOML.parse(toml);
  } catch (error) {
    throw new RuleBookError(file, [`cannot be read as TOML: ${messageOf(error)}`]);
  }
}

function faultsOf(rule: Static<typeof RuleSchema>, book: Static<typeof BookSchema>, index: number): string[] {
  const { id, setting, value, states = [] } = rule;
  const faults = valueFaults(setting, value).map((fault) => `${id}: ${fault}`);
  const prefix = `${book.country.toLowerCase()}-`;
  if (!id.startsWith(prefix)) faults.push(`${id}: the id must start with ${prefix}.`);
  if (book.rules.findIndex((other) => other.id === id) !== index) faults.push(`${id}: two rules have this id.`);
  if (rule.states && book.country !== "US") faults.push(`${id}: only rules of the United States have states.`);
  const unknown = states.filter((state) => state !== CANADA && !US_STATES.includes(state));
  if (unknown.length > 0) faults.push(`${id}: no such state: ${unknown.join(", ")}.`);
  return faults;
}

/** What is wrong with the value of a setting, in words; empty if nothing is. */
export function valueFaults(setting: RuleSetting, value: unknown): string[] {
  const faults = [...Value.Errors(VALUE_SCHEMAS[setting], value)].map(
    ({ path, schema }) => `value${path.replaceAll("/", ".")} must be ${allowedBy(schema)}.`,
  );
  if (faults.length > 0) return [...new Set(faults)].slice(0, 5);
  if (setting === "hours") {
    const { start, end } = value as { start: string; end: string };
    if (start >= end) return ["value.start must be before value.end."];
  }
  if (setting === "days_off") {
    const wrong = (value as string[]).filter((day) => !isDate(day));
    if (wrong.length > 0) return [`value has a date that does not exist: ${wrong.slice(0, 5).join(", ")}.`];
  }
  return [];
}

/** 29 February exists in every year's form. */
function isDate(day: string): boolean {
  const full = day.length === 5 ? `2028-${day}` : day;
  const time = Date.parse(`${full}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(full);
}
