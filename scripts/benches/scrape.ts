// Latency of a /metrics scrape with few and with many calls, against /healthz, while wrk creates calls. Measured in
// turns, so all see the same machine load.
import { DAY_MS } from "../../src/core/clock.ts";
import { startBinary, type Running } from "../../test/support/binary.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, elapsedMs, median, ms, quantile } from "./figures.ts";
import { loadOf, numberOf, requestText } from "./http-load.ts";
import { addCalls, emptyHospital } from "./many-calls.ts";

const FEW = 1_000;
/** Upper bound for blocking the main thread. */
const MOST_MS = 20;
/** Enough connections to keep the server busy part of the time. */
const CLIENTS = 2;

const ENV = { RINGWARD_PLANS__ENTERPRISE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "error" };

async function startWith(calls: number): Promise<Running> {
  const dataDir = await emptyHospital();
  addCalls(dataDir, {
    calls,
    dueAt: (i) => Date.now() + DAY_MS + (i % 300) * DAY_MS,
    numberOf: (i) => `+9198${10_000_000 + i}`,
  });
  return startBinary({ dataDir, env: ENV });
}

async function timeOf({ url }: Running, path: string): Promise<number> {
  return elapsedMs(async () => {
    const answer = await fetch(`${url}${path}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
  });
}

const QUESTIONS = ["/metrics", "/healthz"] as const;

async function timesBeside(servers: readonly Running[], seconds: number) {
  const times = servers.map(() => ({ "/metrics": [] as number[], "/healthz": [] as number[] }));
  let isOver = false;
  const creating = Promise.all(servers.map((server) => createFor(server, seconds))).finally(() => (isOver = true));
  while (!isOver) {
    for (const [i, server] of servers.entries())
      for (const path of QUESTIONS) times[i]?.[path].push(await timeOf(server, path));
    await Bun.sleep(10);
  }
  await creating;
  return times;
}

function createFor({ port, demo }: Running, seconds: number) {
  const body = JSON.stringify({
    agent_id: demo["agent_id"],
    user_number: "+919810000123",
    scheduled_time: new Date(Date.now() + DAY_MS).toISOString(),
    additional_info: { reference: numberOf(9) },
  });
  const headers = { "x-api-key": demo["api_key"] ?? "", "content-type": "application/json" };
  const requests = [requestText("POST", "/v1/calls", headers, body)];
  return loadOf({ port, requests, clients: CLIENTS, seconds });
}

async function run({ quick }: How): Promise<Finding[]> {
  const calls = quick ? 20_000 : 300_000;
  const [many, few] = [await startWith(calls), await startWith(FEW)];
  const [ofMany, ofFew] = await timesBeside([many, few], quick ? 3 : 20);
  await Promise.all([many.stop(), few.stop()]);
  const beside = (path: (typeof QUESTIONS)[number]): Finding => {
    const [here, there] = [ofMany?.[path] ?? [], ofFew?.[path] ?? []];
    const p99 = quantile(here, 0.99);
    return {
      measure: `GET ${path} with ${count(calls)} calls, beside creates, p99`,
      here: `${ms(p99)} (p50 ${ms(median(here))})`,
      against: `${ms(quantile(there, 0.99))} (p50 ${ms(median(there))}) with ${count(FEW)}`,
      ratio: median(here) / median(there),
      goal: `≤ ${MOST_MS} ms`,
      holds: p99 <= MOST_MS,
    };
  };
  return QUESTIONS.map(beside);
}

export const scrape: Bench = {
  name: "scrape",
  about: "what a scrape of /metrics takes with few and many calls, while calls are created",
  run,
};
