// The counters of the database and of the data folder, kept in step by the running server.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, SECOND_MS } from "../../../src/core/clock.ts";
import { createIds } from "../../../src/core/ids.ts";
import { createLogger } from "../../../src/core/logger.ts";
import type { Database } from "../../../src/db/database.ts";
import { MEMORY_FILE, readMemory, withSeen, writeMemory } from "../../../src/db/lineage/folder-memory.ts";
import { createLineage, type Found, type Lineage } from "../../../src/db/lineage/lineage.ts";
import { lineageRow, updateLineage } from "../../../src/db/lineage/lineage-store.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { newDataFolder, openTestDatabase } from "../../support/temp.ts";

let db: Database;
let folder: string;
let clock: ManualClock;
let found: Found[];
let held: number;
let logLines: string[];

beforeEach(async () => {
  const home = await newDataFolder();
  folder = join(home, "memory");
  mkdirSync(folder);
  clock = createManualClock();
  logLines = [];
  db = await openTestDatabase(
    home,
    createLogger(clock, "debug", () => {}),
  );
  found = [];
  held = 0;
});
afterEach(() => db.close());

const logger = () => createLogger(clock, "debug", (line) => void logLines.push(line));
function server(): Lineage {
  return createLineage({
    db,
    clock,
    ids: createIds(clock),
    logger: logger(),
    dataDir: folder,
    hold: async (one) => void found.push(one),
    countHeld: async () => held,
  });
}
const started = async () => {
  const lineage = server();
  await lineage.begin(async () => {});
  return lineage;
};
const beatOf = async () => (await lineageRow(db.reader))?.beat ?? 0;
const remembered = () => readMemory(folder)?.databases.at(-1)?.beat ?? 0;

describe("a server", () => {
  test("increments at each start and every half minute, and the folder is never ahead of the database", async () => {
    const lineage = await started();
    expect([await beatOf(), remembered()]).toEqual([1, 1]);
    for (let look = 0; look < 5; look++) {
      clock.jump(0);
      await clock.advance(31 * SECOND_MS);
      await lineage.runDue();
      expect(remembered()).toBe(await beatOf());
    }
    expect(await beatOf()).toBe(6);
    await started();
    expect(await beatOf()).toBe(7);
    expect(found).toEqual([]);
  });

  test("records within a second that a call went out", async () => {
    const lineage = await started();
    for (let call = 0; call < 50; call++) lineage.dialled();
    await clock.advance(SECOND_MS);
    await lineage.stop();
    expect(await beatOf()).toBe(3);
    expect(remembered()).toBe(3);
    expect((await lineageRow(db.reader))?.is_stopped).toBe(1);
  });

  test("detects a restored database, holds once, and reports it until everything is decided", async () => {
    const lineage = await started();
    for (let look = 0; look < 3; look++) {
      await clock.advance(31 * SECOND_MS);
      await lineage.runDue();
    }
    await db.write((tx) => updateLineage(tx, { beat: 2 }));
    held = 20;
    const again = await started();
    expect(found).toMatchObject([{ standing: "behind", until: clock.now() }]);
    expect(again.note()).toMatch(/older state.*20 calls/);
    expect(await beatOf()).toBe(5);
    const third = await started();
    expect(found).toHaveLength(1);
    expect(third.note()).toContain("20 calls");
    held = 0;
    await clock.advance(2 * DAY_MS);
    await third.runDue();
    expect(third.note()).toBeNull();
  });

  test("holds again if it died before everything was held", async () => {
    await started();
    await started();
    await db.write((tx) => updateLineage(tx, { beat: 1 }));
    const dying = createLineage({
      db,
      clock,
      ids: createIds(clock),
      logger: logger(),
      dataDir: folder,
      hold: () => Promise.reject(new Error("killed")),
      countHeld: async () => held,
    });
    await expect(dying.begin(async () => {})).rejects.toThrow("killed");
    await started();
    expect(found).toMatchObject([{ standing: "behind" }]);
  });

  test("holds while running if a lagging replica takes over", async () => {
    const lineage = await started();
    await clock.advance(31 * SECOND_MS);
    await lineage.runDue();
    await db.write((tx) => updateLineage(tx, { beat: 1 }));
    await clock.advance(31 * SECOND_MS);
    await lineage.runDue();
    expect(found).toMatchObject([{ standing: "behind" }]);
    await clock.advance(31 * SECOND_MS);
    await lineage.runDue();
    expect(found).toHaveLength(1);
  });

  test("calls due until the folder's last sign of life are held, also if the clock is behind now", async () => {
    const lineage = await started();
    await clock.advance(31 * SECOND_MS);
    await lineage.runDue();
    const seenAt = clock.now();
    await db.write((tx) => updateLineage(tx, { beat: 1 }));
    clock.jump(-DAY_MS);
    await started();
    expect(found).toMatchObject([{ standing: "behind", until: seenAt }]);
  });
});

describe("the folder's record", () => {
  test("is not lost if it cannot be written, and that is reported once", async () => {
    const lineage = await started();
    rmSync(join(folder, MEMORY_FILE));
    mkdirSync(join(folder, `${MEMORY_FILE}.new`));
    for (let look = 0; look < 3; look++) {
      await clock.advance(31 * SECOND_MS);
      await lineage.runDue();
    }
    expect(logLines.filter((line) => line.includes("heartbeat could not be stored in the data folder"))).toHaveLength(
      1,
    );
    rmSync(join(folder, `${MEMORY_FILE}.new`), { recursive: true, force: true });
    await clock.advance(31 * SECOND_MS);
    await lineage.runDue();
    expect(remembered()).toBe(await beatOf());
  });

  test("keeps the newest of at most 16 databases, and ignores invalid content", async () => {
    let memory = withSeen({ folder: "f", databases: [], restoredAt: 1 }, { line: "0", beat: 1, at: 1 });
    for (let line = 1; line < 40; line++) memory = withSeen(memory, { line: String(line), beat: 1, at: 1 });
    memory = withSeen(memory, { line: "30", beat: 2, at: 2 });
    expect(memory.databases).toHaveLength(16);
    expect(memory.databases.at(-1)).toEqual({ line: "30", beat: 2, at: 2 });
    await writeMemory(folder, memory);
    expect(readMemory(folder)).toEqual(memory);
    expect(readdirSync(folder)).toEqual([MEMORY_FILE]);
    for (const text of ["", "{", "null", "[]", '{"folder":1}', '{"folder":"a","databases":[{}],"restoredAt":null}']) {
      writeFileSync(join(folder, MEMORY_FILE), text);
      chmodSync(join(folder, MEMORY_FILE), 0o600);
      expect(readMemory(folder)).toBeNull();
    }
  });
});
