// Moves an appliance with many calls from SQLite to PostgreSQL and back: duration, and equality of the result.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openDatabase, type Database } from "../../src/db/database.ts";
import { moveEverything, type MovedTable } from "../../src/db/move/move.ts";
import { servicesOn } from "../../test/db/postgres/services-on.ts";
import { openAt } from "../../test/support/postgres.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";
import { count, perSecond } from "./figures.ts";
import { addCalls } from "./many-calls.ts";

const CALLS = 100_000;
const QUICK_CALLS = 2_000;

const opened = (dataDir: string) => openDatabase({ dataDir }, { logger: silentLogger, as: "server" });

async function filled(dataDir: string, calls: number): Promise<Database> {
  const db = await opened(dataDir);
  const { organisations, agents } = servicesOn(db);
  const { id } = await organisations.create({ name: "Bench", timeZone: "UTC" }, CLI_ACTOR);
  await agents.create(id, { name: "Asha", greeting: "Hello {{user_name}}.", calling_hours: null }, CLI_ACTOR);
  await db.close();
  const dueAt = (i: number) => Date.now() + DAY_MS + i * 1_000;
  addCalls(dataDir, { calls, dueAt, numberOf: (i) => `+9198${10_000_000 + i}` });
  return opened(dataDir);
}

interface Moved {
  seconds: number;
  tables: MovedTable[];
}

const TELL_EVERY_MS = 5_000;

async function timed(from: Database, to: Database): Promise<Moved> {
  const startedMs = performance.now();
  let toldMs = startedMs;
  const progress = (step: string, done: number): void => {
    if (performance.now() - toldMs < TELL_EVERY_MS) return;
    toldMs = performance.now();
    console.error(`move: ${step} ${count(done)}`);
  };
  const tables = await moveEverything({ from, to, clock: systemClock, progress });
  return { seconds: (performance.now() - startedMs) / 1_000, tables };
}

async function run({ quick }: How): Promise<Finding[]> {
  if (postgresPrograms() === null) throw new Missing("needs PostgreSQL (Debian: postgresql)");
  const calls = quick ? QUICK_CALLS : CALLS;
  const folder = mkdtempSync(join(tmpdir(), "ringward-bench-"));
  const cluster = await startPostgres({ durable: true });
  try {
    cluster.createDatabase("moved");
    const from = await filled(join(folder, "from"), calls);
    const there = await openAt(cluster.url("moved"));
    const back = await opened(join(folder, "back"));
    const out = await timed(from, there);
    const home = await timed(there, back);
    for (const db of [from, there, back]) await db.close();
    return findingsOf(calls, out, home);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function findingsOf(calls: number, out: Moved, home: Moved): Finding[] {
  const isSame = JSON.stringify(out.tables) === JSON.stringify(home.tables);
  const rate = ({ seconds }: Moved) => `${seconds.toFixed(1)} s, ${perSecond(calls / seconds)}`;
  return [
    {
      measure: `${count(calls)} calls moved to PostgreSQL and compared`,
      here: rate(out),
      against: `${rate(home)} back to SQLite`,
      ratio: home.seconds / out.seconds,
      goal: null,
      holds: null,
    },
    {
      measure: "rows and sums of every table, there and back",
      here: isSame ? "the same" : "not the same",
      against: `${count(out.tables.reduce((sum, { rows }) => sum + rows, 0))} rows`,
      ratio: null,
      goal: "the same",
      holds: isSame,
    },
  ];
}

export const move: Bench = {
  name: "move",
  about: "an appliance with 100,000 calls moved from SQLite to PostgreSQL and back, every table compared",
  withoutExecutable: true,
  run,
};
