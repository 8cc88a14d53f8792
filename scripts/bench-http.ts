// How fast the executable takes calls over HTTP, measured against the bare limit of this machine's disk in the same run:
// one commit with one fsync for every row. Usage: scripts/bench-http [seconds]
import Sqlite from "better-sqlite3";
import { join } from "node:path";
import { startBinary, tempFolder } from "../test/support/binary.ts";

const SECONDS = Number(process.argv[2] ?? "5");
const CONNECTIONS = 64;

/** Commits a second with an fsync each, and nothing else: what one commit per request could reach at best. */
function bareCommits(): number {
  const db = new Sqlite(join(tempFolder(), "bare.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)");
  const insert = db.prepare("INSERT INTO t (body) VALUES (?)");
  const body = "x".repeat(500);
  const deadline = performance.now() + SECONDS * 1000;
  let commits = 0;
  for (; performance.now() < deadline; commits++) insert.run(body);
  db.close();
  return commits / SECONDS;
}

interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

async function load(request: () => Promise<Response>, expected: number): Promise<Measured> {
  const times: number[] = [];
  const deadline = performance.now() + SECONDS * 1000;
  const client = async () => {
    while (performance.now() < deadline) {
      const startedMs = performance.now();
      const answer = await request();
      await answer.arrayBuffer();
      if (answer.status !== expected) throw new Error(`Answered ${answer.status} instead of ${expected}.`);
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / SECONDS, p50Ms: at(0.5), p99Ms: at(0.99) };
}

const show = (name: string, { perSecond, p50Ms, p99Ms }: Measured, bare: number) =>
  console.log(
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms   × ${(perSecond / bare).toFixed(2)} of bare`,
  );

const bare = bareCommits();
console.log(`bare commits             ${bare.toFixed(0).padStart(7)}/s   one row, one fsync each, no HTTP`);
const server = await startBinary({
  env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "error" },
});
const headers = { "x-api-key": server.demo["api_key"] ?? "", "content-type": "application/json" };
const body = JSON.stringify({
  agent_id: server.demo["agent_id"],
  user_number: "+15555550123",
  scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
  additional_info: { visit: "annual check-up" },
});
const post = () => fetch(`${server.url}/v1/calls`, { method: "POST", headers, body });
const { data } = (await (await post()).json()) as { data: { call_id: string } };
show("POST /v1/calls", await load(post, 201), bare);
show("GET /v1/calls/{id}", await load(() => fetch(`${server.url}/v1/calls/${data.call_id}`, { headers }), 200), bare);
show("GET /healthz", await load(() => fetch(`${server.url}/healthz`), 200), bare);
await server.stop();
