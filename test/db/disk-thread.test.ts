// The thread that runs fsync, on a real SQLite file: commits, checkpoints, wipes, and the end of the thread.
import { afterEach, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { silentLogger } from "../../src/core/logger.ts";
import { openDatabase, type Database } from "../../src/db/database.ts";
import type { DiskWorker, ToDiskWorker } from "../../src/db/disk-protocol.ts";
import { startDiskWorker, startReadWorker } from "../../src/compose/threads/start.ts";
import { fileOf, newDataFolder } from "../support/temp.ts";

let db: Database;
let threads: DiskWorker[];
let steps: ToDiskWorker["type"][];
afterEach(() => db.close());

function started(): DiskWorker {
  const worker = startDiskWorker();
  threads.push(worker);
  return {
    ...worker,
    post(message) {
      steps.push(message.type);
      worker.post(message);
    },
  };
}

async function open(dataDir: string): Promise<void> {
  [threads, steps] = [[], []];
  db = await openDatabase(
    { dataDir },
    { logger: silentLogger, as: "server", startReader: startReadWorker, startDisk: started },
  );
}

/** About 12 pages each. */
const put = (name: string) =>
  db.write((tx) =>
    tx
      .insertInto("heartbeats")
      .values({ name: `${name} ${"x".repeat(50_000)}`, at: 1 })
      .execute(),
  );
const counted = async (executor = db.reader) => (await executor.selectFrom("heartbeats").select("at").execute()).length;

test("the thread syncs every commit, and both readers see it when it is answered", async () => {
  await open(await newDataFolder());
  for (let i = 1; i <= 5; i++) {
    await put(`beat ${i}`);
    expect([await counted(), await counted(db.heavy)]).toEqual([i, i]);
  }
  expect(steps.filter((step) => step === "sync")).toHaveLength(5);
});

test("the thread checkpoints the WAL repeatedly, and everything is there after the next start", async () => {
  const dataDir = await newDataFolder();
  await open(dataDir);
  for (let i = 0; i < 500; i++) await put(`beat ${i}`);
  expect(steps.filter((step) => step === "move").length).toBeGreaterThanOrEqual(2);
  expect(steps.filter((step) => step === "begin").length).toBeGreaterThanOrEqual(2);
  // Of about 6,500 frames, some 2,000 are in it at a time.
  expect(statSync(`${fileOf(db)}-wal`).size).toBeLessThan(16 * 1024 * 1024);
  await db.close();
  await open(dataDir);
  expect(await counted()).toBe(500);
});

test("erased data is gone from the file and the WAL after a wipe", async () => {
  await open(await newDataFolder());
  for (let i = 0; i < 100; i++) await put(`Kamala ${i}`);
  await put("kept");
  await db.write((tx) => tx.deleteFrom("heartbeats").where("name", "like", "Kamala%").execute());
  expect(await db.maintenance.wipe([])).toBeTrue();
  const bytes = ["", "-wal"].map((suffix) => readFileSync(fileOf(db) + suffix, "latin1")).join("");
  expect(bytes).not.toContain("Kamala");
  expect(bytes).toContain("kept");
  expect(await db.maintenance.upkeep()).toBeTrue();
  expect(await counted()).toBe(1);
});

test("a thread that ended is restarted, and no commit is lost", async () => {
  await open(await newDataFolder());
  await put("before");
  threads[0]?.terminate();
  await Promise.all(["a", "b", "c"].map(put));
  await put("after");
  expect(await counted()).toBe(5);
  expect(threads.length).toBeLessThanOrEqual(2);
});

test("if no thread can be started, commits run fsync on the serving thread", async () => {
  const dataDir = await newDataFolder();
  const startDisk = () => {
    throw new Error("no room");
  };
  db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server", startDisk });
  await put("a");
  expect(await counted()).toBe(1);
});
