// A damaged database is not served. A small one is refused at the start; a large one, whose check would keep the port
// closed for seconds, stops the appliance as soon as the check finishes.
import { expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { openSync, closeSync, writeSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const PAGE_BYTES = 4_096;
const RESTORE = 'Restore the newest backup: "ringward restore FILE".';

/** An unused table with this many rows of a kilobyte; a page in its middle is overwritten. */
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

test("a large one stops the appliance after the check", async () => {
  const dataDir = await damagedFolder(40_000);
  const server = await startBinary({ dataDir, demo: false });
  await until(() => server.process.exitCode !== null, { withinMs: 60_000, what: server.output });
  await until(() => server.output().includes(RESTORE), { withinMs: 10_000, what: server.output });
  expect(server.output()).toContain("The database is damaged; stopping.");
  expect(server.process.exitCode).toBe(4);
});

test("a large intact one is served, and a command checks it separately", async () => {
  const dataDir = tempFolder();
  const server = await startBinary({ dataDir, demo: false });
  const { stdout, code } = await runBinary(["doctor", "--database", "--json", "--data", dataDir]);
  expect(JSON.parse(stdout)).toMatchObject([{ check: "database", state: "ok" }]);
  expect(code).toBe(0);
  expect(await server.stop()).toBe(0);
});
