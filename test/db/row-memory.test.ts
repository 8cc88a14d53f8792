// A cached row is never older than the last commit that may have changed it, and a commit invalidates as little as
// possible.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bind } from "../../src/db/binding.ts";
import { RowMemory } from "../../src/db/row-memory.ts";
import { rowsWritten, TableChanges } from "../../src/db/sqlite/table-changes.ts";
import type { Executor } from "../../src/db/tables.ts";

interface Row {
  value: number;
}

const SET_ONE = 'update "calls" set "updated_at" = ?, "state" = ? where "id" = ? and "state" = ?';

/** A table of the database with its row cache. */
function createWorld(most = 100) {
  let version = 0;
  const changes = new TableChanges(() => version);
  const executor = {} as Executor;
  bind(executor, { engine: "sqlite", run: undefined, changes, settled: async () => {} });
  const memory = new RowMemory<Row>("calls", ["agents"], most);
  const rows = new Map<string, number>();
  let loads = 0;
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    changes,
    rows,
    loads: () => loads,
    read: (id: string, meanwhile: () => void = () => {}) =>
      memory.of(
        executor,
        id,
        async () => {
          loads += 1;
          const value = rows.get(id);
          meanwhile();
          return value === undefined ? null : { value };
        },
        () => true,
      ),
    set(id: string, value: number) {
      changes.wrote(SET_ONE, [1, "queued", id, "scheduled"]);
      rows.set(id, value);
      changes.committed();
    },
    setAll(value: number) {
      changes.wrote('update "calls" set "next_at" = ? where "state" = ?', [1, "queued"]);
      for (const id of rows.keys()) rows.set(id, value);
      changes.committed();
    },
    insert(id: string, value: number) {
      changes.wrote('insert into "calls" ("id", "state") values (?, ?)', [id, "scheduled"]);
      rows.set(id, value);
      changes.committed();
    },
    async setElsewhere(id: string, value: number) {
      rows.set(id, value);
      version += 1;
      await nextTurn();
    },
    takeBack(id: string) {
      changes.wrote(SET_ONE, [1, "queued", id, "scheduled"]);
      changes.rolledBack();
    },
  };
}

describe("a commit", () => {
  test("that changed one row invalidates only that row, and a new row invalidates none", async () => {
    const world = createWorld();
    world.insert("a", 1);
    world.insert("b", 1);
    const [a] = [await world.read("a"), await world.read("b")];
    world.insert("c", 1);
    world.set("b", 2);
    world.takeBack("a");
    expect(await world.read("a")).toBe(a);
    expect(await world.read("b")).toEqual({ value: 2 });
    expect(world.loads()).toBe(3);
  });

  test("of another table of ours invalidates nothing; of a source table, everything", async () => {
    const world = createWorld();
    world.insert("a", 1);
    const first = await world.read("a");
    world.changes.wrote('insert into "audit_entries" ("id") values (?)', ["x"]);
    world.changes.committed();
    expect(await world.read("a")).toBe(first);
    world.changes.wrote('update "agents" set "name" = ? where "id" = ?', ["Meera", "agt_1"]);
    world.changes.committed();
    expect(await world.read("a")).not.toBe(first);
  });

  test("while a row is read prevents it from being cached", async () => {
    const world = createWorld();
    world.insert("a", 1);
    expect(await world.read("a", () => world.set("a", 2))).toEqual({ value: 1 });
    expect(await world.read("a")).toEqual({ value: 2 });
  });

  test("of a transaction that began before tracking invalidates everything", async () => {
    const world = createWorld();
    world.rows.set("a", 1);
    world.changes.wrote(SET_ONE, [1, "queued", "a", "scheduled"]);
    await world.read("a");
    world.rows.set("a", 2);
    world.changes.committed();
    expect(await world.read("a")).toEqual({ value: 2 });
  });

  test("of more rows than are tracked invalidates all of them", async () => {
    const world = createWorld();
    world.insert("a", 1);
    await world.read("a");
    for (let i = 0; i < 1_000; i++) world.changes.wrote(SET_ONE, [1, "queued", `other ${i}`, "scheduled"]);
    world.set("a", 2);
    expect(await world.read("a")).toEqual({ value: 2 });
  });
});

test("above the limit the oldest row is evicted, and the others stay", async () => {
  const world = createWorld(2);
  for (const id of ["a", "b", "c"]) world.insert(id, 1);
  for (const id of ["a", "b", "c"]) await world.read(id);
  await world.read("c");
  await world.read("b");
  expect(world.loads()).toBe(3);
  await world.read("a");
  expect(world.loads()).toBe(4);
});

test("if rows cannot be told apart, nothing is cached", async () => {
  const executor = {} as Executor;
  const changes = { stampOf: () => 1 };
  bind(executor, { engine: "postgres", run: undefined, changes, settled: async () => {} });
  const memory = new RowMemory<Row>("calls", ["agents"], 10);
  let loads = 0;
  const read = () =>
    memory.of(
      executor,
      "a",
      async () => ({ value: ++loads }),
      () => true,
    );
  expect([await read(), await read()]).toEqual([{ value: 1 }, { value: 2 }]);
});

test("for any writes in any order by any process, the value read is the current one", async () => {
  const ids = ["a", "b", "c", "d"];
  const step = fc.record({
    by: fc.constantFrom("one row", "all rows", "new row", "taken back", "elsewhere", "while reading"),
    id: fc.constantFrom(...ids),
    value: fc.integer(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const world = createWorld(3);
      for (const { by, id, value } of steps) {
        if (by === "one row" && world.rows.has(id)) world.set(id, value);
        if (by === "all rows") world.setAll(value);
        if (by === "new row" && !world.rows.has(id)) world.insert(id, value);
        if (by === "taken back") world.takeBack(id);
        if (by === "elsewhere") await world.setElsewhere(id, value);
        if (by === "while reading" && world.rows.has(id)) await world.read(id, () => world.set(id, value));
        for (const each of ids) expect((await world.read(each))?.value).toBe(world.rows.get(each));
      }
    }),
  );
});

test("the row that a statement changes is known, or every row counts as changed", () => {
  expect(rowsWritten('insert into "calls" ("id", "state") values (?, ?)')).toBe("new");
  expect(rowsWritten('insert into "calls" ("id") values (?) on conflict ("id") do update set "state" = ?')).toBe("any");
  expect(rowsWritten('insert or replace into "calls" ("id") values (?)')).toBe("any");
  expect(rowsWritten(SET_ONE)).toBe(2);
  expect(rowsWritten('delete from "calls" where "id" = ?')).toBe(0);
  expect(rowsWritten('update "calls" set "state" = ? where "id" = ? and "finished_at" is null')).toBe(1);
  expect(rowsWritten('update "calls" set "state" = ? where "id" in (?, ?)')).toBe("any");
  expect(rowsWritten('update "calls" set "state" = ? where "id" = ? or "state" = ?')).toBe("any");
  expect(rowsWritten('update "calls" set "state" = ? where "agent_id" = ?')).toBe("any");
  expect(rowsWritten(`update "calls" set "state" = '?' where "id" = ?`)).toBe("any");
  expect(rowsWritten('update "calls" set "state" = (select "x" from "y" where "id" = ?)')).toBe("any");
  expect(rowsWritten('delete from "calls"')).toBe("any");
});
