// After an erasure: rows are gone and vacuumed, or it is said that something stood in the way.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../../src/db/database.ts";
import { recordHeartbeat } from "../../../src/db/heartbeat-store.ts";
import { databaseOf, newPostgresUrl, openAt, testCluster } from "../../support/postgres.ts";

let db: Database;
let deadRows: () => Promise<number>;

beforeAll(async () => {
  const url = await newPostgresUrl();
  db = await openAt(url);
  const cluster = await testCluster();
  cluster.psql("CREATE EXTENSION pgstattuple", databaseOf(url));
  deadRows = async () =>
    Number(cluster.psql("SELECT dead_tuple_count FROM pgstattuple('heartbeats')", databaseOf(url)));
});
afterAll(() => db.close());

async function erase(): Promise<void> {
  await db.write(async (tx) => {
    for (let i = 0; i < 50; i++) await recordHeartbeat(tx, `person ${i}`, i);
  });
  await db.write((tx) => tx.deleteFrom("heartbeats").execute());
}

test("deleted rows are taken out, and tables that are views elsewhere do no harm", async () => {
  await erase();
  expect(await deadRows()).toBe(50);
  expect(await db.maintenance.wipe(["heartbeats", "delivery_counts"])).toBe(true);
  expect(await deadRows()).toBe(0);
});

/** Somebody who has looked, and stays; what is answered lets them go. */
async function onlooker(at: Database): Promise<() => Promise<void>> {
  const seen = Promise.withResolvers<void>();
  const leaving = Promise.withResolvers<void>();
  const looking = at.write(async (tx) => {
    await tx.selectFrom("heartbeats").selectAll().execute();
    seen.resolve();
    await leaving.promise;
  });
  await seen.promise;
  return () => {
    leaving.resolve();
    return looking;
  };
}

test("while somebody still may see them it is not done, and said so", async () => {
  const leave = await onlooker(db);
  await erase();
  expect(await db.maintenance.wipe(["heartbeats"])).toBe(false);
  await leave();
  expect(await db.maintenance.wipe(["heartbeats"])).toBe(true);
  expect(await deadRows()).toBe(0);
});

test("whoever looks at another database of the same PostgreSQL is in nobody's way", async () => {
  const neighbour = await openAt(await newPostgresUrl());
  const leave = await onlooker(neighbour);
  await erase();
  expect(await db.maintenance.wipe(["heartbeats"])).toBe(true);
  expect(await deadRows()).toBe(0);
  await leave();
  await neighbour.close();
});

test("what an erasure leaves is named, and where the data is, without a password", () => {
  expect(db.maintenance.leftByErasure).toEqual(["wal", "backups", "replicas"]);
  expect(db.maintenance.where).toMatch(/^PostgreSQL \/.*\/test_\w+$/);
  expect(db.maintenance.file).toBeNull();
});
