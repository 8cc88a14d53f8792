// After an erasure, rows are deleted and vacuumed, or an obstacle is reported.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../../src/db/database.ts";
import { createWipe } from "../../../src/calls/life/wipe.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Eraser } from "../../../src/db/eraser.ts";
import { recordHeartbeat } from "../../../src/db/heartbeat-store.ts";
import { addressOf } from "../../../src/db/postgres/address.ts";
import { openWire } from "../../../src/db/postgres/wire.ts";
import { databaseOf, newPostgresUrl, openAt, settingsFor, testCluster } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";

let db: Database;
let url: string;
let deadRows: () => Promise<number>;

beforeAll(async () => {
  url = await newPostgresUrl();
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

test("deleted rows are vacuumed, and tables that are views elsewhere cause no failure", async () => {
  await erase();
  expect(await deadRows()).toBe(50);
  expect(await db.maintenance.wipe(["heartbeats", "delivery_counts"])).toBe(true);
  expect(await deadRows()).toBe(0);
});

/** A transaction that has read and stays open; the returned function ends it. */
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

test("while another transaction may see them, the vacuum is reported as not done", async () => {
  const leave = await onlooker(db);
  await erase();
  expect(await db.maintenance.wipe(["heartbeats"])).toBe(false);
  await leave();
  expect(await db.maintenance.wipe(["heartbeats"])).toBe(true);
  expect(await deadRows()).toBe(0);
});

test("a transaction on another database of the same PostgreSQL is no obstacle", async () => {
  const neighbour = await openAt(await newPostgresUrl());
  const leave = await onlooker(neighbour);
  await erase();
  expect(await db.maintenance.wipe(["heartbeats"])).toBe(true);
  expect(await deadRows()).toBe(0);
  await leave();
  await neighbour.close();
});

test("an erasure is answered before the vacuum of whole tables, which follows", async () => {
  const holder = await openWire(addressOf(settingsFor(url)), { name: "holder" });
  await holder.query("BEGIN");
  // An obstacle for the vacuum.
  await holder.query("LOCK TABLE heartbeats IN SHARE UPDATE EXCLUSIVE MODE");
  const eraser = { tables: ["heartbeats"] as const } as unknown as Eraser;
  const wipe = createWipe({ db, clock: systemClock, logger: silentLogger, erasers: [eraser] });
  await erase();
  await wipe();
  expect(await deadRows()).toBe(50);
  await holder.query("COMMIT");
  holder.end();
  await until(async () => (await deadRows()) === 0);
});

test("places where erased data may remain are named, without a password", () => {
  expect(db.maintenance.leftByErasure).toEqual(["wal", "backups", "replicas"]);
  expect(db.maintenance.where).toMatch(/^PostgreSQL \/.*\/test_\w+$/);
  expect(db.maintenance.file).toBeNull();
});
