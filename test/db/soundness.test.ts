// What SQLite does not notice by itself: files that are gone or others, and pages that are damaged.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../src/core/logger.ts";
import { openDatabase, type Database } from "../../src/db/database.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { damageTable } from "../support/damage.ts";
import { tempFolder } from "../support/temp.ts";

let dataDir: string;
let db: Database;
let lines: string[];
const file = (suffix = "") => join(dataDir, `ringward.db${suffix}`);
const logger = createLogger(createManualClock(), "info", (line) => void lines.push(line));
const open = (as: "server" | "command" = "server") => openDatabase({ dataDir }, { logger, as });
const write = () =>
  db.write((tx) => tx.insertInto("heartbeats").values({ name: crypto.randomUUID(), at: 1 }).execute());

beforeEach(async () => {
  lines = [];
  dataDir = tempFolder();
  db = await open();
  await write();
});
afterEach(() => db.close());

test("a database that is in order has no fault, also after its log was taken over", async () => {
  expect(await db.maintenance.fault()).toBeNull();
  await write();
  await db.maintenance.upkeep();
  await write();
  expect(await db.maintenance.fault()).toBeNull();
});

test("a command beside it that ends leaves nothing amiss", async () => {
  await (await open("command")).close();
  expect(await db.maintenance.fault()).toBeNull();
});

test.each(["", "-wal", "-shm"])(
  "ringward.db%s that was removed is noticed, although writes succeed",
  async (suffix) => {
    rmSync(file(suffix));
    expect(await db.maintenance.fault()).toStartWith(`ringward.db${suffix} was removed while it is in use.`);
  },
);

test.each(["", "-wal"])("ringward.db%s that was replaced is noticed", async (suffix) => {
  copyFileSync(file(suffix), file(".copy"));
  renameSync(file(".copy"), file(suffix));
  expect(await db.maintenance.fault()).toStartWith(`ringward.db${suffix} was replaced while it is in use.`);
});

test("a damaged page that a read meets is a fault from then on, and logged once without what stands on it", async () => {
  await db.close();
  db = await open();
  expect(await db.maintenance.fault()).toBeNull();
  damageTable(file(), "people");
  const read = () => db.reader.selectFrom("people").selectAll().execute();
  for (let i = 0; i < 3; i++) await expect(read()).rejects.toThrow();
  expect(await db.maintenance.fault()).toStartWith("The database is damaged.");
  const told = lines.filter((line) => line.includes("The database is damaged."));
  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0]!)).toMatchObject({
    level: "error",
    code: expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB)/),
  });
});

test("one that a write meets is, too", async () => {
  await db.close();
  // A server has looked through all pages before, and still has them in mind.
  db = await open("command");
  damageTable(file(), "do_not_disturb");
  const insert = () =>
    db.write((tx) =>
      tx.insertInto("do_not_disturb").values({ organisation_id: "o", number: "+15550100", created_at: 1 }).execute(),
    );
  await expect(insert()).rejects.toThrow();
  expect(await db.maintenance.fault()).toStartWith("The database is damaged.");
});
