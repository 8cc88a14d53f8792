import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { lookAtDatabase } from "../../src/db/database.ts";
import { latestVersion } from "../../src/db/migrations.ts";
import { isDamage } from "../../src/db/open-fault.ts";
import { DATABASE_FILE } from "../../src/db/sqlite/file.ts";
import { damageSchema, damageTable } from "../support/damage.ts";
import { fileOf, openTempDatabase, rejectionOf, tempFolder } from "../support/temp.ts";

async function inspection(dataDir: string) {
  const look = await lookAtDatabase({ dataDir });
  try {
    return await look!.inspect();
  } finally {
    await look!.close();
  }
}

test("inspecting an intact database finds no problem, its schema and its latest time", async () => {
  const { db, dataDir } = await openTempDatabase();
  expect(await inspection(dataDir)).toMatchObject({
    problem: null,
    schema: latestVersion(),
    latest: latestVersion(),
    lastSeenAt: null,
  });
  await db.write((tx) => tx.insertInto("heartbeats").values({ name: "x", at: 42 }).execute());
  expect((await inspection(dataDir)).lastSeenAt).toBe(42);
  await db.close();
});

test("inspecting a damaged one reports the problem", async () => {
  const { db, dataDir } = await openTempDatabase();
  await db.close();
  damageTable(fileOf(db), "heartbeats");
  expect((await inspection(dataDir)).problem).toBeString();
});

test("inspecting one with a damaged schema fails as damaged", async () => {
  const { db, dataDir } = await openTempDatabase();
  await db.close();
  damageSchema(fileOf(db));
  expect(isDamage(await rejectionOf(inspection(dataDir)))).toBeTrue();
});

test("in an empty folder there is nothing to inspect, and nothing is created", async () => {
  const dataDir = tempFolder();
  expect(await lookAtDatabase({ dataDir })).toBeNull();
  expect(readdirSync(dataDir)).toEqual([]);
});

test("an inspection recognises a foreign database by its schema", async () => {
  const dataDir = tempFolder();
  const theirs = new Sqlite(join(dataDir, DATABASE_FILE));
  theirs.exec("CREATE TABLE theirs (a); PRAGMA user_version = 7");
  theirs.close();
  const look = await lookAtDatabase({ dataDir });
  expect(look!.schema).toBe(0);
  await look!.close();
  expect((await inspection(dataDir)).problem).toBe("The database belongs to another program.");
});
