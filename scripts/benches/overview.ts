// The overview of 90 days at 100,000 calls: the first request after a start, which counts every day, and the next one,
// on SQLite and, where it is installed, on PostgreSQL. `./scripts/bench overview -- --calls 300000`
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Sqlite from "better-sqlite3";
import { DAY_MS } from "../../src/core/clock.ts";
import { startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, elapsedMs, median, ms } from "./figures.ts";

const MOST_MS = 500;
/** The period shown and the one before it, which the figures are compared with. */
const DAYS = 180;
const STARTS = 3;
const TOKEN = "bench-token";
const DATABASE = "bench";

/** Runs SQL and returns the first value of a question. */
type Ask = (sql: string) => string;

const onFile =
  (file: string): Ask =>
  (sql) => {
    const db = new Sqlite(file);
    try {
      if (sql.startsWith("SELECT")) return String(db.prepare(sql).pluck().get());
      db.exec(sql);
      return "";
    } finally {
      db.close();
    }
  };

/** Calls spread over the days, and an owner with a session. */
function fill(ask: Ask, numbers: string, calls: number): void {
  const organisation = ask("SELECT id FROM organisations LIMIT 1");
  const agent = ask("SELECT id FROM agents LIMIT 1");
  const now = Date.now();
  const begin = now - DAYS * DAY_MS;
  const at = `${begin} + CAST(i AS bigint) * ${Math.floor((DAYS * DAY_MS) / calls)}`;
  const hash = createHash("sha256").update(TOKEN).digest("hex");
  ask(`INSERT INTO people (id, organisation_id, email, name, role, password_hash, created_at)
    VALUES ('per_bench', '${organisation}', 'bench@hospital.example', 'Bench', 'owner', '-', ${now})`);
  ask(`INSERT INTO sessions (token_hash, person_id, organisation_id, created_at, last_seen_at, expires_at)
    VALUES ('${hash}', 'per_bench', '${organisation}', ${now}, ${now}, ${now + DAY_MS})`);
  ask(`INSERT INTO calls (id, organisation_id, agent_id, state, direction, source, contact_number, missing_placeholders,
      scheduled_at, next_at, triggered_at, completed_at, finished_at, duration_seconds, credits_consumed, retry_count,
      event_sequence, created_at, updated_at, outcome, simulated)
    SELECT 'call_' || i, '${organisation}', '${agent}', CASE WHEN i % 50 = 0 THEN 'failed' ELSE 'completed' END,
      'outbound', 'api', '+9198' || (10000000 + i), '[]', ${at}, ${at}, ${at}, ${at}, ${at}, 60, 1, 0, 3, ${at}, ${at},
      CASE WHEN i % 50 = 0 THEN 'no_answer' ELSE 'completed' END, 1 FROM ${numbers}`);
}

async function look({ url }: Running): Promise<void> {
  const answer = await fetch(`${url}/dashboard/api/overview?days=90`, {
    headers: { cookie: `ringward_session=${TOKEN}` },
  });
  if (answer.status !== 200) throw new Error(`The overview answered ${answer.status}: ${await answer.text()}`);
  const { days } = (await answer.json()) as { days: { completed: number }[] };
  if (days.filter(({ completed }) => completed > 0).length < 80) throw new Error("The overview is empty.");
}

async function measure(dataDir: string, env: Record<string, string>): Promise<{ first: number; next: number }> {
  const first: number[] = [];
  const next: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const server = await startBinary({ dataDir, env });
    // The first request of a start also compiles the route.
    await fetch(`${server.url}/dashboard/api/welcome`);
    first.push(await elapsedMs(() => look(server)));
    next.push(await elapsedMs(() => look(server)));
    await server.stop();
  }
  return { first: median(first), next: median(next) };
}

async function onEngine(name: string, calls: number, quick: boolean): Promise<Finding> {
  const dataDir = tempFolder();
  const cluster = name === "PostgreSQL" ? await startPostgres() : null;
  cluster?.createDatabase(DATABASE);
  const env = {
    RINGWARD_LOG__LEVEL: "error",
    ...(cluster && { RINGWARD_DATABASE__URL: cluster.url(DATABASE) }),
  };
  try {
    // The first start creates the demo hospital; then it is filled offline.
    await (await startBinary({ dataDir, env })).stop();
    const ask: Ask = cluster ? (sql) => cluster.psql(sql, DATABASE).trim() : onFile(join(dataDir, "ringward.db"));
    const upTo = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${calls}) SELECT i FROM n`;
    fill(ask, cluster ? `generate_series(1, ${calls}) AS n(i)` : `(${upTo})`, calls);
    if (cluster) cluster.psql("ANALYZE", DATABASE);
    const { first, next } = await measure(dataDir, env);
    return {
      measure: `overview of 90 days at ${count(calls)} calls, ${name}`,
      here: ms(first),
      against: `${ms(next)} the next time`,
      ratio: null,
      goal: `at most ${MOST_MS} ms`,
      holds: quick ? null : first <= MOST_MS,
    };
  } finally {
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({ args, options: { calls: { type: "string", default: quick ? "20000" : "100000" } } });
  const engines = postgresPrograms() === null ? ["SQLite"] : ["SQLite", "PostgreSQL"];
  const found: Finding[] = [];
  for (const name of engines) found.push(await onEngine(name, Number(values.calls), quick));
  return found;
}

export const overview: Bench = { name: "overview", about: "the overview of 90 days at 100,000 calls", run };
