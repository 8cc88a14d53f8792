// Faults that SQLite does not notice: removed or replaced files, and damaged pages.
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

test("an intact database has no fault, also after a checkpoint", async () => {
  expect(await db.maintenance.fault()).toBeNull();
  await write();
  await db.maintenance.upkeep();
  await write();
  expect(await db.maintenance.fault()).toBeNull();
});

test("a command that ends next to it causes no fault", async () => {
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

test("a damaged page found by a read is a fault from then on, and logged once without its content", async () => {
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

test("one found by a write is a fault, too", async () => {
  await db.close();
  // A server has read all pages before and still has them in its cache.
  db = await open("command");
  damageTable(file(), "do_not_disturb");
  const insert = () =>
    db.write((tx) =>
      tx.insertInto("do_not_disturb").values({ organisation_id: "o", number: "+15550100", created_at: 1 }).execute(),
    );
  await expect(insert()).rejects.toThrow();
  expect(await db.maintenance.fault()).toStartWith("The database is damaged.");
});
