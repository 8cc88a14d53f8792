// Written values are read back, in the same JavaScript types as on SQLite.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import type { Database } from "../../../src/db/port.ts";
import { newPostgresUrl, openAt } from "../../support/postgres.ts";
import { rejectionOf } from "../../support/temp.ts";

let db: Database;

beforeAll(async () => {
  db = await openAt(await newPostgresUrl());
  await db.write(async (tx) => {
    await sql`CREATE TABLE vals (id bigint PRIMARY KEY, n bigint, r double precision, t text COLLATE "C", b bytea)`.execute(
      tx,
    );
  });
});
afterAll(() => db.close());

const WHOLE = [0, -1, 1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, null];
const REAL = [0, -0.5, 1e-9, 1 / 3, 1.7976931348623157e308, 123456789.125, 5, null];
const TEXT = ["", "a'b\"c\\d", "İẞक ✓ 🙂", "x".repeat(65_536), "%_", "true", "1", null];
const BYTES = [Buffer.from([0, 1, 255]), Buffer.alloc(0), Buffer.alloc(70_000, 7), null];

test("every kind of value is read back unchanged", async () => {
  const rows = WHOLE.map((n, id) => ({ id, n, r: REAL[id] ?? null, t: TEXT[id] ?? null, b: BYTES[id] ?? null }));
  await db.write(async (tx) => {
    for (const { id, n, r, t, b } of rows)
      await sql`INSERT INTO vals VALUES (${id}, ${n}, ${r}, ${t}, ${b})`.execute(tx);
  });
  const { rows: read } = await sql`SELECT * FROM vals ORDER BY id`.execute(db.reader);
  expect(read).toEqual(rows);
});

test("count, sum, min and max are numbers", async () => {
  const { rows } =
    await sql`SELECT count(*) AS c, sum(id) AS s, min(id) AS lo, max(id) AS hi, sum(r) AS f FROM vals WHERE id < 2`.execute(
      db.reader,
    );
  expect(rows).toEqual([{ c: 2, s: 1, lo: 0, hi: 1, f: -0.5 }]);
});

test("a number beyond JavaScript's precision is rejected, not rounded", async () => {
  expect((await rejectionOf(sql`SELECT 9007199254740993::bigint AS n`.execute(db.reader))).message).toMatch(
    /too large/,
  );
});

test("text sorts by bytes, as ids and times require", async () => {
  const text = fc.string({ unit: "binary", maxLength: 8 }).filter((each) => !each.includes("\0"));
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { maxLength: 12 }), async (words) => {
      const wellFormed = words.map((word) => word.toWellFormed());
      const { rows } = await sql<{
        t: string;
      }>`SELECT t FROM unnest(${wellFormed}::text[]) AS w(t) ORDER BY t COLLATE "C"`.execute(db.reader);
      expect(rows.map(({ t }) => t)).toEqual(wellFormed.toSorted(bytes));
    }),
    { numRuns: 30 },
  );
});

test("U+0000, which PostgreSQL cannot store, is replaced, so machine output is stored anyway", async () => {
  const { rows } = await sql`SELECT ${"a\0b"}::text AS t`.execute(db.reader);
  expect(rows).toEqual([{ t: "a\uFFFDb" }]);
});
