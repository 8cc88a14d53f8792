// PostgreSQL goes away and comes back: requests fail fast, no acknowledged write is lost, and no restart is needed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AppError } from "../../../src/core/errors.ts";
import type { Database } from "../../../src/db/database.ts";
import { recordHeartbeat } from "../../../src/db/heartbeat-store.ts";
import { OutcomeUnknown } from "../../../src/db/outcome-unknown.ts";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres-cluster.ts";
import { openAt } from "../../support/postgres.ts";
import { rejectionOf } from "../../support/temp.ts";
import { until } from "../../support/until.ts";

let cluster: PostgresCluster;
let db: Database;

beforeAll(async () => {
  cluster = await startPostgres({ durable: true });
  cluster.createDatabase("kept");
  db = await openAt(cluster.url("kept"));
});
afterAll(async () => {
  await db.close();
  await cluster.stop();
});

const beat = (name: string) => db.write((tx) => recordHeartbeat(tx, name, 1));
const names = async () => (await db.reader.selectFrom("heartbeats").select("name").execute()).map(({ name }) => name);

test("while it is down every request is told at once to retry, and then work continues", async () => {
  await beat("before");
  await cluster.crash();
  await until(async () => (await rejectionOf<AppError>(beat("meanwhile"))).code === "UNAVAILABLE");
  const refusal = await rejectionOf<AppError>(beat("meanwhile"));
  expect(refusal).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 2 });
  expect(refusal.message).toMatch(/Nothing was changed/);
  expect(await rejectionOf<AppError>(names())).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 2 });
  await cluster.start();
  // Writer and readers each detect separately that it is back.
  const isBack = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      () => false,
    );
  await until(async () => (await isBack(beat("after"))) && (await isBack(names())));
  expect((await names()).toSorted()).toEqual(["after", "before"]);
});

test("after a kill under load, everything acknowledged is there, and nothing that was refused", async () => {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  const writeOn = async (writer: number): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      const name = `${writer}-${i}`;
      await beat(name).then(
        () => acknowledged.push(name),
        (error: unknown) => {
          if (!(error instanceof OutcomeUnknown)) refused.push(name);
        },
      );
      // A refusal is immediate; others must get their turn.
      if (i % 10 === 0) await db.settled();
    }
  };
  const writers = Array.from({ length: 8 }, (_, writer) => writeOn(writer));
  for (let kill = 0; kill < 3; kill++) {
    const soFar = acknowledged.length;
    await until(() => acknowledged.length > soFar + 50);
    await cluster.crashAndRestart();
  }
  const soFar = acknowledged.length;
  await until(() => acknowledged.length > soFar + 50);
  isOver = true;
  await Promise.all(writers);
  const stored = new Set(await names());
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect(refused.filter((name) => stored.has(name))).toEqual([]);
});

test("a second server is refused while the first one works, and a command is not", async () => {
  expect((await rejectionOf(openAt(cluster.url("kept")))).message).toMatch(/Another Ringward is running/);
  const beside = await openAt(cluster.url("kept"), "command");
  await beside.write((tx) => recordHeartbeat(tx, "beside", 1));
  await beside.close();
  expect(await names()).toContain("beside");
});
