// Changes of organisations to the rule books, as the room sees them.
import { flag, json, meanings, orNull, type Meant } from "../../db/meaning.ts";
import type { RuleValue } from "./rule-values.ts";

export const ruleChangeMeaning = meanings<"rule_changes">()({
  value: orNull(json<RuleValue>()),
  is_looser: flag,
  is_current: flag,
});
export type RuleChange = Meant<typeof ruleChangeMeaning>;
