// Heavy reads on PostgreSQL: when a client disconnects, its statement is cancelled and its connection is reused.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { askedBy } from "../../../src/core/asking.ts";
import { othersFirst } from "../../../src/core/clock.ts";
import type { AppError } from "../../../src/core/errors.ts";
import type { Database } from "../../../src/db/database.ts";
import type { RunningPostgres } from "../../../scripts/postgres-cluster.ts";
import { databaseOf, newPostgresUrl, openAt, testCluster } from "../../support/postgres.ts";
import { rejectionOf } from "../../support/temp.ts";
import { until } from "../../support/until.ts";

/** The number of concurrent reads. */
const LANES = 4;

let db: Database;
let cluster: RunningPostgres;
let database: string;

beforeAll(async () => {
  const url = await newPostgresUrl();
  database = databaseOf(url);
  cluster = await testCluster();
  db = await openAt(url);
});
afterAll(() => db.close());

/** Sleeping statements that run in PostgreSQL. */
const running = () =>
  Number(
    cluster.psql(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}' AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`,
    ),
  );

/** Longer than the statement timeout, so a statement that continues is detected. */
const sleep = () => sql`SELECT pg_sleep(7.5)`.execute(db.heavy);

test("a read whose client disconnects is cancelled in PostgreSQL, and others are not", async () => {
  const stays = sleep();
  const clients = Array.from({ length: LANES - 1 }, () => new AbortController());
  const asked = clients.map((client, i) =>
    rejectionOf<AppError>(askedBy({ who: `client ${i}`, left: () => client.signal }, sleep)),
  );
  await until(() => running() === LANES);
  for (const client of clients) client.abort();
  for (const error of await Promise.all(asked)) expect(error.code).toBe("REQUEST_TIMEOUT");
  await until(() => running() === 1, { withinMs: 5_000 });
  // Their connections are reused at once, without traces of the cancellation.
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, n) => (await sql<{ n: number }>`SELECT ${n}::int AS n`.execute(db.heavy)).rows,
    ),
  );
  expect(answers.flat().map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(running()).toBe(1);
  await stays;
});

test("a client that disconnects just after its statement ended does not affect another", async () => {
  for (let i = 0; i < 50; i++) {
    const client = new AbortController();
    const asking = askedBy({ who: "quick", left: () => client.signal }, () => sql`SELECT 1`.execute(db.heavy));
    const others = Array.from({ length: LANES * 2 }, () => sql`SELECT 2`.execute(db.heavy));
    for (let turn = 0; turn < i % 8; turn++) await othersFirst();
    client.abort();
    await asking.catch(() => {});
    await Promise.all(others);
  }
});
