// A PostgreSQL that stops responding with its connections open: every request is answered in time, the connections are
// dropped, and the executable recovers by itself when PostgreSQL responds again.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startPostgres, type PostgresCluster } from "../../scripts/postgres-cluster.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, place, startQuick, talkative } from "../support/calls.ts";
import { reservedPort } from "../support/free-ports.ts";
import { startSilentProxy, type SilentProxy } from "../support/silent-proxy.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const CLIENTS = 24;
/** The documented ten seconds, plus a margin for a busy machine. */
const ANSWERED_WITHIN_MS = 12_000;

let cluster: PostgresCluster;
let proxy: SilentProxy;

beforeAll(async () => {
  const port = reservedPort();
  cluster = await startPostgres({ port });
  cluster.createDatabase("silent");
  proxy = await startSilentProxy(port);
});
afterAll(async () => {
  proxy.close();
  await cluster.stop();
});

interface Answered {
  status: number;
  afterMs: number;
}

async function answered(send: () => Promise<{ status: number }>): Promise<Answered> {
  const startedMs = performance.now();
  const { status } = await send();
  return { status, afterMs: performance.now() - startedMs };
}

/** Lists, which have their own connections, single calls and new calls. */
const requests = (server: Running, id: string) => [
  () => ask(server, "GET", "/v1/calls"),
  () => ask(server, "GET", `/v1/calls/${id}`),
  () => ask(server, "POST", "/v1/calls", { body: { agent_id: server.demo["agent_id"], user_number: talkative() } }),
];

async function expectRefused(server: Running, id: string): Promise<void> {
  const kinds = requests(server, id);
  const sent = Array.from({ length: CLIENTS }, (_, i) => answered(kinds[i % kinds.length]!));
  for (const { status, afterMs } of await Promise.all(sent)) {
    expect(status).toBe(503);
    expect(afterMs).toBeLessThan(ANSWERED_WITHIN_MS);
  }
}

const statusOf = async (server: Running, path: string) => (await fetch(server.url + path)).status;

test("is abandoned within ten seconds and recovered automatically", async () => {
  const server = await startQuick({
    RINGWARD_DATABASE__URL: `postgres://postgres@127.0.0.1:${proxy.port}/silent`,
  });
  const id = await place(server);
  expect((await finished(server, id)).status).toBe("completed");

  proxy.swallow();
  await expectRefused(server, id);
  // By now every connection has been dropped, and new ones do not respond either.
  await expectRefused(server, id);
  const { status, afterMs } = await answered(() => fetch(`${server.url}/readyz`));
  expect([status, afterMs < ANSWERED_WITHIN_MS]).toEqual([503, true]);
  expect(await statusOf(server, "/healthz")).toBe(200);

  proxy.forward();
  await until(async () => (await statusOf(server, "/readyz")) === 200);
  expect((await ask(server, "GET", `/v1/calls/${id}`)).status).toBe(200);
  expect((await finished(server, await place(server))).status).toBe("completed");
  expect(await server.stop()).toBe(0);
}, 180_000);
