// Ten users search a large database while calls are created: latency of the searches and of all other requests.
// `./scripts/bench searches -- --calls 1000000 --audit 2000000`
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, ms, quantile } from "./figures.ts";
import { fillForSearches, keysTyped, OWNER_COOKIE } from "./searches-data.ts";

const TYPISTS = 10;
/** Interval between keystrokes. */
const KEY_MS = 150;
const HEALTH_EVERY_MS = 5;
const CREATE_EVERY_MS = 20;

const GOALS_MS = { health: 20, create: 50, search: 300 };

type Times = Map<string, number[]>;

function note(times: Times, what: string, tookMs: number): void {
  const known = times.get(what);
  if (known) known.push(tookMs);
  else times.set(what, [tookMs]);
}

async function timed(times: Times, what: string, ask: () => Promise<Response>): Promise<void> {
  const startedMs = performance.now();
  const answer = await ask();
  const text = await answer.text();
  note(times, what, performance.now() - startedMs);
  if (!answer.ok) throw new Error(`${what} answered ${answer.status}: ${text.slice(0, 200)}`);
}

const OWN_PAGE = { cookie: OWNER_COOKIE, "x-ringward-dashboard": "1", "content-type": "application/json" };

/** Types names and numbers, and opens a list or a page in between. */
async function typist({ url }: Running, who: number, isOver: () => boolean, times: Times): Promise<void> {
  const get = (path: string) => fetch(`${url}/dashboard/api/${path}`, { headers: OWN_PAGE });
  const contacts = (text: string) =>
    fetch(`${url}/dashboard/api/contacts/search`, {
      method: "POST",
      headers: OWN_PAGE,
      body: JSON.stringify({ text }),
    });
  const pages: readonly (readonly [string, string])[] = [
    ["overview of 90 days", "overview?days=90"],
    ["settings", "settings"],
    ["audit by action", "audit?action=api_key"],
    ["audit by person", "audit?actor_id=per_rare"],
    ["audit by record", "audit?subject_id=call_0000000777"],
    ["calls of a number", "calls?contact_number=%2B919800000777"],
    ["calls by state", "calls?status=failed"],
  ];
  for (let round = who; !isOver(); round++) {
    const { text, isNumber } = keysTyped(round);
    for (let typed = 2; typed <= text.length && !isOver(); typed++) {
      const part = text.slice(0, typed);
      const kind = isNumber ? "number" : "name";
      await timed(times, `people by ${kind}`, () => contacts(part));
      await timed(times, `calls by ${kind}`, () => get(`calls?search=${encodeURIComponent(part)}`));
      await Bun.sleep(KEY_MS);
    }
    const [what, path] = pages[round % pages.length] ?? ["", ""];
    if (!isOver()) await timed(times, what, () => get(path));
  }
}

async function every(pauseMs: number, isOver: () => boolean, act: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await act();
    await Bun.sleep(pauseMs);
  }
}

async function load(server: Running, agentId: string, key: string, seconds: number, typists: number): Promise<Times> {
  const times: Times = new Map();
  const endsMs = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= endsMs;
  const scheduled_time = new Date(Date.now() + 86_400_000).toISOString();
  const body = JSON.stringify({
    agent_id: agentId,
    user_number: "+919810012345",
    user_name: "New Patient",
    scheduled_time,
  });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  await Promise.all([
    ...Array.from({ length: typists }, (_, who) => typist(server, who * 7, isOver, times)),
    every(HEALTH_EVERY_MS, isOver, () => timed(times, "GET /healthz", () => fetch(`${server.url}/healthz`))),
    every(CREATE_EVERY_MS, isOver, () =>
      timed(times, "POST /v1/calls", () => fetch(`${server.url}/v1/calls`, { method: "POST", headers, body })),
    ),
  ]);
  return times;
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({
    args,
    options: {
      calls: { type: "string", default: quick ? "20000" : "1000000" },
      audit: { type: "string", default: quick ? "40000" : "2000000" },
      seconds: { type: "string", default: quick ? "5" : "60" },
    },
  });
  const dataDir = tempFolder();
  // The first start creates the demo hospital; then it is filled offline.
  const first = await startBinary({ dataDir });
  const { agent_id: agentId = "", api_key: key = "" } = first.demo;
  await first.stop();
  const fillMs = fillForSearches(dataDir, { calls: Number(values.calls), audit: Number(values.audit) });
  console.error(`filled in ${(fillMs / 1_000).toFixed(0)} s`);
  const server = await startBinary({
    dataDir,
    env: { RINGWARD_LOG__LEVEL: "error", RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
  });
  try {
    const alone = await load(server, agentId, key, Math.min(5, Number(values.seconds)), 0);
    const times = await load(server, agentId, key, Number(values.seconds), TYPISTS);
    return [...times].map(([what, each]) => finding(what, each, alone.get(what) ?? [], quick));
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function finding(what: string, each: readonly number[], alone: readonly number[], quick: boolean): Finding {
  const most = what === "GET /healthz" ? GOALS_MS.health : what.startsWith("POST") ? GOALS_MS.create : GOALS_MS.search;
  const p99 = quantile(each, 0.99);
  return {
    measure: `${what}, ten people searching (p99 of ${count(each.length)})`,
    here: ms(p99),
    against: alone.length > 0 ? `${ms(quantile(alone, 0.99))} without them` : `median ${ms(quantile(each, 0.5))}`,
    ratio: null,
    goal: `at most ${most} ms`,
    holds: quick ? null : p99 <= most,
  };
}

export const searches: Bench = {
  name: "searches",
  about: "ten people who search 1,000,000 calls and 2,000,000 audit entries while calls are created",
  run,
};
