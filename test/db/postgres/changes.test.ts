// The change log, read while transactions commit in another order than they began: nothing is missed. Reading waits for
// every transaction of the cluster, so this test has its own.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { createChangeLog, type ChangeLog } from "../../../src/dashboard/change-store.ts";
import type { Database, Tx } from "../../../src/db/database.ts";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres-cluster.ts";
import { openAt } from "../../support/postgres.ts";

let cluster: PostgresCluster;
let db: Database;
let log: ChangeLog;

beforeAll(async () => {
  cluster = await startPostgres();
  cluster.createDatabase("ringward");
  db = await openAt(cluster.url("ringward"));
  log = createChangeLog(db.reader);
});
afterAll(async () => {
  await db.close();
  await cluster.stop();
});

const change = (tx: Tx, subject: string, count = 1) =>
  sql`INSERT INTO changes (organisation_id, kind, subject_id)
    SELECT 'org_1', 'call', ${subject} FROM generate_series(1, ${sql.lit(count)})`.execute(tx);

const subjects = async (after: number, limit = 100) => {
  const { changes, upTo, lostSome } = await log.after(after, limit);
  return { told: changes.map(({ subject_id }) => subject_id), upTo, lostSome };
};

test("a change that began first and committed second is reported, and neither is reported too early", async () => {
  const { newest } = await log.ends();
  let finish: () => void = () => {};
  const mayFinish = new Promise<void>((resolve) => (finish = resolve));
  let begun: () => void = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const slow = db.write(async (tx) => {
    await change(tx, "slow");
    begun();
    await mayFinish;
  });
  await hasBegun;
  await db.write((tx) => change(tx, "quick"));
  const meanwhile = await subjects(newest);
  expect(meanwhile.told).not.toContain("quick");
  expect(await log.after(meanwhile.upTo, 100)).toMatchObject({ upTo: meanwhile.upTo, isHeldBack: true });
  finish();
  await slow;
  const after = await subjects(meanwhile.upTo);
  expect(after.told.toSorted()).toEqual(["quick", "slow"]);
  expect(await log.after(after.upTo, 100)).toMatchObject({ changes: [], isHeldBack: false });
});

test("a page ends between two transactions; a larger transaction is reported as one large change", async () => {
  const { newest } = await log.ends();
  for (const subject of ["a", "b"]) await db.write((tx) => change(tx, subject, 3));
  const first = await subjects(newest, 4);
  expect(first).toMatchObject({ told: ["a", "a", "a"], lostSome: false });
  expect(await subjects(first.upTo, 4)).toMatchObject({ told: ["b", "b", "b"], lostSome: false });
  expect((await subjects(newest, 2)).lostSome).toBe(true);
});

test("a client that was away gets the changes of its own organisation, and is told what was pruned", async () => {
  const { newest } = await log.ends();
  await db.write((tx) => change(tx, "kept"));
  const { newest: upTo } = await log.ends();
  const span = { after: newest, upTo, limit: 10 };
  expect((await log.ofOrganisation({ ...span, organisationId: "org_1" })).map(({ subject_id }) => subject_id)).toEqual([
    "kept",
  ]);
  expect(await log.ofOrganisation({ ...span, organisationId: "org_2" })).toEqual([]);
  await db.write((tx) => change(tx, "many", 6_000));
  await db.write((tx) => change(tx, "last"));
  expect(await db.maintenance.upkeep()).toBe(true);
  expect((await log.ends()).oldest).toBeGreaterThan(newest);
  expect((await subjects(newest)).lostSome).toBe(true);
});
