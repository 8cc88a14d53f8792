// Audit entries of concurrent reads are batched into one row until they are moved into place: none is lost or
// duplicated, and every search finds them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { createAuditBatches, LEAST_TOGETHER, MOST_WAITING } from "../../src/accounts/audit-batches.ts";
import { CONTACT_READ } from "../../src/accounts/audit-subject-store.ts";
import { listAuditPage, type AuditNote } from "../../src/accounts/audit.ts";
import { createReadNotes, type ReadNotes } from "../../src/accounts/read-notes.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { rejectionOf } from "../support/temp.ts";
import { until } from "../support/until.ts";

let accounts: Accounts;
let notes: ReadNotes;
let organisationId: string;
let otherId: string;
beforeEach(async () => {
  accounts = await createAccounts();
  ({ id: organisationId } = await accounts.organisations.create({ name: "General", timeZone: "UTC" }, CLI_ACTOR));
  ({ id: otherId } = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR));
  notes = createReadNotes(accounts);
});
afterEach(() => accounts.db.close());

const read = (subjectId: string, more: Partial<AuditNote> = {}) =>
  notes.note({ organisationId, actor: CLI_ACTOR, action: "call.read", subjectId, ...more });
const names = (count: number, prefix = "call") => Array.from({ length: count }, (_, i) => `${prefix}_${i}`);
const together = (count: number, prefix = "call") => Promise.all(names(count, prefix).map((name) => read(name)));
const entries = () =>
  accounts.db.reader.selectFrom("audit_entries").selectAll().where("action", "like", "%read").orderBy("id").execute();
const subjects = async () => (await entries()).map(({ subject_id }) => subject_id);
const batches = () => accounts.db.reader.selectFrom("audit_batches").selectAll().execute();

test("concurrent reads are one row, and after the move complete entries in the order of arrival", async () => {
  const at = accounts.clock.now();
  const actor = { kind: "key", id: "key_1", requestId: "req_1" } as const;
  await Promise.all([
    ...names(LEAST_TOGETHER).map((name) => read(name)),
    read("call_x", { actor, detail: { count: 3, names: ["a"] } }),
    read("call_y", { organisationId: otherId }),
  ]);
  expect(await entries()).toEqual([]);
  expect(await batches()).toMatchObject([{ entries: LEAST_TOGETHER + 2 }]);
  await accounts.clock.advance(500);
  await accounts.auditBatches.inPlace();
  expect(await batches()).toEqual([]);
  expect(await subjects()).toEqual([...names(LEAST_TOGETHER), "call_x", "call_y"]);
  const found = await listAuditPage(accounts.db.reader, { organisationId, subjectId: "call_x", limit: 10 });
  expect(found).toMatchObject([
    {
      at: new Date(at).toISOString(),
      actor_kind: "key",
      actor_id: "key_1",
      request_id: "req_1",
      action: "call.read",
      detail: { count: 3, names: ["a"] },
    },
  ]);
  expect(await listAuditPage(accounts.db.reader, { organisationId, subjectId: "call_y", limit: 10 })).toEqual([]);
});

test("a few reads become entries immediately", async () => {
  await together(LEAST_TOGETHER - 1);
  expect(await subjects()).toHaveLength(LEAST_TOGETHER - 1);
  expect(await batches()).toEqual([]);
});

test("reads of a person's page become entries immediately, however many: an erasure replaces their subject", async () => {
  await Promise.all([...names(20).map((name) => read(name)), read("c0ffee", { action: CONTACT_READ })]);
  expect(await subjects()).toEqual(["c0ffee"]);
  expect(await batches()).toMatchObject([{ entries: 20 }]);
});

test("after a second without new reads they are moved into place", async () => {
  await together(10);
  await accounts.clock.advance(900);
  await together(10, "later");
  await accounts.clock.advance(900);
  await accounts.db.settled();
  expect(await batches()).toHaveLength(2);
  await accounts.clock.advance(200);
  await until(async () => (await batches()).length === 0);
  expect(await subjects()).toEqual([...names(10), ...names(10, "later")]);
});

test("the batch of a killed process is moved by the next one", async () => {
  await together(30);
  const next = createAuditBatches({ ...accounts, logger: silentLogger });
  next.start();
  await next.inPlace();
  expect(await subjects()).toEqual(names(30));
});

test("searches during a move wait for reads that arrived before them", async () => {
  await together(300);
  const first = accounts.auditBatches.inPlace();
  await together(40, "later");
  await Promise.all([accounts.auditBatches.inPlace(), accounts.auditBatches.inPlace(), first]);
  expect((await subjects()).map(String).toSorted()).toEqual([...names(300), ...names(40, "later")].toSorted());
});

test("two concurrent processes move each entry once", async () => {
  await together(600);
  await Promise.all([
    accounts.auditBatches.inPlace(),
    createAuditBatches({ ...accounts, logger: silentLogger }).inPlace(),
  ]);
  expect((await subjects()).map(String).toSorted()).toEqual(names(600).toSorted());
});

test("a failed move is reported to the search, and nothing is lost or duplicated", async () => {
  await together(1_200);
  const { db } = accounts;
  const write = db.write;
  let writes = 0;
  db.write = ((command, options) => {
    if (++writes === 2) return Promise.reject(new Error("disk full"));
    return write.call(db, command, options);
  }) as typeof db.write;
  expect((await rejectionOf(accounts.auditBatches.inPlace())).message).toBe("disk full");
  const moved = await subjects();
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.length).toBeLessThan(1_200);
  await accounts.auditBatches.inPlace();
  db.write = write;
  expect(await subjects()).toEqual(names(1_200));
});

test("when very many are pending, further ones become entries immediately", async () => {
  const full = { id: "aub_0", entries: MOST_WAITING, notes: "[]" };
  await accounts.db.write((tx) => tx.insertInto("audit_batches").values(full).execute());
  await together(20);
  expect(await subjects()).toEqual(names(20));
  await accounts.auditBatches.inPlace();
  await together(20, "later");
  expect(await batches()).toMatchObject([{ entries: 20 }]);
});

test("arbitrary text round-trips", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 }).filter((each) => !each.includes("\0"));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: LEAST_TOGETHER, maxLength: 30 }), async (pairs) => {
      const before = (await entries()).length;
      await Promise.all(pairs.map(([subject, word]) => read(subject, { detail: { word } })));
      await accounts.auditBatches.inPlace();
      const found = (await entries()).slice(before);
      expect(found.map(({ subject_id }) => subject_id)).toEqual(pairs.map(([subject]) => subject));
      expect(found.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual(pairs.map(([, word]) => ({ word })));
    }),
    { numRuns: 20 },
  );
});
