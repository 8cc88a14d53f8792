// Copies everything from SQLite to PostgreSQL and back, and compares.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { systemClock } from "../../../src/core/clock.ts";
import { openDatabase, type Database } from "../../../src/db/database.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { isHalfMoved, markHalfMoved, refuseHalfMoved } from "../../../src/db/move/mark.ts";
import { moveEverything } from "../../../src/db/move/move.ts";
import { inOrder, movedTables } from "../../../src/db/move/tables.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { newPostgresUrl, openAt } from "../../support/postgres.ts";
import { newDataFolder, rejectionOf } from "../../support/temp.ts";

let hospital: Hospital;
let from: Database;
const opened: Database[] = [];

beforeAll(async () => {
  hospital = await createHospital();
  await hospital.subscribe();
  await hospital.app.start();
  await hospital.dial();
  for (let i = 0; i < 3; i++) await hospital.schedule({ additional_info: { ward: "ब 12", odd: "a\u2028b'\\" } });
  await insertDeliveryAttempt(hospital.db);
  // More than a page, with numbers at the limits.
  await hospital.db.write(async (tx) => {
    for (let i = 0; i < 1_203; i++)
      await tx
        .insertInto("heartbeats")
        .values({ name: `beat ${i}`, at: i === 7 ? Number.MAX_SAFE_INTEGER : -i })
        .execute();
  });
  from = hospital.db;
});
afterAll(async () => {
  for (const db of opened) await db.close();
  await hospital.close();
});

async function insertDeliveryAttempt(db: Database): Promise<void> {
  const { id } = await db.reader.selectFrom("deliveries").select("id").limit(1).executeTakeFirstOrThrow();
  const attempt = { delivery_id: id, at: 1, duration_ms: 2, status: null, detail: "", response: "" };
  await db.write((tx) =>
    tx
      .insertInto("delivery_attempts")
      .values({ ...attempt, outcome: "timeout" })
      .execute(),
  );
}

const progress = () => {};
const moved = (to: Database, source = from) => moveEverything({ from: source, to, clock: systemClock, progress });

async function emptyPostgres(): Promise<Database> {
  const db = await openAt(await newPostgresUrl());
  opened.push(db);
  return db;
}

async function emptySqlite(): Promise<Database> {
  const db = await openDatabase({ dataDir: await newDataFolder() }, { logger: silentLogger, as: "server" });
  opened.push(db);
  return db;
}

describe("a move", () => {
  test("in both directions gives the same rows and checksums", async () => {
    const there = await emptyPostgres();
    const sums = await moved(there);
    expect(sums.find(({ name }) => name === "calls")?.rows).toBe(4);
    expect(sums.find(({ name }) => name === "heartbeats")?.rows).toBeGreaterThan(1_200);
    expect(await moved(await emptySqlite(), there)).toEqual(sums);
    expect(await isHalfMoved(there.reader)).toBe(false);
  });

  test("continues the sequences, and has no changes to report", async () => {
    const there = await emptyPostgres();
    await moved(there);
    const { rows: changes } = await sql`SELECT 1 FROM changes`.execute(there.reader);
    expect(changes).toEqual([]);
    const before = await there.reader.selectFrom("delivery_attempts").select("id").execute();
    await insertDeliveryAttempt(there);
    const after = await there.reader.selectFrom("delivery_attempts").select("id").execute();
    expect([before.length > 0, after.length - before.length]).toEqual([true, 1]);
  });

  test("that was interrupted can be repeated, and its leftover is not served", async () => {
    const there = await emptyPostgres();
    await there.write(async (tx) => {
      await markHalfMoved(tx, 1);
      await tx.insertInto("heartbeats").values({ name: "left by the first try", at: 1 }).execute();
    });
    expect((await rejectionOf(refuseHalfMoved(there.reader))).message).toMatch(/was not finished/);
    await moved(there);
    await refuseHalfMoved(there.reader);
    const names = await there.reader.selectFrom("heartbeats").select("name").where("name", "like", "left%").execute();
    expect(names).toEqual([]);
  });

  test("into a database with data is refused", async () => {
    const there = await emptyPostgres();
    await there.write((tx) => tx.insertInto("heartbeats").values({ name: "x", at: 1 }).execute());
    expect((await rejectionOf(moved(there))).message).toMatch(/not empty: heartbeats has rows/);
  });

  test("during writes is not accepted as complete", async () => {
    const there = await emptyPostgres();
    let isWritten = false;
    const writing = moveEverything({
      from,
      to: there,
      clock: systemClock,
      progress(step) {
        // Referenced rows were copied before.
        if (isWritten || step !== "Copying calls") return;
        isWritten = true;
        void from.write((tx) => tx.insertInto("heartbeats").values({ name: "late", at: 1 }).execute());
      },
    });
    expect((await rejectionOf(writing)).message).toMatch(/heartbeats is not the same on both sides/);
    expect(await isHalfMoved(there.reader)).toBe(true);
  });
});

describe("the order of tables", () => {
  test("has referenced tables before referencing ones, and every table but those of triggers", () => {
    const tables = movedTables();
    const place = new Map(tables.map(({ name }, i) => [name, i]));
    for (const { name, references } of tables)
      for (const other of references) expect(place.get(other)).toBeLessThan(place.get(name) ?? -1);
    expect(tables.length).toBeGreaterThan(50);
    expect(place.has("changes")).toBe(false);
  });

  test("does not exist for a cycle", () => {
    const table = (name: string, other: string) => ({
      name,
      columns: ["id"],
      key: ["id"],
      isNumbered: false,
      references: [other],
    });
    expect(() => inOrder([table("a", "b"), table("b", "a")])).toThrow(/circular/);
  });
});
