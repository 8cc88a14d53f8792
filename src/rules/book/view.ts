// Rules as people and API clients see them.
import { zonesOfState } from "../../core/area-codes.ts";
import { calleeZones } from "../../core/callee-zone.ts";
import { toIso } from "../../core/clock.ts";
import { assertDiallable } from "../../core/phone.ts";
import { NOTICE_KINDS, PURPOSES, type NoticeKind } from "../../payloads/lawful.ts";
import type { RuleQuestion } from "../call-rules.ts";
import type { BookRule } from "./book-file.ts";
import { ruleBook } from "./embedded-books.ts";
import type { RulesForView, RulesView, RuleView } from "./model.ts";
import type { RuleChange } from "./records.ts";
import { valueIn, type OrganisationChanges } from "./rule-book.ts";

/** The books with the organisation's values. `current`: the newest change of each rule. */
export function rulesView(
  changes: OrganisationChanges,
  current: readonly RuleChange[],
  isEnforced: boolean,
): RulesView {
  const byRule = new Map(current.map((change) => [change.rule_id, change]));
  return {
    data: ruleBook().books.map(({ rules, ...book }) => ({
      ...book,
      rules: rules.map((rule) => ruleView(rule, changes, byRule.get(rule.id))),
    })),
    revision: changes.revision,
    enforced: isEnforced,
  };
}

export function ruleView(rule: BookRule, changes: OrganisationChanges, change: RuleChange | undefined): RuleView {
  const isChanged = change !== undefined && changes.values.has(rule.id);
  return {
    rule_id: rule.id,
    setting: rule.setting,
    purposes: [...(rule.purposes ?? PURPOSES)],
    states: rule.states ?? null,
    given: rule.given ?? null,
    value: valueIn(changes, rule),
    book_value: rule.value,
    basis: rule.basis,
    source: rule.source,
    change: isChanged ? { is_looser: change.is_looser, reason: change.reason, changed_at: toIso(change.at) } : null,
  };
}

/** What applies to a call to this number. */
export function rulesForView(question: RuleQuestion, changes: OrganisationChanges): RulesForView {
  assertDiallable(question.number, "number");
  const rules = ruleBook().resolve(question, changes);
  const applied = ruleBook().applied(question, changes);
  const said = new Set(
    applied.flatMap(({ rule, value }) => (rule.setting === "notices" ? (value as NoticeKind[]) : [])),
  );
  const ofRegion = question.region !== null && rules.region !== null ? zonesOfState(rules.region) : [];
  return {
    version: rules.version,
    country: rules.country,
    region: rules.region,
    time_zones: [...(ofRegion.length > 0 ? ofRegion : calleeZones(question.number))],
    hours: { ...rules.hours, days: [...rules.hours.days] },
    days_off: [...rules.daysOff],
    per_day: rules.perDay,
    per_week: rules.perWeek,
    needs_consent: rules.needsConsent,
    caller_id_prefix: rules.callerIdPrefix,
    recording: rules.recording,
    notices: NOTICE_KINDS.filter((kind) => said.has(kind)),
    rule_ids: applied.map(({ rule }) => rule.id),
  };
}
