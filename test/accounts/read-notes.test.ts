// Audit entries of reads: durable before they resolve, and grouped into few commits.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { othersFirst } from "../../src/core/clock.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createReadNotes, type ReadNotes } from "../../src/accounts/read-notes.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { rejectionOf } from "../support/temp.ts";

let accounts: Accounts;
let notes: ReadNotes;
let organisationId: string;
beforeEach(async () => {
  accounts = await createAccounts();
  ({ id: organisationId } = await accounts.organisations.create({ name: "General", timeZone: "UTC" }, CLI_ACTOR));
  notes = createReadNotes(accounts);
});
afterEach(() => accounts.db.close());

const note = (subjectId: string) => notes.note({ organisationId, actor: CLI_ACTOR, action: "call.read", subjectId });
const noted = async () => {
  await accounts.auditBatches.inPlace();
  const rows = await accounts.db.reader
    .selectFrom("audit_entries")
    .select("subject_id")
    .where("action", "=", "call.read")
    .orderBy("id")
    .execute();
  return rows.map(({ subject_id }) => subject_id);
};
const names = (count: number) => Array.from({ length: count }, (_, i) => `call_${i}`);

test("concurrent reads share one commit, including the first and one of the next turn", async () => {
  const before = accounts.db.stats.commands;
  const later = othersFirst().then(() => note("call_3"));
  await Promise.all([...names(3).map(note), later]);
  expect(accounts.db.stats.commands - before).toBe(1);
  expect(await noted()).toEqual(names(4));
});

test("a single read does not wait, and each is on disk when it is answered", async () => {
  for (const name of names(3)) {
    await note(name);
    expect((await noted()).at(-1)).toBe(name);
  }
});

test("continuous reads delay no commit, and one commit has at most 200", async () => {
  const before = accounts.db.stats.commands;
  await Promise.all(names(450).map(note));
  expect(accounts.db.stats.commands - before).toBe(3);
  expect(await noted()).toHaveLength(450);
  const written = new Set<string>();
  const first = note("first").then(() => written.add("first"));
  const others: Promise<void>[] = [];
  for (let turn = 0; turn < 10_000 && written.size === 0; turn++) {
    others.push(note(`later_${turn}`));
    await othersFirst();
  }
  expect(written.size).toBe(1);
  await Promise.all([first, ...others]);
});

test.each([3, 60])("when a commit of %d fails, each of its reads is rejected, and the next is not", async (count) => {
  const { db } = accounts;
  const write = db.write;
  db.write = () => Promise.reject(new Error("disk full"));
  const refused = await Promise.all(names(count).map((name) => rejectionOf<AppError>(note(name))));
  db.write = write;
  expect(refused.map(({ code }) => code)).toEqual(names(count).map(() => "UNAVAILABLE"));
  await note("call_9");
  expect(await noted()).toEqual(["call_9"]);
});
