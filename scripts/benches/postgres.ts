// Calls stored in PostgreSQL, against pgbench with the same statements and number of connections; and with a database 1
// ms away, many connections against one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAudit } from "../../src/accounts/audit.ts";
import { newCallRow } from "../../src/calls/call/new-call.ts";
import { insertCall } from "../../src/calls/call/store.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, systemClock } from "../../src/core/clock.ts";
import { createIds } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Command, Database } from "../../src/db/database.ts";
import { addressOf } from "../../src/db/postgres/address.ts";
import { Commands } from "../../src/db/postgres/commands.ts";
import { WirePool } from "../../src/db/postgres/pool.ts";
import { openWire } from "../../src/db/postgres/wire.ts";
import { agentMeaning, type Agent } from "../../src/agents/records.ts";
import { servicesOn } from "../../test/db/postgres/services-on.ts";
import { openAt, settingsFor } from "../../test/support/postgres.ts";
import { postgresPrograms, startPostgres, type PostgresCluster } from "../postgres-cluster.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";
import { count, median, percent, perSecond } from "./figures.ts";
import { startSlowRelay } from "./slow-relay.ts";

const CONNECTIONS = 16;
const AT_ONCE = 64;
const LEAST_OF_PGBENCH = 0.7;
const LEAST_TIMES_ONE = 3;

const ids = createIds(systemClock);
const audit = createAudit(systemClock, ids);

type Write = <T>(command: Command<T>) => Promise<T>;

async function hospitalIn(db: Database): Promise<Agent> {
  const { organisations, agents, credits } = servicesOn(db);
  const { id } = await organisations.create({ name: "Bench", timeZone: "UTC" }, CLI_ACTOR);
  await credits.setUnlimited(id, true, CLI_ACTOR);
  await agents.create(id, { name: "Asha", greeting: "Hello {{user_name}}.", calling_hours: null }, CLI_ACTOR);
  return agentMeaning.read(await db.reader.selectFrom("agents").selectAll().executeTakeFirstOrThrow());
}

/** The writes of POST /v1/calls: the call and the audit entry. */
async function create(write: Write, agent: Agent): Promise<void> {
  const organisationId = agent.organisation_id;
  const now = systemClock.now();
  const wanted = {
    contactNumber: "+15555550100",
    contactName: "Test Patient",
    contactEmail: null,
    preferredLanguage: null,
  };
  const asked = { organisationId, agent, source: "api" as const, additionalInfo: null, scheduledAt: now + DAY_MS };
  const call = newCallRow(ids, { ...wanted, ...asked }, now);
  await write(async (tx) => {
    await insertCall(tx, call);
    await audit.record(tx, { organisationId, actor: CLI_ACTOR, action: "call.created", subjectId: call.id });
  });
}

async function ratePerSecond(write: Write, agent: Agent, seconds: number): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  let done = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < endMs; done++) await create(write, agent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return done / seconds;
}

/** Calls the commands directly, with this many connections. */
function commandsOn(url: string, most: number) {
  const address = addressOf(settingsFor(url));
  const open = () => openWire(address, { name: "ringward bench", settings: ["enable_seqscan=off"] });
  const pool = new WirePool({ open, most, clock: systemClock });
  const commands = new Commands({ pool, clock: systemClock, logger: silentLogger, assertOurs: () => {} });
  return {
    write: <T>(command: Command<T>) => commands.write(command),
    stats: () => commands.stats,
    end: () => pool.end(),
  };
}

/** The same two inserts with the values of an existing call; pgbench sends them as parameters, as we do. */
async function pgbenchFiles(db: Database, folder: string): Promise<string[]> {
  const call = await db.reader.selectFrom("calls").selectAll().limit(1).executeTakeFirstOrThrow();
  const entry = await db.reader.selectFrom("audit_entries").selectAll().limit(1).executeTakeFirstOrThrow();
  const variables: string[] = [];
  const insertOf = (table: string, row: Readonly<Record<string, string | number | null>>) => {
    const values = Object.entries(row).map(([column, value]) => {
      if (value === null) return "NULL";
      variables.push("-D", `${table}_${column}=${String(value)}`);
      return column === "id" ? `:${table}_id::text || :client_id::text || '-' || :n::text` : `:${table}_${column}`;
    });
    return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")});`;
  };
  const file = join(folder, "creates.sql");
  const lines = [
    "\\set n random(1, 1000000000000)",
    "BEGIN ISOLATION LEVEL SERIALIZABLE;",
    insertOf("calls", call),
    insertOf("audit_entries", entry),
    "COMMIT;",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return ["-f", file, ...variables];
}

function pgbenchPerSecond(cluster: PostgresCluster, script: string[], seconds: number): number {
  const clients = ["-c", String(CONNECTIONS), "-j", "2", "-T", String(seconds)];
  const there = ["-h", cluster.folder, "-U", "postgres", "bench"];
  const program = join(postgresPrograms() ?? "", "pgbench");
  const run = Bun.spawnSync([program, "-n", "-M", "prepared", ...clients, ...script, ...there], { env: { PATH: "" } });
  const rate = /tps = ([\d.]+)/.exec(run.stdout.toString())?.[1];
  if (rate === undefined) throw new Error(`pgbench failed: ${run.stdout.toString()}${run.stderr.toString()}`);
  return Number(rate);
}

async function run({ quick }: How): Promise<Finding[]> {
  if (postgresPrograms() === null) throw new Missing("needs PostgreSQL (Debian: postgresql)");
  const cluster = await startPostgres({ durable: true });
  try {
    cluster.createDatabase("bench");
    const db = await openAt(cluster.url("bench"));
    const agent = await hospitalIn(db);
    const seconds = quick ? 1 : 4;
    const findings = [
      ...(await besidePgbench(cluster, db, agent, { rounds: quick ? 2 : 5, seconds })),
      await aMillisecondAway(cluster, agent, seconds),
    ];
    await db.close();
    return findings;
  } finally {
    await cluster.stop();
  }
}

async function besidePgbench(
  cluster: PostgresCluster,
  db: Database,
  agent: Agent,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Finding[]> {
  const many = commandsOn(cluster.url("bench"), CONNECTIONS);
  await create(many.write, agent);
  const script = await pgbenchFiles(db, cluster.folder);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await ratePerSecond(many.write, agent, seconds));
    theirs.push(pgbenchPerSecond(cluster, script, seconds));
  }
  const { repeats, commands } = many.stats();
  many.end();
  const ratio = median(ours) / median(theirs);
  return [
    {
      measure: `calls stored, ${AT_ONCE} at once on ${CONNECTIONS} connections`,
      here: perSecond(median(ours)),
      against: `${perSecond(median(theirs))}: pgbench, the same inserts`,
      ratio,
      goal: `≥ ${LEAST_OF_PGBENCH}`,
      holds: ratio >= LEAST_OF_PGBENCH,
    },
    {
      measure: "of them made again",
      here: percent(repeats / commands),
      against: `${count(commands)} stored`,
      ratio: null,
      goal: "< 5 %",
      holds: repeats / commands < 0.05,
    },
  ];
}

async function aMillisecondAway(cluster: PostgresCluster, agent: Agent, seconds: number): Promise<Finding> {
  const relay = startSlowRelay(join(cluster.folder, ".s.PGSQL.5432"), 1);
  const url = `postgres://postgres@127.0.0.1:${relay.port}/bench`;
  const [one, many] = [commandsOn(url, 1), commandsOn(url, CONNECTIONS)];
  const single = await ratePerSecond(one.write, agent, seconds);
  const pooled = await ratePerSecond(many.write, agent, seconds);
  one.end();
  many.end();
  relay.stop();
  const ratio = pooled / single;
  return {
    measure: `the same, the database 1 ms away, ${CONNECTIONS} connections`,
    here: perSecond(pooled),
    against: `${perSecond(single)} on one`,
    ratio,
    goal: `≥ ${LEAST_TIMES_ONE}`,
    holds: ratio >= LEAST_TIMES_ONE,
  };
}

export const postgres: Bench = {
  name: "postgres",
  about: "calls stored in PostgreSQL, beside pgbench with the same inserts; and with a database a millisecond away",
  withoutExecutable: true,
  run,
};
