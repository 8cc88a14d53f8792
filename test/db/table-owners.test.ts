// Each table is written by one room; other rooms call it or pass it the transaction.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { migrate } from "../../src/db/sqlite/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { ERASERS } from "../../src/compose/erasers.ts";
import { roomsOf, writesIn, type Writes } from "../support/table-writers.ts";

const SRC = join(import.meta.dir, "../../src");

/** These write to a copy that no server has opened: a restore prepares it before any room reads it. */
const BEFORE_ANY_ROOM = "db/backup/";

/** Tables and triggers of migrations/, for SQLite. */
const SCHEMA_OF_POSTGRES = "db/postgres/parts.ts";

/** Written only by triggers, within the write that changes what they count. */
const BY_TRIGGERS = ["delivery_counts"];

function sources(): Map<string, string> {
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SRC)].map((file) => file.replaceAll("\\", "/"));
  const isOfARoom = (file: string) => !file.startsWith(BEFORE_ANY_ROOM) && file !== SCHEMA_OF_POSTGRES;
  const kept = files.filter(isOfARoom).toSorted();
  return new Map(kept.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
}

function tables(): Set<string> {
  const connection = new Sqlite(":memory:");
  try {
    migrate(connection);
    const names = connection.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    return new Set(names.pluck().all() as string[]);
  } finally {
    connection.close();
  }
}

let known: Set<string>;
let writes: Writes;
beforeAll(() => {
  known = tables();
  writes = writesIn(sources(), known);
}, 180_000);

test("each table is written by one room", () => {
  const { files, unreadable } = writes;
  expect(unreadable).toEqual([]);
  const shared = [...files].filter(([, writers]) => roomsOf(writers).length > 1);
  expect(shared.map(([table, writers]) => `${table}: ${[...new Set(writers)].join(", ")}`)).toEqual([]);
});

test("every table is written by a room", () => {
  expect([...known].filter((table) => !writes.files.has(table)).toSorted()).toEqual(BY_TRIGGERS);
  const triggers = MIGRATIONS.map(({ sql }) => sql).join("\n");
  for (const table of BY_TRIGGERS) expect(triggers).toMatch(new RegExp(`BEGIN\\s+INSERT INTO ${table}\\b`));
});

test("each eraser erases tables of its own room, and each room has one", () => {
  const rooms = ERASERS.map(({ tables: own }) => roomsOf(own.flatMap((table) => writes.files.get(table) ?? [])));
  // An eraser without personal tables only forgets the id of a call.
  expect(rooms.map(({ length }) => length)).toEqual(ERASERS.map(({ tables: own }) => Math.min(own.length, 1)));
  expect(new Set(rooms.flat()).size).toBe(rooms.flat().length);
});

describe("a write is detected", () => {
  const of = (...code: string[]) =>
    writesIn(new Map(code.map((text, i) => [`room${i}/store.ts`, text])), new Set(["calls"]));

  test.each([
    ["by a builder", 'await tx.insertInto("calls").values(row).execute();'],
    ["by a builder over two lines", 'await tx\n  .updateTable(\n    "calls",\n  ).set(change)'],
    ["under another name", 'db.updateTable("calls as mine")'],
    ["by a deletion", "tx.deleteFrom('calls')"],
    ["as text", "connection.prepare(`INSERT OR IGNORE INTO calls VALUES (?)`)"],
    ["as text in small letters", 'connection.exec("delete from calls")'],
    ["as an update over two lines", "sql`update calls\n set x = 1`"],
    ["as a replacement", 'connection.exec("REPLACE INTO calls VALUES (1)")'],
  ])("%s", (_, code) => {
    expect([...of(code).files.keys()]).toEqual(["calls"]);
  });

  test("with its room, if two write the same table", () => {
    const { files } = of('tx.insertInto("calls")', "sql`DELETE FROM calls`", 'tx.selectFrom("calls")');
    expect(roomsOf(files.get("calls") ?? [])).toEqual(["room0", "room1"]);
  });

  test("if its table is in a variable, as one that must be spelled out", () => {
    expect(of("tx.deleteFrom(table)").unreadable).toHaveLength(1);
    expect(of("tx.deleteFrom(`${prefix}calls`)").unreadable).toHaveLength(1);
  });

  test("not in a comment, nor in a sentence", () => {
    const { files, unreadable } = of('// tx.insertInto("calls")\nconst words = "An UPDATE of calls comes later.";');
    expect([files.size, unreadable.length]).toEqual([0, 0]);
  });
});
