// Resolves the legal rules of a call: every rule of the callee's country that matches, with the organisation's changes,
// combined to the strictest value of each setting.
import { US_STATES } from "../../core/area-codes.ts";
import { calleeState, isCanadian } from "../../core/callee-zone.ts";
import { AppError } from "../../core/errors.ts";
import { CANADA } from "../../payloads/lawful.ts";
import type { CallRules, RuleQuestion } from "../call-rules.ts";
import type { Book, BookRule } from "./book-file.ts";
import { strictest, type RuleSetting, type RuleValue, type ValueOf } from "./rule-values.ts";

/** The value of a rule in an organisation. */
export interface OwnValue {
  value: RuleValue;
  /** Recorded as looser than the book, with a reason. It replaces the book's value; any other value only adds to it. */
  isLooser: boolean;
}

/** What an organisation changed, by rule id. */
export interface OrganisationChanges {
  /** Counts every change ever made; 0 if there is none. Part of the version of the resolved rules. */
  revision: number;
  values: ReadonlyMap<string, OwnValue>;
}

export const NO_CHANGES: OrganisationChanges = { revision: 0, values: new Map() };

/** A rule that applies to a call, with the value that holds in the organisation. */
export interface AppliedRule {
  rule: BookRule;
  value: RuleValue;
}

export class RuleBook {
  readonly #resolved = new WeakMap<OrganisationChanges, Map<string, CallRules>>();
  readonly #byId: ReadonlyMap<string, BookRule>;

  constructor(readonly books: readonly Book[]) {
    this.#byId = new Map(books.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule] as const)));
  }

  rule(id: string): BookRule | null {
    return this.#byId.get(id) ?? null;
  }

  /**
   * Memoized: the dispatcher asks for every candidate of a round. The result depends on country, state, purpose and
   * consent alone, so the memory is bounded.
   */
  resolve(question: RuleQuestion, changes: OrganisationChanges = NO_CHANGES): CallRules {
    const book = this.bookOf(question.number);
    const region = regionOf(book, question);
    const key = `${book.country} ${region} ${question.purpose} ${question.hasConsent}`;
    const memory = this.#resolved.get(changes) ?? new Map<string, CallRules>();
    this.#resolved.set(changes, memory);
    const known = memory.get(key) ?? combined(book, region, this.applied(question, changes), changes.revision);
    memory.set(key, known);
    return known;
  }

  /** The rules behind the answer of `resolve`, for people. */
  applied(question: RuleQuestion, changes: OrganisationChanges = NO_CHANGES): AppliedRule[] {
    const book = this.bookOf(question.number);
    const region = regionOf(book, question);
    return book.rules
      .filter((rule) => matches(rule, question, region))
      .map((rule) => ({ rule, value: valueIn(changes, rule) }));
  }

  bookOfRule(id: string): Book {
    const book = this.books.find(({ rules }) => rules.some((rule) => rule.id === id));
    if (!book) throw new Error(`No book has the rule ${id}.`);
    return book;
  }

  hasRulesFor(number: string): boolean {
    return this.books.some(({ calling_code }) => number.startsWith(calling_code));
  }

  bookOf(number: string): Book {
    const book = this.books.find(({ calling_code }) => number.startsWith(calling_code));
    if (book) return book;
    const codes = this.books.map(({ country, calling_code }) => `${country} (${calling_code})`).join(" and ");
    throw new AppError("UNSUPPORTED_COUNTRY", `There are no rules for this country. Calls go to ${codes}.`);
  }
}

/**
 * The value of a rule with the organisation's change. A change that was stricter when it was made is combined with the
 * book, whose newer version may be stricter still.
 */
export function valueIn({ values }: OrganisationChanges, { id, setting, value }: BookRule): RuleValue {
  const own = values.get(id);
  if (!own) return value;
  return own.isLooser ? own.value : (strictest(setting, [value as never, own.value as never]) ?? value);
}

/**
 * The state given with the call, or that of the area code, or Canada. Null if it is not known. Without a state, every
 * state's rules apply.
 */
function regionOf(book: Book, { region, number }: RuleQuestion): string | null {
  if (book.country !== "US") return null;
  if (region === null) return calleeState(number) ?? (isCanadian(number) ? CANADA : null);
  const state = region.toUpperCase();
  return US_STATES.includes(state) ? state : null;
}

function matches(rule: BookRule, { purpose, hasConsent }: RuleQuestion, region: string | null): boolean {
  if (rule.purposes && !rule.purposes.includes(purpose)) return false;
  if (rule.given && hasConsent !== (rule.given === "consent")) return false;
  if (!rule.states || (region !== null && rule.states.includes(region))) return true;
  const isInState = region !== null && region !== CANADA;
  return !isInState && rule.states.some((state) => state !== CANADA);
}

const EVERY_DAY = { start: "00:00", end: "23:59", days: [0, 1, 2, 3, 4, 5, 6] };

function combined(book: Book, region: string | null, applied: readonly AppliedRule[], revision: number): CallRules {
  const valueOf = <S extends RuleSetting>(setting: S): ValueOf<S> | null =>
    strictest(
      setting,
      applied.filter(({ rule }) => rule.setting === setting).map(({ value }) => value as ValueOf<S>),
    );
  const limit = (value: ValueOf<"per_day"> | null) => (value === "unlimited" ? null : value);
  const prefix = valueOf("caller_id");
  return {
    version: revision === 0 ? book.version : `${book.version}+${revision}`,
    country: book.country,
    region,
    hours: valueOf("hours") ?? EVERY_DAY,
    daysOff: valueOf("days_off") ?? [],
    perDay: limit(valueOf("per_day")),
    perWeek: limit(valueOf("per_week")),
    needsConsent: valueOf("consent") === "needed",
    callerIdPrefix: prefix === "any" ? null : prefix,
    recording: valueOf("recording") ?? "announce",
  };
}
