import { afterAll, beforeAll, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import type { Database } from "../../src/db/database.ts";
import { PREPARED, prepared, preparedWrite } from "../../src/db/prepared.ts";
// Whose stores prepare the queries of the appliance.
import "../../src/compose/app.ts";
import { fileOf, openTempDatabase } from "../support/temp.ts";

let db: Database;
beforeAll(async () => void ({ db } = await openTempDatabase()));
afterAll(() => db.close());

test("a prepared query is built once and takes other values each time", async () => {
  let built = 0;
  const insert = prepared<{ name: string; at: number }>()((executor, p) => {
    built += 1;
    return executor.insertInto("heartbeats").values({ name: p.name, at: p.at });
  });
  const select = prepared<{ from: number; to: number }>()((executor, { from, to }) =>
    executor
      .selectFrom("heartbeats")
      .select("name")
      .where("at", ">=", from)
      .where("at", "<", to)
      .where("name", "!=", "fixed")
      .orderBy("at"),
  );
  for (const [name, at] of [
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ] as const)
    await db.write((tx) => insert(tx, { name, at }));
  expect(built).toBe(1);
  expect(await select(db.reader, { from: 1, to: 3 })).toEqual([{ name: "a" }, { name: "b" }]);
  expect(await select(db.reader, { from: 3, to: 9 })).toEqual([{ name: "c" }]);
  expect(await select(db.reader, { from: 9, to: 9 })).toEqual([]);
});

test("a value is never interpreted as SQL", async () => {
  const select = prepared<{ name: string }>()((executor, { name }) =>
    executor.selectFrom("heartbeats").selectAll().where("name", "=", name),
  );
  expect(await select(db.reader, { name: "' OR 1=1 --" })).toEqual([]);
});

test("concurrent queries do not mix up their values", async () => {
  const select = prepared<{ name: string }>()((executor, { name }) =>
    executor.selectFrom("heartbeats").select("name").where("name", "=", name),
  );
  const names = ["a", "b", "c", "a", "c", "b"];
  const rows = await Promise.all(names.map((name) => select(db.reader, { name })));
  expect(rows).toEqual(names.map((name) => [{ name }]));
});

test("a limit is part of the text: SQLite would prepare a statement with a parameter there anew each time", async () => {
  let built = 0;
  const select = prepared<{ limit: number }>()((executor, { limit }) => {
    built += 1;
    return executor.selectFrom("heartbeats").select("name").orderBy("at").limit(limit);
  });
  const names = async (limit: number) => (await select(db.reader, { limit })).map(({ name }) => name);
  expect(await names(1)).toEqual(["a"]);
  expect(await names(2)).toEqual(["a", "b"]);
  expect(await names(1)).toEqual(["a"]);
  expect(built).toBe(2);
  const { sql, parameters } = db.reader.selectFrom("heartbeats").select("name").limit(5).compile();
  expect(sql).toEndWith("limit 5");
  expect(parameters).toEqual([]);
});

test("the database accepts every query that the appliance prepares", () => {
  const connection = new Sqlite(fileOf(db), { readonly: true });
  expect(PREPARED.length).toBeGreaterThan(50);
  for (const compiledOn of PREPARED) connection.prepare(compiledOn(db.reader).sql);
  connection.close();
});

test("a prepared write that must change a row, and does not, fails its command", async () => {
  const move = preparedWrite<{ name: string }>(1)((executor, { name }) =>
    executor.updateTable("heartbeats").set({ at: 7 }).where("name", "=", name),
  );
  const insert = (name: string) =>
    db.write(async (tx) => {
      await tx.insertInto("heartbeats").values({ name, at: 1 }).execute();
      await move(tx, { name: "moved" });
    });
  await expect(insert("not moved")).rejects.toThrow("unexpected number of rows");
  await insert("moved");
  const rows = await db.reader.selectFrom("heartbeats").selectAll().where("name", "like", "%moved").execute();
  expect(rows).toEqual([{ name: "moved", at: 7 }]);
});
