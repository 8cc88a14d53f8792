// PostgreSQL and SQLite in the same run: same executable, hospital and clients. Reads of many calls, and a mixed load
// with some calls due immediately, so creates, claims and reports compete.
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { DAY_MS } from "../../src/core/clock.ts";
import { startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import { until } from "../../test/support/until.ts";
import { postgresPrograms, startPostgres, type PostgresCluster } from "../postgres-cluster.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";
import { count, median, percent, perSecond } from "./figures.ts";
import { loadOf, numberOf, requestText, wrkPath } from "./http-load.ts";
import { OPEN_ALL } from "./many-calls.ts";

const CLIENTS = 64;
const CALLS_READ = 8_000;
/** Digits of a phone number between the first one and the four that select the outcome. */
const NUMBER_DIGITS = 5;
/** One in this many creates is due immediately; the others are due tomorrow. */
const DUE_ONE_IN = 4;
const LEAST_READ = 0.6;
const LEAST_MIXED = 0.5;
const MOST_REPEATED = 0.05;

const METRICS_TOKEN = "bench-bench-bench";
const ENV = {
  RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
  RINGWARD_PLANS__ENTERPRISE__REQUESTS_PER_MINUTE: "unlimited",
  RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "0",
  RINGWARD_TELEPHONY__SIMULATOR__LINES: "100000",
  RINGWARD_TELEPHONY__SIMULATOR__SPEED: "100",
  RINGWARD_LOG__LEVEL: "error",
  RINGWARD_METRICS__TOKEN: METRICS_TOKEN,
};

interface Engine {
  server: Running;
  headers: Record<string, string>;
  /** Calls due before this time that are not over. */
  unfinished(beforeMs: number): number;
}

async function startEngine(cluster: PostgresCluster | null): Promise<Engine> {
  const dataDir = tempFolder();
  const env = { ...ENV, ...(cluster && { RINGWARD_DATABASE__URL: cluster.url("bench") }) };
  await (await startBinary({ dataDir, env })).stop();
  const ask = cluster ? (sql: string) => cluster.psql(sql, "bench") : onFile(join(dataDir, "ringward.db"));
  ask(OPEN_ALL);
  const server = await startBinary({ dataDir, env });
  const headers = { "x-api-key": server.demo["api_key"] ?? "", "content-type": "application/json" };
  const unfinished = (beforeMs: number) =>
    Number(ask(`SELECT count(*) FROM calls WHERE finished_at IS NULL AND scheduled_at < ${beforeMs}`));
  return { server, headers, unfinished };
}

/** Runs SQL and returns the first value. */
const onFile = (file: string) => (sql: string) => {
  const db = new Sqlite(file);
  try {
    if (!sql.startsWith("SELECT")) db.exec(sql);
    return sql.startsWith("SELECT") ? String(db.prepare(sql).pluck().get()) : "";
  } finally {
    db.close();
  }
};

/**
 * Half of the numbers are busy, half answer and soon hang up. Each request has a different number, because no number is
 * called twice at once.
 */
function bodyOf({ server }: Engine, i: number, number: string): string {
  const isDue = i % DUE_ONE_IN === 0;
  return JSON.stringify({
    agent_id: server.demo["agent_id"],
    user_number: `+919${number}${Math.floor(i / DUE_ONE_IN) % 2 === 0 ? "0001" : "0009"}`,
    ...(!isDue && { scheduled_time: new Date(Date.now() + DAY_MS).toISOString() }),
  });
}

async function createdIds(engine: Engine): Promise<string[]> {
  const { server, headers } = engine;
  const create = async (i: number) => {
    // Not due.
    const body = bodyOf(engine, DUE_ONE_IN * i + 1, String(i).padStart(NUMBER_DIGITS, "0"));
    const answer = await fetch(`${server.url}/v1/calls`, { method: "POST", headers, body });
    return ((await answer.json()) as { data: { call_id: string } }).data.call_id;
  };
  const ids: string[] = [];
  while (ids.length < CALLS_READ)
    ids.push(...(await Promise.all(Array.from({ length: CLIENTS }, (_, i) => create(ids.length + i)))));
  return ids;
}

async function readsPerSecond({ server }: Engine, requests: readonly string[], seconds: number): Promise<number> {
  return (await loadOf({ port: server.port, requests, clients: CLIENTS, seconds })).perSecond;
}

interface Numbers {
  commands: number;
  repeats: number;
}

async function numbersOf({ server }: Engine): Promise<Numbers> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  const valueOf = (name: string) => Number(new RegExp(`^${name}(?:_total)? (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return { commands: valueOf("ringward_db_commands"), repeats: valueOf("ringward_db_repeats") };
}

interface Mixed {
  /** Creates answered and calls finished per second, until the last was over. */
  perSecond: number;
  commands: number;
  repeats: number;
}

/** Creates calls for `seconds`, then waits until every due call is over. */
async function mixedLoad(engine: Engine, seconds: number): Promise<Mixed> {
  const before = await numbersOf(engine);
  const startedMs = performance.now();
  const { port } = engine.server;
  const requests = Array.from({ length: 2 * DUE_ONE_IN }, (_, i) =>
    requestText("POST", "/v1/calls", engine.headers, bodyOf(engine, i, numberOf(NUMBER_DIGITS))),
  );
  const { requests: creates } = await loadOf({ port, requests, clients: CLIENTS, seconds });
  await untilOver(engine);
  const tookSeconds = (performance.now() - startedMs) / 1_000;
  const after = await numbersOf(engine);
  return {
    perSecond: (creates + creates / DUE_ONE_IN) / tookSeconds,
    commands: after.commands - before.commands,
    repeats: after.repeats - before.repeats,
  };
}

async function untilOver(engine: Engine): Promise<void> {
  const soonMs = Date.now() + DAY_MS / 2;
  await until(() => engine.unfinished(soonMs) === 0, { withinMs: 600_000, everyMs: 50 });
}

async function run({ quick }: How): Promise<Finding[]> {
  if (postgresPrograms() === null) throw new Missing("needs PostgreSQL (Debian: postgresql)");
  wrkPath();
  const cluster = await startPostgres({ durable: true });
  try {
    cluster.createDatabase("bench");
    const engines = [await startEngine(null), await startEngine(cluster)];
    const rounds = quick ? 3 : 7;
    const reads = await inTurns(engines, rounds, await readers(engines, quick ? 1 : 3));
    const mixed = await inTurns(engines, quick ? 2 : 5, (engine) => mixedLoad(engine, quick ? 2 : 6));
    for (const { server } of engines) await server.stop();
    return findingsOf(reads, mixed);
  } finally {
    await cluster.stop();
  }
}

async function readers(engines: readonly Engine[], seconds: number): Promise<(engine: Engine) => Promise<number>> {
  const requests = new Map<Engine, string[]>();
  for (const engine of engines) {
    const ids = await createdIds(engine);
    requests.set(
      engine,
      ids.map((id) => requestText("GET", `/v1/calls/${id}`, engine.headers)),
    );
  }
  return (engine) => readsPerSecond(engine, requests.get(engine) ?? [], seconds);
}

/** In turns; the first round is a warm-up for the JIT compiler. */
async function inTurns<T>(engines: readonly Engine[], rounds: number, run: (engine: Engine) => Promise<T>) {
  const seen = engines.map((): T[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [i, engine] of engines.entries()) {
      const found = await run(engine);
      if (round > 0) seen[i]?.push(found);
    }
  return seen;
}

function findingsOf(reads: readonly number[][], mixed: readonly Mixed[][]): Finding[] {
  const [sqliteReads = [], postgresReads = []] = reads;
  const [sqlite = [], postgres = []] = mixed;
  const rates = (of: readonly Mixed[]) => of.map((one) => one.perSecond);
  const repeats = postgres.reduce((sum, one) => sum + one.repeats, 0);
  const commands = postgres.reduce((sum, one) => sum + one.commands, 0);
  return [
    beside(
      `GET /v1/calls/{id}, ${count(CALLS_READ)} calls, ${CLIENTS} clients`,
      postgresReads,
      sqliteReads,
      LEAST_READ,
    ),
    beside(
      "creates, a quarter of them due at once, and those calls' ends",
      rates(postgres),
      rates(sqlite),
      LEAST_MIXED,
    ),
    {
      measure: "commands of that load that were repeated on PostgreSQL",
      here: percent(repeats / commands),
      against: `${count(commands)} commands`,
      ratio: null,
      goal: "< 5 %",
      holds: repeats / commands < MOST_REPEATED,
    },
  ];
}

function beside(measure: string, here: readonly number[], there: readonly number[], least: number): Finding {
  const ratio = median([...here]) / median([...there]);
  return {
    measure,
    here: perSecond(median([...here])),
    against: `${perSecond(median([...there]))} on SQLite`,
    ratio,
    goal: `≥ ${least}`,
    holds: ratio >= least,
  };
}

export const engines: Bench = {
  name: "engines",
  about: "PostgreSQL beside SQLite: calls read, and created while others are dialled; how many commands are repeated",
  run,
};
