// Cached values are never older than the last commit of any process.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import type { Command, Database } from "../../src/db/database.ts";
import { Memory } from "../../src/db/memory.ts";
import { remembered } from "../../src/db/prepared.ts";
import { TableChanges, tableWritten } from "../../src/db/sqlite/table-changes.ts";
import { fileOf, openTempDatabase } from "../support/temp.ts";

const heartbeat = remembered<{ name: string }>(["heartbeats"])((executor, { name }) =>
  executor.selectFrom("heartbeats").selectAll().where("name", "=", name),
);

let db: Database;
let stranger: Sqlite.Database;
beforeEach(async () => {
  ({ db } = await openTempDatabase());
  stranger = new Sqlite(fileOf(db));
  await db.write((tx) => tx.insertInto("heartbeats").values({ name: "a", at: 1 }).execute());
});
afterEach(async () => {
  stranger.close();
  await db.close();
});

const set = (at: number) => db.write((tx) => tx.updateTable("heartbeats").set({ at }).execute());
/** Runs the command a single time; test databases try new ones twice. */
const writeOnce = <T>(command: Command<T>) => (Object.getPrototypeOf(db) as Database).write(command);
const read = async () => (await heartbeat(db.reader, { name: "a" }))[0];

test("a value is the same object until its table changes", async () => {
  const first = await read();
  expect(await read()).toBe(first);
  await db.write((tx) => tx.deleteFrom("sessions").execute());
  expect(await read()).toBe(first);
  await set(2);
  expect(await read()).toMatchObject({ at: 2 });
});

/**
 * Changes of another process happen between two turns of the event loop; a later request reads them in a later turn.
 */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("a commit of another process is seen in the next turn", async () => {
  await read();
  stranger.exec("UPDATE heartbeats SET at = 7");
  await nextTurn();
  expect(await read()).toMatchObject({ at: 7 });
});

test("the file is checked once per turn, however many readers there are", async () => {
  let asked = 0;
  const changes = new TableChanges(() => ++asked);
  const first = changes.stampOf(["calls"]);
  expect([changes.stampOf(["calls"]), changes.stampOf(["agents"]), asked]).toEqual([first, first, 1]);
  await nextTurn();
  expect(changes.stampOf(["calls"])).not.toBe(first);
});

test("a rolled-back write changes nothing, and an uncommitted one is not seen", async () => {
  const first = await read();
  let seen: unknown;
  const refused = db.write(async (tx) => {
    await tx.updateTable("heartbeats").set({ at: 9 }).execute();
    seen = await read();
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  expect([seen, await read()]).toEqual([first, first]);
});

test("a transaction sees its own writes", async () => {
  await read();
  const within = await db.write(async (tx) => {
    await tx.updateTable("heartbeats").set({ at: 5 }).execute();
    return heartbeat(tx, { name: "a" });
  });
  expect(within).toMatchObject([{ at: 5 }]);
});

test("a cached value is immutable", async () => {
  const rows = await heartbeat(db.reader, { name: "a" });
  expect(() => Object.assign(rows[0]!, { at: 3 })).toThrow();
  expect(() => rows.pop()).toThrow();
});

test("the cache is cleared above a thousand entries, and unknown keys are not cached", async () => {
  const names = Array.from({ length: 1_001 }, (_, i) => `n${String(i)}`);
  for (let first = 0; first < names.length; first += 250) {
    const some = names.slice(first, first + 250).map((name) => ({ name, at: 1 }));
    await db.write((tx) => tx.insertInto("heartbeats").values(some).execute());
  }
  const one = async (name: string) => (await heartbeat(db.reader, { name }))[0];
  const kept = await one("n0");
  for (let i = 0; i < 1_500; i++) await one(`stranger${String(i)}`);
  for (const name of names.slice(1, 1_000)) await one(name);
  expect(await one("n0")).toBe(kept);
  await one("n1000");
  expect(await one("n0")).not.toBe(kept);
});

test("a transaction uses cached values until it writes their table, and caches what it reads before", async () => {
  const [before, within, after] = await writeOnce(async (tx) => {
    const [first] = await heartbeat(tx, { name: "a" });
    await tx.deleteFrom("sessions").execute();
    const [again] = await heartbeat(tx, { name: "a" });
    await tx.updateTable("heartbeats").set({ at: 5 }).execute();
    return [first, again, (await heartbeat(tx, { name: "a" }))[0]];
  });
  expect(within).toBe(before);
  expect([before, after]).toMatchObject([{ at: 1 }, { at: 5 }]);
  expect(await read()).toMatchObject({ at: 5 });
});

test("a transaction sees a commit of another process from the same turn", async () => {
  await read();
  // Runs right before the transaction begins, which waits for one turn.
  setImmediate(() => {
    expect(heartbeat.known(db.reader, { name: "a" })).toMatchObject([{ at: 1 }]);
    stranger.exec("UPDATE heartbeats SET at = 7");
  });
  expect(await writeOnce((tx) => heartbeat(tx, { name: "a" }))).toMatchObject([{ at: 7 }]);
});

test("a cached value is available synchronously, except in a transaction that wrote its table", async () => {
  expect(heartbeat.known(db.reader, { name: "a" })).toBeUndefined();
  const first = await read();
  expect(heartbeat.known(db.reader, { name: "a" })).toEqual([first!]);
  const known = await writeOnce(async (tx) => {
    const before = heartbeat.known(tx, { name: "a" });
    await tx.updateTable("heartbeats").set({ at: 1 }).execute();
    return [before, heartbeat.known(tx, { name: "a" })];
  });
  expect(known).toEqual([[first!], undefined]);
  await set(2);
  expect(heartbeat.known(db.reader, { name: "a" })).toBeUndefined();
});

test("a value that changed while it was read is not cached", async () => {
  const memory = new Memory<number>(["heartbeats"], 10);
  const keep = () => true;
  const old = await memory.of(db.reader, "a", async () => (await set(2), 1), keep);
  expect([old, memory.known(db.reader, "a")]).toEqual([1, undefined]);
  await memory.of(db.reader, "a", async () => 2, keep);
  expect(memory.known(db.reader, "a")).toBe(2);
});

test("for any writes in any order by any process, the value is that of the database", async () => {
  const step = fc.record({
    by: fc.constantFrom("us", "stranger", "us, taken back", "us, by raw SQL"),
    at: fc.integer({ min: 0, max: 1_000_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      for (const { by, at } of steps) {
        if (by === "us") await set(at);
        if (by === "stranger") {
          stranger.prepare("UPDATE heartbeats SET at = ?").run(at);
          await nextTurn();
        }
        if (by === "us, taken back") {
          const failing = db.write(async (tx) => {
            await tx.updateTable("heartbeats").set({ at }).execute();
            throw new Error("no");
          });
          await failing.catch(() => {});
        }
        if (by === "us, by raw SQL") {
          await db.write((tx) =>
            tx
              .with("x", (eb) => eb.selectFrom("heartbeats").selectAll())
              .updateTable("heartbeats")
              .set({ at })
              .execute(),
          );
        }
        const [plain] = await db.reader.selectFrom("heartbeats").selectAll().where("name", "=", "a").execute();
        expect(await writeOnce((tx) => heartbeat(tx, { name: "a" }))).toEqual([plain!]);
        expect(await read()).toEqual(plain);
      }
    }),
    { numRuns: 40 },
  );
});

test("the table of a statement is known, or every table counts as changed", () => {
  expect(tableWritten('insert into "calls" ("id") values (?)')).toBe("calls");
  expect(tableWritten('insert or ignore into "calls" ("id") values (?)')).toBe("calls");
  expect(tableWritten('update "agents" set "name" = ?')).toBe("agents");
  expect(tableWritten("DELETE FROM api_keys WHERE id = 1")).toBe("api_keys");
  expect(tableWritten('with "x" as (select 1) update "agents" set "name" = ?')).toBe("");
});

test("no trigger and no foreign key changes a cached table unnoticed", async () => {
  const source = join(import.meta.dir, "../../src");
  const tables = new Set<string>();
  for await (const path of new Bun.Glob("**/*.ts").scan(source)) {
    const text = await Bun.file(join(source, path)).text();
    for (const [, list = ""] of text.matchAll(/(?:= remembered<[^>]*>\(|new (?:Row)?Memory<.*>\()([^)]*)\)/g))
      for (const [, table = ""] of list.matchAll(/"(\w+)"/g)) tables.add(table);
  }
  expect([...tables]).toEqual(expect.arrayContaining(["api_keys", "agents", "calls"]));
  const schema = stranger.prepare("SELECT type, name, sql FROM sqlite_master").all() as {
    type: string;
    name: string;
    sql: string | null;
  }[];
  for (const { sql } of schema.filter(({ type }) => type === "trigger")) {
    const written = [...(sql ?? "").matchAll(/(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/g)].map(
      ([, table = ""]) => table,
    );
    expect(written.filter((table) => tables.has(table))).toEqual([]);
  }
  for (const table of tables) {
    const keys = stranger.pragma(`foreign_key_list(${table})`) as { on_delete: string; on_update: string }[];
    expect(keys.filter((key) => key.on_delete !== "NO ACTION" || key.on_update !== "NO ACTION")).toEqual([]);
  }
});
