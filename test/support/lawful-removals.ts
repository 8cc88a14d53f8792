// Takes rules away from a lawful world.
import { ruleBook } from "../../src/rules/book/embedded-books.ts";
import type { BookRule } from "../../src/rules/book/book-file.ts";
import { RuleBook } from "../../src/rules/book/rule-book.ts";
import type { DialQuestion } from "../../src/calls/queue/dial-facts.ts";
import type { LegalFacts } from "../../src/calls/queue/legal-facts.ts";
import type { Step, Without } from "./lawful-world.ts";
import { NO_RULES } from "./policy-facts.ts";

export const withLegal =
  (change: (legal: LegalFacts, question: DialQuestion) => Partial<LegalFacts>): Without =>
  ({ facts, number }, question) => ({
    facts: { ...facts, legal: { ...facts.legal, ...change(facts.legal, question) } },
    number,
  });

export const withRules = (change: (rules: LegalFacts["rules"]) => Partial<LegalFacts["rules"]>) =>
  withLegal(({ rules }) => ({ rules: { ...rules, ...change(rules) } }));

export const NO_HOURS = withRules(() => ({ hours: NO_RULES.hours }));

/** The books without these rules. */
export function withoutRules(isMissing: (rule: BookRule) => boolean): Without {
  const book = new RuleBook(
    ruleBook().books.map((each) => ({ ...each, rules: each.rules.filter((rule) => !isMissing(rule)) })),
  );
  return withLegal(({ consent }, { contactNumber: number, place: { region }, agent: { purpose }, known }) => ({
    rules: book.resolve({ number, region, purpose, hasConsent: consent?.state === "given" }, known?.changes),
  }));
}

export const withoutRule = (id: string): Without => {
  if (!ruleBook().rule(id)) throw new Error(`There is no rule ${id}.`);
  return withoutRules((rule) => rule.id === id);
};

/** Has agreed to offers; for so many hours. */
export const agreed = (person: number, hours: number | null = null): Step => ({
  do: "consent",
  person,
  agent: "promotional",
  isGiven: true,
  isBesideDial: false,
  isByService: true,
  hours,
});
