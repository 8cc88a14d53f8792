// PostgreSQL accepts every query that our stores prepare, with types that it can infer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
// Whose stores prepare the queries of the appliance.
import "../../../src/compose/app.ts";
import { messageOf } from "../../../src/core/errors.ts";
import type { Database } from "../../../src/db/database.ts";
import { PREPARED } from "../../../src/db/prepared.ts";
import { newPostgresUrl, openAt } from "../../support/postgres.ts";

let db: Database;
beforeAll(async () => {
  db = await openAt(await newPostgresUrl());
});
afterAll(() => db.close());

test("every prepared query can be prepared", async () => {
  expect(PREPARED.length).toBeGreaterThan(50);
  const texts = new Set(PREPARED.map((compiledOn) => compiledOn(db.reader).sql));
  const refused: string[] = [];
  let number = 0;
  for (const text of texts) {
    // In its own transaction, so a rejected query does not affect others.
    const prepare = sql.raw(`PREPARE trial_${number++} AS ${text}`);
    await db.write((tx) => prepare.execute(tx)).catch((error: unknown) => refused.push(`${messageOf(error)}: ${text}`));
  }
  expect(refused).toEqual([]);
});
