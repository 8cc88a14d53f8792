// Changes of the organisation to the legal rules of calls. The value of the book withdraws a change.
import { CLI_ACTOR } from "../../core/actor.ts";
import { LONGEST_REASON, SHORTEST_REASON } from "../../core/reason.ts";
import { ruleBook } from "../../rules/book/embedded-books.ts";
import { isSameValue, type RuleValue } from "../../rules/book/rule-values.ts";
import { UsageError } from "../command.ts";
import { valueOf } from "../rules.ts";
import type { Row } from "./file-schema.ts";
import { actionFor, type Ground, type Step } from "./ground.ts";

export async function planRules(ground: Ground): Promise<Step[]> {
  const given = ground.file.rules;
  if (!given) return [];
  const { ruleChanges } = ground.services;
  const all = (await ground.stored((id) => ruleChanges.current(id))).filter(({ value }) => value !== null);
  const changed = new Map(all.map(({ rule_id, value }) => [rule_id, value]));
  ground.assertDistinct(
    "rules",
    given.map(({ rule_id }) => rule_id),
  );
  const steps = given.flatMap((row, i) => stepOf(ground, `rules[${i}]`, row, changed.get(row.rule_id) ?? null));
  const others = all.filter(({ rule_id }) => !given.some((row) => row.rule_id === rule_id));
  ground.later(
    ground.rest("rules", others, ({ rule_id }) => ({
      name: rule_id,
      run: async () => void (await ruleChanges.reset(ground.org, rule_id, CLI_ACTOR)),
    })),
  );
  return steps;
}

function stepOf(ground: Ground, path: string, row: Row<"rules">, present: RuleValue | null): Step[] {
  const { ruleChanges } = ground.services;
  const { rule_id: ruleId, reason } = row;
  const value = readValue(ground, path, row);
  const compared = ground.checked(`${path}.rule_id`, () => ruleChanges.compared(ruleId, value));
  if (compared === null) return [];
  if (compared.fault !== null) {
    ground.fault(`${path}.value`, compared.fault);
    return [];
  }
  const length = reason?.trim().length ?? 0;
  if (compared.is_looser && length === 0)
    ground.fault(`${path}.reason`, "is required, because this value is looser than the rule.");
  else if (length > 0 && (length < SHORTEST_REASON || length > LONGEST_REASON))
    ground.fault(`${path}.reason`, `must have ${SHORTEST_REASON} to ${LONGEST_REASON} characters.`);
  const inBook = ruleBook().rule(ruleId)?.value;
  const isOfBook = inBook !== undefined && isSameValue(value as RuleValue, inBook);
  const isThere = isOfBook ? present === null : present !== null && isSameValue(value as RuleValue, present);
  return [
    {
      kind: "rules",
      name: ruleId,
      action: isThere ? "unchanged" : actionFor(present !== null, ["value"]),
      fields: !isThere && present !== null ? ["value"] : [],
      ...(isOfBook && !isThere && { note: "back to the book" }),
      run: async () => {
        if (isOfBook) await ruleChanges.reset(ground.org, ruleId, CLI_ACTOR);
        else await ruleChanges.set(ground.org, { ruleId, value, reason }, CLI_ACTOR);
      },
    },
  ];
}

/** A text is read as on the command line: 09:00-19:00/1,2,3,4,5. */
function readValue(ground: Ground, path: string, { rule_id, value }: Row<"rules">): unknown {
  if (typeof value !== "string") return value;
  try {
    return valueOf(rule_id, value);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    ground.fault(`${path}.value`, error.message);
    return value;
  }
}
