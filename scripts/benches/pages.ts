// Latency of settings, endpoint and delivery pages: each request over HTTP, sequentially, against the executable, with
// few and with many deliveries. `./scripts/bench pages -- --deliveries 300000`
import Sqlite from "better-sqlite3";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { encodeCursor } from "../../src/core/pages.ts";
import { parseArgs } from "node:util";
import { startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, medianMs, ms } from "./figures.ts";

/** A page this fast feels immediate. */
const MOST_MS = 20;
const ROUNDS = 30;
const TOKEN = "bench-token";
const ENDPOINT = "whe_bench";
/** Reads all rows, so it grows. */
const COUNTED = "all of an endpoint, counted by a range";

function fill(dataDir: string, deliveries: number): void {
  const db = new Sqlite(join(dataDir, "ringward.db"));
  const organisation = db.prepare("SELECT id FROM organisations LIMIT 1").pluck().get() as string;
  const now = Date.now();
  const hash = createHash("sha256").update(TOKEN).digest("hex");
  const person = `INSERT INTO people (id, organisation_id, email, name, role, password_hash, created_at)
    VALUES ('per_bench', ?, 'bench@hospital.example', 'Bench', 'owner', '-', ?)`;
  const session =
    "INSERT INTO sessions (token_hash, person_id, organisation_id, created_at, last_seen_at, expires_at) VALUES (?, 'per_bench', ?, ?, ?, ?)";
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
    for (let i = 0; i < deliveries; i++) {
      const id = String(i).padStart(10, "0");
      const at = now - (deliveries - i) * 1_000;
      event.run(`evt_${id}`, organisation, at);
      delivery.run(`dlv_${id}`, organisation, `evt_${id}`, id, i < 20 ? "exhausted" : "delivered", at, at);
    }
  })();
  db.close();
}

async function ask({ url }: Running, path: string): Promise<{ next_cursor?: string | null }> {
  const answer = await fetch(`${url}/dashboard/api/${path}`, { headers: { cookie: `ringward_session=${TOKEN}` } });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { next_cursor?: string | null };
}

/** Milliseconds per request. */
async function measure(deliveries: number): Promise<Map<string, number>> {
  const dataDir = tempFolder();
  // The first start creates the demo hospital; then it is filled offline.
  await (await startBinary({ dataDir })).stop();
  fill(dataDir, deliveries);
  const server = await startBinary({ dataDir, env: { RINGWARD_LOG__LEVEL: "error" } });
  const { next_cursor } = await ask(server, "deliveries");
  const late = encodeCursor({ createdAt: Date.now() - (deliveries - 100) * 1_000, id: "dlv_" }, {});
  const range = `from=${new Date(0).toISOString()}&to=${new Date().toISOString()}`;
  const questions = {
    settings: "settings",
    endpoints: "endpoints",
    deliveries: "deliveries",
    "deliveries, second page": `deliveries?cursor=${next_cursor}`,
    "deliveries, the few exhausted ones": "deliveries?state=exhausted",
    "deliveries of one endpoint": `deliveries?endpoint_id=${ENDPOINT}`,
    "deliveries of one endpoint, one state": `deliveries?endpoint_id=${ENDPOINT}&state=exhausted`,
    "deliveries, last page": `deliveries?cursor=${late}`,
    [COUNTED]: `endpoints/${ENDPOINT}/range?${range}`,
  };
  const times = new Map<string, number>();
  for (const [name, path] of Object.entries(questions))
    times.set(name, await medianMs(ROUNDS, () => ask(server, path)));
  await server.stop();
  return times;
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({
    args,
    options: { deliveries: { type: "string", default: quick ? "10000" : "300000" } },
  });
  const deliveries = Number(values.deliveries);
  const few = await measure(1_000);
  const many = await measure(deliveries);
  return [...many].map(([name, time]) => ({
    measure: `${name}, with ${count(deliveries)} deliveries`,
    here: ms(time),
    against: `${ms(few.get(name) ?? Number.NaN)} with 1,000`,
    ratio: time / (few.get(name) ?? Number.NaN),
    goal: name === COUNTED ? null : `≤ ${MOST_MS} ms`,
    holds: name === COUNTED ? null : time <= MOST_MS,
  }));
}

export const pages: Bench = {
  name: "pages",
  about: "what settings, endpoints and deliveries cost to look at, with few deliveries and with many",
  run,
};
