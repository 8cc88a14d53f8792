// An index scan in slices returns every row once, in order, for any slice size.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Database } from "../../src/db/database.ts";
import { behind, slicesAlong } from "../../src/db/index-slices.ts";
import { openTempDatabase } from "../support/temp.ts";

let db: Database;
beforeEach(async () => {
  ({ db } = await openTempDatabase());
  // Two rows per time, distinguished by name.
  const rows = Array.from({ length: 10 }, (_, i) => ({ name: `beat ${i}`, at: Math.floor(i / 2) }));
  await db.write((tx) => tx.insertInto("heartbeats").values(rows).execute());
});
afterEach(() => db.close());

const COLUMNS = ["at", "name"] as const;
const beats = () => db.reader.selectFrom("heartbeats").select(["at", "name"]);

test("every row is returned once, in the order of the columns, in slices of limited size", async () => {
  const all = Array.from({ length: 10 }, (_, i) => `beat ${i}`);
  for (const most of [1, 2, 3, 5, 9, 10, 11]) {
    const seen: string[] = [];
    for await (const rows of slicesAlong(beats(), COLUMNS, most)) {
      expect(rows.length).toBeLessThanOrEqual(most);
      seen.push(...rows.map(({ name }) => name));
    }
    expect(seen).toEqual(all);
  }
});

test("rows after a given one include those that differ only in later columns", async () => {
  const rows = await beats()
    .where(behind(COLUMNS, { at: 3, name: "beat 6" }))
    .orderBy("name")
    .execute();
  expect(rows.map(({ name }) => name)).toEqual(["beat 7", "beat 8", "beat 9"]);
});
