// A database that the disk has damaged is not served: a small one is refused at the start, a large one, which would
// keep the port closed for seconds, ends the appliance as soon as it was looked through.
import { expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { openSync, closeSync, writeSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const PAGE_BYTES = 4_096;
const RESTORE = 'Restore the newest backup: "ringward restore FILE".';

/** A table that nobody reads, with so many rows of a kilobyte; a page in the middle of it is overwritten. */
async function damagedFolder(rows: number): Promise<string> {
  const dataDir = tempFolder();
  await (await startBinary({ dataDir, demo: false })).stop();
  const file = join(dataDir, "ringward.db");
  const db = new Sqlite(file);
  db.exec("CREATE TABLE padding (id INTEGER PRIMARY KEY, bytes BLOB)");
  const insert = db.prepare("INSERT INTO padding (bytes) VALUES (randomblob(1024))");
  db.transaction(() => {
    for (let i = 0; i < rows; i++) insert.run();
  })();
  const pages = db.pragma("page_count", { simple: true }) as number;
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  const handle = openSync(file, "r+");
  writeSync(handle, new Uint8Array(PAGE_BYTES).fill(0xff), 0, PAGE_BYTES, (pages - 20) * PAGE_BYTES);
  closeSync(handle);
  return dataDir;
}

test("a small one is refused at the start", async () => {
  const dataDir = await damagedFolder(200);
  const { code, stderr } = await runBinary(["serve", "--data", dataDir, "--port", "0"]);
  expect(stderr).toContain(RESTORE);
  expect(code).toBe(4);
});

test("a large one ends the appliance once it was looked through", async () => {
  const dataDir = await damagedFolder(40_000);
  const server = await startBinary({ dataDir, demo: false });
  await until(() => server.process.exitCode !== null, { withinMs: 60_000, what: server.output });
  await until(() => server.output().includes(RESTORE), { withinMs: 10_000, what: server.output });
  expect(server.output()).toContain("The database is damaged; the appliance stops.");
  expect(server.process.exitCode).toBe(4);
});

test("a large one that is sound is served, and a command looks through it alone", async () => {
  const dataDir = tempFolder();
  const server = await startBinary({ dataDir, demo: false });
  const { stdout, code } = await runBinary(["doctor", "--database", "--json", "--data", dataDir]);
  expect(JSON.parse(stdout)).toMatchObject([{ check: "database", state: "ok" }]);
  expect(code).toBe(0);
  expect(await server.stop()).toBe(0);
});
