// A walk along an index in slices meets every row once, in order, whatever the size of the slices.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Database } from "../../src/db/database.ts";
import { behind, slicesAlong } from "../../src/db/index-slices.ts";
import { openTempDatabase } from "../support/temp.ts";

let db: Database;
beforeEach(async () => {
  ({ db } = await openTempDatabase());
  // Two of each time, so that the name tells them apart.
  const rows = Array.from({ length: 10 }, (_, i) => ({ name: `beat ${i}`, at: Math.floor(i / 2) }));
  await db.write((tx) => tx.insertInto("heartbeats").values(rows).execute());
});
afterEach(() => db.close());

const COLUMNS = ["at", "name"] as const;
const beats = () => db.reader.selectFrom("heartbeats").select(["at", "name"]);

test("every row comes once, in the order of the columns, in slices of at most so many", async () => {
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

test("rows that sort behind one are those of later columns, too", async () => {
  const rows = await beats()
    .where(behind(COLUMNS, { at: 3, name: "beat 6" }))
    .orderBy("name")
    .execute();
  expect(rows.map(({ name }) => name)).toEqual(["beat 7", "beat 8", "beat 9"]);
});
