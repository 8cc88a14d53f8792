// What the settings, the endpoints and the deliveries cost to look at once there are many deliveries: each question over
// HTTP, one after the other, against the executable. Usage: scripts/bench-pages [deliveries]
import Sqlite from "better-sqlite3";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { encodeCursor } from "../src/core/pages.ts";
import { startBinary, tempFolder } from "../test/support/binary.ts";

const DELIVERIES = Number(process.argv[2] ?? "300000");
const ROUNDS = 30;
const TOKEN = "bench-token";
const ENDPOINT = "whe_bench";

const dataDir = tempFolder();
// The first start makes the demo hospital; then it is filled while nobody runs.
await (await startBinary({ dataDir })).stop();
fill();
const server = await startBinary({ dataDir, env: { RINGWARD_LOG__LEVEL: "error" } });

function fill(): void {
  const db = new Sqlite(join(dataDir, "ringward.db"));
  const organisation = db.prepare("SELECT id FROM organisations LIMIT 1").pluck().get() as string;
  const now = Date.now();
  const hash = createHash("sha256").update(TOKEN).digest("hex");
  const person = "INSERT INTO people VALUES ('per_bench', ?, 'bench@hospital.example', 'Bench', 'owner', '-', ?, NULL)";
  const session = "INSERT INTO sessions VALUES (?, 'per_bench', ?, ?, ?, ?)";
  const endpoint = `INSERT INTO webhook_endpoints (id, organisation_id, url, description, event_types, signing, sealed_secret,
    enabled, consecutive_failures, created_at, updated_at)
    VALUES ('${ENDPOINT}', ?, 'https://receiver.example/', '', 'call.completed', 0, '', 0, 0, ?, ?)`;
  const event =
    db.prepare(`INSERT INTO events (id, organisation_id, type, has_recording, has_transcript, created_at, data)
    VALUES (?, ?, 'call.completed', 0, 0, ?, '{}')`);
  const delivery =
    db.prepare(`INSERT INTO deliveries (id, organisation_id, event_id, endpoint_id, order_key, state, attempts,
    next_at, created_at, updated_at) VALUES (?, ?, ?, '${ENDPOINT}', ?, ?, 1, 0, ?, ?)`);
  db.transaction(() => {
    db.prepare(person).run(organisation, now);
    db.prepare(session).run(hash, organisation, now, now, now + 86_400_000);
    db.prepare(endpoint).run(organisation, now, now);
    for (let i = 0; i < DELIVERIES; i++) {
      const id = String(i).padStart(10, "0");
      const at = now - (DELIVERIES - i) * 1_000;
      event.run(`evt_${id}`, organisation, at);
      delivery.run(`dlv_${id}`, organisation, `evt_${id}`, id, i < 20 ? "exhausted" : "delivered", at, at);
    }
  })();
  db.close();
}

async function ask(path: string): Promise<{ next_cursor?: string | null }> {
  const answer = await fetch(`${server.url}/dashboard/api/${path}`, {
    headers: { cookie: `ringward_session=${TOKEN}` },
  });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { next_cursor?: string | null };
}

async function measure(name: string, path: string): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const startedMs = performance.now();
    await ask(path);
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1).padStart(8);
  console.log(`${name.padEnd(44)} p50 ${at(0.5)} ms   p90 ${at(0.9)} ms`);
}

console.log(`${DELIVERIES} deliveries`);
const { next_cursor } = await ask("deliveries");
const late = encodeCursor({ createdAt: Date.now() - (DELIVERIES - 100) * 1_000, id: "dlv_" });
await measure("settings", "settings");
await measure("endpoints", "endpoints");
await measure("deliveries", "deliveries");
await measure("deliveries, second page", `deliveries?cursor=${next_cursor}`);
await measure("deliveries, the few exhausted ones", "deliveries?state=exhausted");
await measure("deliveries of one endpoint", `deliveries?endpoint_id=${ENDPOINT}`);
await measure("deliveries of one endpoint, one state", `deliveries?endpoint_id=${ENDPOINT}&state=exhausted`);
await measure("deliveries, last page", `deliveries?cursor=${late}`);
const range = `from=${new Date(0).toISOString()}&to=${new Date().toISOString()}`;
await measure("all of an endpoint, counted by a range", `endpoints/${ENDPOINT}/range?${range}`);
await server.stop();
