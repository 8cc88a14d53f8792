// Shutdown: on a signal, on a second signal, and by kill.
import { afterEach, describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { head, openRaw, type RawConnection } from "../support/raw-http.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

/** Longer than any stop here should take, shorter than the grace period that a forgotten connection would cost. */
const SHUTDOWN_GRACE_SECONDS = 120;
const QUICK_MS = 30_000;

const started: Running[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});

async function start(options: Parameters<typeof startBinary>[0] = {}): Promise<Running> {
  const server = await startBinary({
    ...options,
    env: { RINGWARD_SERVER__SHUTDOWN_GRACE_SECONDS: String(SHUTDOWN_GRACE_SECONDS), ...options.env },
  });
  started.push(server);
  return server;
}

/** Sends half of a request's body; the server waits for the other half. */
async function halfSent(server: Running) {
  const body = JSON.stringify({ agent_id: "agt_unknown", user_number: "+912255550123" });
  const connection = await openRaw(server.port);
  const headers = {
    "x-api-key": server.demo["api_key"]!,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  connection.send(head("POST", "/v1/calls", headers) + body.slice(0, 20));
  // The server has seen the request when it answers one that was sent later.
  await ask(server, "GET", "/v1/me");
  return { connection, rest: body.slice(20) };
}

function refusesConnections(server: Running): Promise<void> {
  return until(
    async () =>
      (await openRaw(server.port).then(
        (open) => open.destroy(),
        () => "refused",
      )) === "refused",
    {
      withinMs: QUICK_MS,
      what: () => "it still takes connections",
    },
  );
}

const stopping = (server: Running) =>
  until(() => server.output().includes('"Stopping: finishing work'), { withinMs: QUICK_MS });

describe("SIGTERM", () => {
  test("completes a request in flight, accepts no new connections, and exits 0", async () => {
    const server = await start();
    const { connection, rest } = await halfSent(server);
    server.process.kill("SIGTERM");
    await stopping(server);
    await refusesConnections(server);
    expect(server.process.exitCode).toBe(null);

    connection.send(rest);
    const answer = await connection.answer();
    // The unknown agent is a regular answer: the request was read completely and validated.
    expect(answer).toMatchObject({ status: 400, headers: { connection: "close" } });
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
    await exitsWithin(server, QUICK_MS);
    expect(server.process.exitCode).toBe(0);
    expect(server.output()).toContain('"Stopped."');
  });

  test("answers every request in flight on a keep-alive connection", async () => {
    const server = await start();
    const answersOn = (connection: RawConnection) => connection.received().match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
    const connections = await Promise.all(Array.from({ length: 40 }, () => openRaw(server.port)));
    for (const connection of connections) connection.send(head("GET", "/healthz"));
    await Promise.all(connections.map((connection) => connection.answer(QUICK_MS)));
    // First the signal, then the requests while it is handled.
    server.process.kill("SIGTERM");
    for (const connection of connections) connection.send(head("GET", "/healthz"));
    await exitsWithin(server, QUICK_MS);
    await Promise.all(connections.map((connection) => connection.closed(QUICK_MS)));
    expect(connections.map(answersOn)).toEqual(connections.map(() => 2));
    expect(server.process.exitCode).toBe(0);
  });

  test("does not wait for idle connections", async () => {
    const server = await start();
    const silent = await openRaw(server.port);
    const keptAlive = await openRaw(server.port);
    keptAlive.send(head("GET", "/healthz"));
    expect((await keptAlive.answer()).status).toBe(200);
    server.process.kill("SIGTERM");
    await exitsWithin(server, QUICK_MS);
    expect(server.process.exitCode).toBe(0);
    silent.destroy();
    keptAlive.destroy();
  });

  test("waits at most the grace period for a body that never arrives", async () => {
    const server = await start({ env: { RINGWARD_SERVER__SHUTDOWN_GRACE_SECONDS: "1" } });
    const { connection } = await halfSent(server);
    const askedAt = performance.now();
    server.process.kill("SIGTERM");
    await exitsWithin(server, 1_000 + QUICK_MS);
    expect(performance.now() - askedAt).toBeGreaterThan(900);
    expect(server.process.exitCode).toBe(0);
    connection.destroy();
  });

  test("a second one exits at once", async () => {
    const server = await start();
    const { connection } = await halfSent(server);
    server.process.kill("SIGTERM");
    await stopping(server);
    server.process.kill("SIGTERM");
    await exitsWithin(server, 1_000);
    expect(server.process.exitCode).toBe(1);
    connection.destroy();
  });

  test("SIGINT stops as well", async () => {
    const server = await start();
    server.process.kill("SIGINT");
    await exitsWithin(server, QUICK_MS);
    expect(server.process.exitCode).toBe(0);
  });
});

describe("kill -9", () => {
  test("leaves a folder that the next start serves, with its lock released and its keys valid", async () => {
    const first = await start();
    expect((await ask(first, "GET", "/v1/me")).status).toBe(200);
    await first.kill();
    const second = await start({ dataDir: first.dataDir });
    expect(second.demo["api_key"]).toBe(first.demo["api_key"]);
    expect((await ask(second, "GET", "/v1/me")).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });
});

async function exitsWithin(server: Running, withinMs: number): Promise<void> {
  await until(() => server.process.exitCode !== null, { withinMs, what: () => `it still runs:\n${server.output()}` });
}

test(
  "a signal that comes with the very first answer is heard",
  async () => {
    for (let round = 0; round < 5; round++) {
      // startBinary returns as soon as /healthz answers.
      const server = await start({ demo: false });
      expect(await server.stop()).toBe(0);
    }
  },
  QUICK_MS,
);
