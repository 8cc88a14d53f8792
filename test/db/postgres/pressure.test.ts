// PostgreSQL with a locked table, or stopped: every caller is answered in time, and work continues afterwards.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { AppError } from "../../../src/core/errors.ts";
import type { Database } from "../../../src/db/database.ts";
import { recordHeartbeat } from "../../../src/db/heartbeat-store.ts";
import { addressOf } from "../../../src/db/postgres/address.ts";
import { openWire } from "../../../src/db/postgres/wire.ts";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres-cluster.ts";
import { reservedPort } from "../../support/free-ports.ts";
import { openAt, settingsFor } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";

const CLIENTS = 64;
/** The limit is ten seconds, with a margin for a busy machine. */
const ANSWERED_WITHIN_MS = 12_000;

let cluster: PostgresCluster;
let db: Database;
let url: string;

beforeAll(async () => {
  const port = await reservedPort();
  cluster = await startPostgres({ port });
  cluster.createDatabase("pressed");
  url = `postgres://postgres@127.0.0.1:${port}/pressed`;
  db = await openAt(url);
});
afterAll(async () => {
  await db.close();
  await cluster.stop();
});

const beat = (name: string) => db.write((tx) => recordHeartbeat(tx, name, 1));
const names = () => db.reader.selectFrom("heartbeats").select("name").execute();

/** A request that reads and then writes, as most do. */
async function readAndWrite(client: number): Promise<void> {
  await db.reader.selectFrom("organisations").select("id").execute();
  if (client % 2 === 0) await names();
  await beat(`client ${client}`);
}

interface Answered {
  afterMs: number;
  error: unknown;
}

async function answered(run: () => Promise<unknown>): Promise<Answered> {
  const startedMs = performance.now();
  const error = await run().then(
    () => null,
    (reason: unknown) => reason,
  );
  return { afterMs: performance.now() - startedMs, error };
}

function expectRefusedInTime(all: readonly Answered[]): void {
  for (const { afterMs, error } of all) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 2 });
    expect(afterMs).toBeLessThan(ANSWERED_WITHIN_MS);
  }
}

test("while another session locks a table, 64 clients are answered within twelve seconds", async () => {
  const holder = await openWire(addressOf(settingsFor(url)), { name: "holder", isPatient: true });
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE heartbeats");
  const all = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => answered(() => readAndWrite(i))));
  await holder.query("COMMIT");
  holder.end();
  expectRefusedInTime(all);
  await readAndWrite(0);
  expect((await names()).map(({ name }) => name)).toEqual(["client 0"]);
}, 180_000);

test("stopped PostgreSQL processes are abandoned within ten seconds, and replaced", async () => {
  await Promise.all([beat("before"), names()]);
  const pids = cluster
    .psql("SELECT pid FROM pg_stat_activity WHERE datname = 'pressed' AND application_name LIKE 'ringward %'")
    .split("\n")
    .map(Number);
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  try {
    // As many as there are connections, so no new connection answers one.
    expectRefusedInTime(await Promise.all([answered(() => beat("meanwhile")), answered(names)]));
    await until(async () => (await answered(names)).error === null);
  } finally {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  }
  await until(async () => (await answered(() => beat("after"))).error === null);
  expect((await names()).map(({ name }) => name)).toContain("after");
}, 180_000);

test("every session has keepalives, so PostgreSQL ends it soon after the server's machine is gone", async () => {
  const wire = await openWire(addressOf(settingsFor(url)), { name: "look" });
  const found: unknown[] = [];
  for (const name of ["idle", "interval", "count"])
    found.push(...(await wire.query(`SHOW tcp_keepalives_${name}`)).rows);
  found.push(...(await wire.query("SHOW tcp_user_timeout")).rows);
  wire.end();
  expect(Object.assign({}, ...found)).toEqual({
    tcp_keepalives_idle: "5",
    tcp_keepalives_interval: "3",
    tcp_keepalives_count: "3",
    tcp_user_timeout: "15000",
  });
});
