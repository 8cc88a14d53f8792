// Heavy reads of a real SQLite file on real threads: what they see, what they do not block, and how a long one ends.
import { symlinkSync } from "node:fs";
import { afterEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { SECOND_MS } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { openDatabase, type Database } from "../../../src/db/database.ts";
import { MOST_ROWS } from "../../../src/db/sqlite/read-server.ts";
import { LONGEST_READ_MS, ReaderThreads } from "../../../src/db/sqlite/reader-threads.ts";
import { startReadWorker } from "../../../src/compose/threads/start.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { fileOf, newDataFolder, rejectionOf } from "../../support/temp.ts";

const opened: Database[] = [];
async function open(): Promise<Database> {
  const dataDir = await newDataFolder();
  const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server", startReader: startReadWorker });
  opened.push(db);
  return db;
}
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

const put = (db: Database, name: string) =>
  db.write((tx) => tx.insertInto("heartbeats").values({ name, at: 1 }).execute());

/** Takes about 150 ms without blocking the serving thread. */
const LONG = sql<{ n: number }>`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1500000)
  SELECT count(*) AS n FROM c`;

test("a heavy read sees every write that was answered before it", async () => {
  const db = await open();
  for (let i = 0; i < 20; i++) {
    await put(db, `beat ${i}`);
    const rows = await db.heavy.selectFrom("heartbeats").select("name").execute();
    expect(rows.map(({ name }) => name)).toContain(`beat ${i}`);
  }
});

test("a long read does not block reads and writes of the serving thread", async () => {
  const db = await open();
  await LONG.execute(db.heavy);
  let isOver = false;
  const long = LONG.execute(db.heavy).then(({ rows }) => {
    isOver = true;
    return rows;
  });
  await put(db, "meanwhile");
  expect(await db.reader.selectFrom("heartbeats").select("name").execute()).toHaveLength(1);
  expect(isOver).toBe(false);
  expect(await long).toEqual([{ n: 1_500_000 }]);
});

test("a file that cannot be opened fails for the moment, and is read once it can be", async () => {
  const db = await open();
  const file = fileOf(db);
  const faults: unknown[] = [];
  const threads = new ReaderThreads({
    file: `${file}-later`,
    start: startReadWorker,
    clock: createManualClock(),
    logger: silentLogger,
    failed: (error) => faults.push(error),
  });
  const statement = { sql: "SELECT name FROM heartbeats", parameters: [] };
  expect(await rejectionOf(threads.run(statement))).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
  expect(faults).toMatchObject([{ code: "SQLITE_CANTOPEN" }]);
  symlinkSync(file, `${file}-later`);
  expect(await threads.run(statement)).toEqual({ rows: [] });
  await threads.close();
});

test("an SQLite error is reported, and the thread continues", async () => {
  const db = await open();
  expect(await rejectionOf(sql`SELECT * FROM nothing`.execute(db.heavy))).toMatchObject({ code: "SQLITE_ERROR" });
  const write = sql`DELETE FROM heartbeats`.execute(db.heavy);
  expect((await rejectionOf(write)).message).toContain("does not return data");
  expect(await db.heavy.selectFrom("heartbeats").select("name").execute()).toEqual([]);
});

test("a result with too many rows is refused in the thread", async () => {
  const db = await open();
  const many = sql`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n <= ${MOST_ROWS}) SELECT n FROM c`;
  expect((await rejectionOf(many.execute(db.heavy))).message).toContain("more than");
});

test("the WAL is checkpointed between two heavy reads, however many clients read", async () => {
  const db = await open();
  let isWanted = true;
  const reading = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isWanted) await sql`SELECT count(*) FROM sqlite_schema, sqlite_schema AS other`.execute(db.heavy);
    }),
  );
  await put(db, "to be moved");
  expect(await db.maintenance.upkeep()).toBe(true);
  expect(await db.maintenance.wipe([])).toBe(true);
  isWanted = false;
  await reading;
});

test("a read that takes too long is abandoned, and the next one gets another thread", async () => {
  const clock = createManualClock();
  const db = await open();
  const threads = new ReaderThreads({ file: fileOf(db), start: startReadWorker, clock, logger: silentLogger });
  const endless = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000) SELECT count(*) FROM c`;
  const late = threads.run({ sql: endless, parameters: [] });
  const refused = rejectionOf(late);
  await clock.advance(LONGEST_READ_MS + SECOND_MS);
  expect(await refused).toMatchObject({ code: "UNAVAILABLE" });
  expect(await threads.run({ sql: "SELECT 1 AS one", parameters: [] })).toEqual({ rows: [{ one: 1 }] });
  await threads.close();
});
