// Store of the organisations' changes to the rule books: each is kept, and the newest of each rule counts.
import { prepared, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { valueFaults } from "./book-file.ts";
import { ruleBook } from "./embedded-books.ts";
import { ruleChangeMeaning, type RuleChange } from "./records.ts";
import { NO_CHANGES, type OrganisationChanges, type OwnValue } from "./rule-book.ts";
import type { RuleValue } from "./rule-values.ts";

const selectCurrent = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("rule_changes")
    .select(["revision", "rule_id", "value", "is_looser"])
    .where("organisation_id", "=", organisationId)
    .where("is_current", "=", 1)
    .orderBy("revision"),
);

/** Changes by the text of their rows: the dispatcher reads them in every round, and they rarely differ. */
const known = new Map<string, OrganisationChanges>();
const MOST_KNOWN = 1_000;

/**
 * What the organisation changed, for `RuleBook.resolve`: one statement. The same rows give the same object, so that
 * the rules resolved with it stay memoized.
 */
export async function ruleChangesOf(executor: Executor, organisationId: string): Promise<OrganisationChanges> {
  const rows = await selectCurrent(executor, { organisationId });
  if (rows.length === 0) return NO_CHANGES;
  const key = JSON.stringify(rows);
  const changes = known.get(key) ?? changesIn(rows);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, changes);
  return changes;
}

type CurrentRow = Awaited<ReturnType<typeof selectCurrent>>[number];

/** A value that the rule no longer takes, after an update of the book, is left out: then the book counts. */
function changesIn(rows: readonly CurrentRow[]): OrganisationChanges {
  const values = new Map<string, OwnValue>();
  for (const { rule_id, value, is_looser } of rows) {
    const rule = ruleBook().rule(rule_id);
    if (value === null || !rule) continue;
    const own = JSON.parse(value) as RuleValue;
    if (valueFaults(rule.setting, own).length === 0) values.set(rule_id, { value: own, isLooser: is_looser === 1 });
  }
  return { revision: rows.at(-1)?.revision ?? 0, values };
}

const selectNewest = prepared<{ organisationId: string; limit: number }>()((db, { organisationId, limit }) =>
  db
    .selectFrom("rule_changes")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("revision", "desc")
    .limit(limit),
);

/** Newest first. */
export async function newestChanges(executor: Executor, organisationId: string, limit: number): Promise<RuleChange[]> {
  return ruleChangeMeaning.readAll(await selectNewest(executor, { organisationId, limit }));
}

const selectAllCurrent = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db.selectFrom("rule_changes").selectAll().where("organisation_id", "=", organisationId).where("is_current", "=", 1),
);

/** The newest change of each rule; a value of null is a change that was withdrawn. */
export async function currentChanges(executor: Executor, organisationId: string): Promise<RuleChange[]> {
  return ruleChangeMeaning.readAll(await selectAllCurrent(executor, { organisationId }));
}

const endCurrent = preparedWrite<{ organisationId: string; ruleId: string }>()((db, { organisationId, ruleId }) =>
  db
    .updateTable("rule_changes")
    .set({ is_current: 0 })
    .where("organisation_id", "=", organisationId)
    .where("rule_id", "=", ruleId)
    .where("is_current", "=", 1),
);

export async function keepRuleChange(tx: Tx, change: RuleChange): Promise<void> {
  await endCurrent(tx, { organisationId: change.organisation_id, ruleId: change.rule_id });
  await tx.insertInto("rule_changes").values(ruleChangeMeaning.write(change)).execute();
}
