// Changes of an organisation to the rules: stricter values freely, looser ones with a reason. Each change is kept.
import type { Audit } from "../../accounts/audit.ts";
import type { Actor } from "../../core/actor.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../core/clock.ts";
import { assertUnchanged } from "../../core/entity-tag.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { LONGEST_REASON, SHORTEST_REASON } from "../../core/reason.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import { valueFaults, type BookRule } from "./book-file.ts";
import { currentChanges, keepRuleChange, newestChanges, ruleChangesOf } from "./change-store.ts";
import { ruleBook } from "./embedded-books.ts";
import type { RulesView } from "./model.ts";
import type { RuleChange } from "./records.ts";
import { isAsStrict, isSameValue, type RuleValue } from "./rule-values.ts";
import { rulesView, ruleView } from "./view.ts";

/** Changes shown in the history. */
const MOST_IN_HISTORY = 100;

export interface RuleChangeDeps {
  db: Database;
  config: Pick<Config, "rules">;
  clock: Clock;
  audit: Audit;
  /** Runs in the transaction of a change: calls that wait for a rule are considered again. */
  changed: (tx: Tx, organisationId: string, now: number) => Promise<void>;
  wake: () => void;
}

export interface GivenChange {
  ruleId: string;
  value: unknown;
  reason?: string | undefined;
}

export function createRuleChangeService({ db, config, clock, audit, changed, wake }: RuleChangeDeps) {
  /** `value` null: back to the book. */
  async function keep(organisationId: string, rule: BookRule, value: RuleValue | null, given: Kept, actor: Actor) {
    const kept = await db.write(async (tx) => {
      const changes = await ruleChangesOf(tx, organisationId);
      const { revision } = changes;
      const current = await currentChanges(tx, organisationId);
      assertUnchanged(actor, ruleView(rule, changes, currentOf(current, rule)));
      if (value === null && (currentOf(current, rule)?.value ?? null) === null) {
        throw new AppError("NOT_FOUND", "This organisation has not changed this rule.");
      }
      const change: RuleChange = {
        organisation_id: organisationId,
        revision: revision + 1,
        rule_id: rule.id,
        value,
        is_looser: given.isLooser,
        reason: given.reason,
        book: ruleBook().bookOfRule(rule.id).version,
        is_current: true,
        at: clock.now(),
        actor_kind: actor.kind,
        actor_id: actor.id,
      };
      await keepRuleChange(tx, change);
      await audit.record(tx, {
        organisationId,
        actor,
        action: value === null ? "rule.reset" : given.isLooser ? "rule.loosened" : "rule.tightened",
        subjectId: rule.id,
        detail: { revision: change.revision, ...(value === null ? {} : { value: JSON.stringify(value) }) },
      });
      await changed(tx, organisationId, change.at);
      return change;
    });
    wake();
    return kept;
  }

  return {
    changesOf: (organisationId: string) => ruleChangesOf(db.reader, organisationId),
    async view(organisationId: string): Promise<RulesView> {
      const { reader } = db;
      const [changes, current] = [
        await ruleChangesOf(reader, organisationId),
        await currentChanges(reader, organisationId),
      ];
      return rulesView(changes, current, config.rules.enforce);
    },
    current: (organisationId: string) => currentChanges(db.reader, organisationId),
    /** Newest first. */
    history: (organisationId: string) => newestChanges(db.reader, organisationId, MOST_IN_HISTORY),

    /** What would come of a value: a fault in words, or whether it is looser than the book and needs a reason. */
    compared(ruleId: string, value: unknown): { fault: string | null; is_looser: boolean } {
      const rule = changeableRule(ruleId);
      const [fault = null] = valueFaults(rule.setting, value);
      return { fault, is_looser: fault === null && isLooserThanBook(rule, value as RuleValue) };
    },

    async set(organisationId: string, given: GivenChange, actor: Actor): Promise<RuleChange> {
      const rule = changeableRule(given.ruleId);
      const value = checkedValue(rule, given.value);
      if (isSameValue(value, rule.value)) {
        throw invalidField("value", "value is that of the book. Reset the rule to use it.");
      }
      const isLooser = isLooserThanBook(rule, value);
      const reason = checkedReason(given.reason, isLooser);
      return keep(organisationId, rule, value, { isLooser, reason }, actor);
    },

    /** Withdraws the organisation's value; the book counts again. */
    async reset(organisationId: string, ruleId: string, actor: Actor): Promise<RuleChange> {
      const rule = changeableRule(ruleId);
      return keep(organisationId, rule, null, { isLooser: false, reason: null }, actor);
    },
  };
}

export type RuleChangeService = ReturnType<typeof createRuleChangeService>;

interface Kept {
  isLooser: boolean;
  reason: string | null;
}

const currentOf = (current: readonly RuleChange[], { id }: BookRule): RuleChange | undefined =>
  current.find(({ rule_id }) => rule_id === id);

/** Whether the value allows a call that the book does not. */
const isLooserThanBook = ({ setting, value: inBook }: BookRule, value: RuleValue): boolean =>
  !isAsStrict(setting, value as never, inBook as never);

function changeableRule(id: string): BookRule {
  const rule = ruleBook().rule(id);
  if (!rule) throw new AppError("NOT_FOUND", "There is no such rule. List the rules to see their ids.");
  if (rule.setting === "notices") {
    throw invalidField("rule_id", "What is said on every call cannot be changed.");
  }
  return rule;
}

function checkedValue({ setting }: BookRule, value: unknown): RuleValue {
  const [fault] = valueFaults(setting, value);
  if (fault !== undefined) throw invalidField("value", fault);
  return value as RuleValue;
}

function checkedReason(given: string | undefined, isNeeded: boolean): string | null {
  const reason = given?.trim() ?? "";
  if (reason === "" && !isNeeded) return null;
  if (reason.length < SHORTEST_REASON || reason.length > LONGEST_REASON) {
    throw invalidField(
      "reason",
      isNeeded
        ? `This value is looser than the rule. Give a reason of ${SHORTEST_REASON} to ${LONGEST_REASON} characters.`
        : `reason must have ${SHORTEST_REASON} to ${LONGEST_REASON} characters, or be left out.`,
    );
  }
  return reason;
}
