// Cost of erasing a call among few and among many others, which should be equal; and the cost to other writes of
// tracking pages with deleted data, against SQLite with its own WAL checkpoints, as before.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { newCallRow } from "../../src/calls/call/new-call.ts";
import { insertCall } from "../../src/calls/call/store.ts";
import { loadConfig } from "../../src/config/load.ts";
import { DAY_MS, othersFirst, systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { openDatabase, type Database } from "../../src/db/database.ts";
import { agentMeaning, type Agent } from "../../src/agents/records.ts";
import { createWriter } from "../../src/db/sqlite/writer.ts";
import { createServices, type Services } from "../../src/compose/services.ts";
import type { Bench, Finding } from "./bench.ts";
import { count, elapsedMs, median, ms, perSecond } from "./figures.ts";
import { addCalls } from "./many-calls.ts";
import { fileOf } from "../../test/support/temp.ts";

const MOST_TIMES = 1.3;
const LEAST_OF_PLAIN = 0.97;
const AT_ONCE = 64;

interface Hospital {
  dataDir: string;
  db: Database;
  services: Services;
  agent: Agent;
  /** The first wipe after a foreign write, which scans the whole file. */
  lookMs: number;
}

async function open(dataDir: string): Promise<Pick<Hospital, "db" | "services">> {
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir, RINGWARD_RULES__ENFORCE: "false" } });
  const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
  const services = createServices({
    config,
    db,
    clock: systemClock,
    logger: silentLogger,
    rootKey: new Uint8Array(32),
  });
  return { db, services };
}

async function hospitalWith(scheduled: number): Promise<Hospital> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-bench-"));
  const { db, services } = await open(dataDir);
  const { organisations, agents, credits } = services;
  const { id } = await organisations.create({ name: "Bench", timeZone: "UTC" }, CLI_ACTOR);
  await credits.setUnlimited(id, true, CLI_ACTOR);
  await organisations.setPlan(id, "enterprise", CLI_ACTOR);
  const { agent_id } = await agents.create(
    id,
    { name: "Asha", greeting: "Hello {{user_name}}.", calling_hours: null },
    CLI_ACTOR,
  );
  const number = { number: "+15555550190", agentId: agent_id, concurrentCalls: 10_000 };
  await agents.addNumber(id, number, CLI_ACTOR);
  await db.close();
  const inAYear = (i: number) => Date.now() + DAY_MS + ((i * 7_919) % 300) * DAY_MS;
  addCalls(dataDir, { calls: scheduled, dueAt: inAYear, numberOf: (i) => `+9198${10_000_000 + i}` });
  const again = await open(dataDir);
  const agent = agentMeaning.read(await again.db.reader.selectFrom("agents").selectAll().executeTakeFirstOrThrow());
  const lookMs = await elapsedMs(() => again.db.maintenance.wipe([]));
  console.error(`${count(scheduled)} scheduled calls, ${(statSync(fileOf(again.db)).size / 1e6).toFixed(0)} MB`);
  return { dataDir, ...again, agent, lookMs };
}

async function leave({ db, dataDir }: Hospital): Promise<void> {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
}

let made = 0;

function callOf({ services, agent }: Hospital) {
  const input = {
    organisationId: agent.organisation_id,
    agent,
    source: "api" as const,
    contactNumber: `+9197${10_000_000 + made++}`,
    contactName: "Test Patient",
    contactEmail: null,
    preferredLanguage: null,
    additionalInfo: { doctor: "Dr. Example", visit: "annual check-up" },
    scheduledAt: Date.now() + ((made * 104_729) % 300) * DAY_MS,
  };
  return newCallRow(services.ids, input, Date.now());
}

/** Checkpoints other writes first, because that cost is theirs. */
async function eraseOneMs(hospital: Hospital): Promise<number> {
  const { db, services, agent } = hospital;
  const row = callOf(hospital);
  await db.write(async (tx) => {
    await insertCall(tx, { ...row, state: "completed", finished_at: Date.now() });
    for (let i = 0; i < 20; i++) await insertCall(tx, callOf(hospital));
  });
  await db.maintenance.upkeep();
  return elapsedMs(() => services.erasure.erase(agent.organisation_id, row.id, CLI_ACTOR));
}

async function erasing(few: Hospital, many: Hospital, times: number): Promise<[number, number]> {
  const [fewMs, manyMs]: [number[], number[]] = [[], []];
  for (let i = 0; i < times; i++) {
    fewMs.push(await eraseOneMs(few));
    manyMs.push(await eraseOneMs(many));
  }
  return [median(fewMs), median(manyMs)];
}

/** Rows per second, many at once; alternates between `write` of each on a separate file. */
async function writing(hospitals: readonly [Hospital, Hospital], rounds: number): Promise<[number, number]> {
  const [ours, plain] = hospitals;
  const connection = openWriter(fileOf(plain.db));
  const sqlite = createWriter(connection, silentLogger);
  const round = (hospital: Hospital, write: Database["write"]) =>
    elapsedMs(async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => write((tx) => insertCall(tx, callOf(hospital)))));
      // The WAL checkpoint follows the responses and counts for its own side only.
      await othersFirst();
    });
  let [oursMs, plainMs] = [0, 0];
  for (let i = 0; i < rounds; i++) {
    oursMs += await round(ours, (command) => ours.db.write(command));
    plainMs += await round(plain, (command) => sqlite.write(command));
  }
  connection.close();
  const rows = AT_ONCE * rounds * 1_000;
  return [rows / oursMs, rows / plainMs];
}

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  const [few, many] = quick ? ([5_000, 60_000] as const) : ([50_000, 1_000_000] as const);
  const small = await hospitalWith(few);
  const twin = await hospitalWith(few);
  const large = await hospitalWith(many);
  try {
    await erasing(small, large, 5);
    const [smallMs, largeMs] = await erasing(small, large, quick ? 20 : 60);
    await writing([small, twin], 10);
    const [ours, plain] = await writing([small, twin], quick ? 150 : 600);
    return [
      {
        measure: `erase one of ${count(many)} calls`,
        here: ms(largeMs),
        against: `${ms(smallMs)} of ${count(few)}`,
        ratio: largeMs / smallMs,
        goal: `cost ≤ × ${MOST_TIMES}`,
        holds: largeMs / smallMs <= MOST_TIMES,
      },
      {
        measure: `the first wipe after another program wrote, of ${count(many)} calls`,
        here: ms(large.lookMs),
        against: `${ms(small.lookMs)} of ${count(few)}`,
        ratio: large.lookMs / small.lookMs,
        goal: null,
        holds: null,
      },
      {
        measure: `insert a call, ${AT_ONCE} at once, with the WAL read before it is moved`,
        here: perSecond(ours),
        against: `${perSecond(plain)} when SQLite moves it by itself`,
        ratio: ours / plain,
        goal: `≥ × ${LEAST_OF_PLAIN}`,
        holds: ours / plain >= LEAST_OF_PLAIN,
      },
    ];
  } finally {
    for (const hospital of [small, twin, large]) await leave(hospital);
  }
}

export const erase: Bench = {
  name: "erase",
  about: "what it costs to erase a call among few and among many others",
  withoutExecutable: true,
  run,
};
