// Every audited act has words for the people who read the audit log.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditActions } from "../../src/web/words/en/audit-actions.ts";
import { auditLog } from "../../src/web/words/en/audit-log.ts";

const SRC = join(import.meta.dir, "../../src");
/** Actions in the source: `action: "call.read"`, or one of two. Texts in words and pages do not count. */
const LITERAL = /"([a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*)"/g;
const AUDITED = /\baction\b[:=\s][^\n]*$/;

function actionsInSource(): { used: Set<string>; all: Set<string> } {
  const [used, all] = [new Set<string>(), new Set<string>()];
  for (const file of new Bun.Glob("**/*.ts").scanSync(SRC)) {
    if (file.startsWith("web")) continue;
    for (const line of readFileSync(join(SRC, file), "utf8").split("\n"))
      for (const match of line.matchAll(LITERAL)) {
        all.add(match[1] ?? "");
        if (AUDITED.test(line.slice(0, match.index))) used.add(match[1] ?? "");
      }
  }
  return { used, all };
}

/** What an inbound hook may ask for: no audited act. */
const ASKED_OF_HOOKS = ["call.create", "call.cancel", "call.delete"];
/** Their last word is chosen at run time. */
const CAMPAIGN_ACTS = ["campaign.paused", "campaign.resumed", "campaign.stopped"];

test("every audited act has words", () => {
  const { used } = actionsInSource();
  expect(used.size).toBeGreaterThan(100);
  const without = [...used].filter((action) => auditActions.acts[action] === undefined);
  expect(without.toSorted()).toEqual(ASKED_OF_HOOKS.toSorted());
});

test("no words stand for an act that is not audited", () => {
  const { all } = actionsInSource();
  const acts = Object.keys(auditActions.acts).map((act) => act.split(" ")[0] ?? "");
  expect(acts.filter((action) => !all.has(action) && !CAMPAIGN_ACTS.includes(action))).toEqual([]);
});

test("every act is found by a filter, and every filter finds an act", () => {
  const acts = Object.keys(auditActions.acts);
  const filters = Object.keys(auditLog.filters);
  expect(acts.filter((act) => !filters.some((filter) => act.startsWith(filter)))).toEqual([]);
  expect(filters.filter((filter) => !acts.some((act) => act.startsWith(filter)))).toEqual([]);
});

test("every sentence is about an act, and names who did it", () => {
  const sentences = Object.entries(auditLog.sentences);
  expect(sentences.filter(([act]) => auditActions.acts[act] === undefined)).toEqual([]);
  expect(sentences.filter(([, text]) => !text.includes("{who}"))).toEqual([]);
});
