// The hours in which a person may be called at all, for planning ahead. The dispatcher applies every rule.
import type { CallRules, RuleQuestion } from "../call-rules.ts";
import { ruleBook } from "./embedded-books.ts";
import type { OrganisationChanges } from "./rule-book.ts";

/** As without a consent. */
export function legalHoursOf(
  question: Omit<RuleQuestion, "hasConsent">,
  changes: OrganisationChanges,
): CallRules["hours"] & Pick<CallRules, "daysOff"> {
  const { hours, daysOff } = ruleBook().resolve({ ...question, hasConsent: false }, changes);
  return { ...hours, daysOff };
}
