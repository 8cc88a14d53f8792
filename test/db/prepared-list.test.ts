// Prepared queries with lists: each value is queried, for any length.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../src/db/database.ts";
import { preparedList } from "../../src/db/prepared-list.ts";
import { openTempDatabase } from "../support/temp.ts";

let db: Database;

beforeAll(async () => {
  ({ db } = await openTempDatabase());
  await db.write(async (tx) => {
    for (let i = 0; i < 200; i++)
      await tx
        .insertInto("heartbeats")
        .values({ name: `beat_${i}`, at: i })
        .execute();
  });
});
afterAll(() => db.close());

const beats = preparedList<{ least: number }>()((executor, names, { least }) =>
  executor.selectFrom("heartbeats").select("at").where("name", "in", names).where("at", ">=", least).orderBy("at"),
);

test.each([0, 1, 2, 4, 5, 16, 17, 63, 64, 65, 130])("a list of %i", async (count) => {
  const names = Array.from({ length: count }, (_, i) => `beat_${i}`);
  expect((await beats(db.reader, names, { least: 0 })).map(({ at }) => at)).toEqual(names.map((_, i) => i));
  expect(await beats(db.reader, names, { least: 199 })).toEqual([]);
});
