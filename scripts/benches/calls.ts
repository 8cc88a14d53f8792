// Cost of a call by the number of other scheduled calls; it should not grow. `./scripts/bench calls -- --large 1000000`
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agentMeaning } from "../../src/agents/records.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createServices } from "../../src/compose/services.ts";
import { createDialFacts } from "../../src/calls/queue/dial-facts.ts";
import { createDialPlan } from "../../src/calls/talks/dial-plan.ts";
import { createDispatcher } from "../../src/calls/queue/dispatcher.ts";
import { createOverdue } from "../../src/calls/queue/overdue.ts";
import { Turns } from "../../src/calls/queue/turns.ts";
import { createCallEvents } from "../../src/calls/call/events.ts";
import { createFinalCalls } from "../../src/calls/call/final-calls.ts";
import { newCallRow } from "../../src/calls/call/new-call.ts";
import { insertCall } from "../../src/calls/call/store.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { loadConfig } from "../../src/config/load.ts";
import { DAY_MS, systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openDatabase } from "../../src/db/database.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import { NO_SERVERS } from "../../src/speech/servers/choices.ts";
import type { Carrier } from "../../src/telephony/port.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, elapsedMs } from "./figures.ts";
import { fileOf } from "../../test/support/temp.ts";

/** No organisation of the bench asks before its calls. */
const NO_QUESTIONS = { answerTo: () => null, places: () => 0, underWay: () => [], ask() {}, used() {} };

const ROWS_PER_WRITE = 10_000;
const SINGLE_CREATES = 300;
const BULK_CREATES = 5_120;
const AT_ONCE = 64;
const READS = 2_000;
const PAGES = 200;
const ROUNDS = 20;
const ERASURES = 5;
const DUE_PER_ROUND = 100;

type Measures = Record<string, { value: number; unit: string; lessIsBetter: boolean }>;

async function measure(scheduled: number): Promise<Measures> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-bench-"));
  try {
    return await measureIn(dataDir, scheduled);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(dataDir: string) {
  const clock = systemClock;
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir, RINGWARD_RULES__ENFORCE: "false" } });
  const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
  const services = createServices({ config, db, clock, logger: silentLogger, rootKey: new Uint8Array(32) });
  const { organisations, credits, agents, calls: service, erasure, ids, recordings } = services;
  const { id: organisationId } = await organisations.create({ name: "Bench", timeZone: "UTC" }, CLI_ACTOR);
  await organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
  await credits.setUnlimited(organisationId, true, CLI_ACTOR);
  const { agent_id } = await agents.create(
    organisationId,
    { name: "Asha", greeting: "Hello {{user_name}}.", calling_hours: null },
    CLI_ACTOR,
  );
  await agents.addNumber(
    organisationId,
    { number: "+15555550190", agentId: agent_id, concurrentCalls: 10_000 },
    CLI_ACTOR,
  );
  const agent = agentMeaning.read(await db.reader.selectFrom("agents").selectAll().executeTakeFirstOrThrow());

  let made = 0;
  /** Inserts rows directly: filling the table through the API would take an hour. */
  const insertMany = (rows: number, at: (i: number) => number) =>
    db.write(async (tx) => {
      for (let i = 0; i < rows; i++) {
        const contact = {
          contactNumber: `+9198${10_000_000 + made++}`,
          contactName: "Test Patient",
          contactEmail: null,
          preferredLanguage: null,
        };
        const input = {
          organisationId,
          agent,
          source: "api" as const,
          ...contact,
          additionalInfo: { visit: "annual" },
          scheduledAt: at(i),
        };
        await insertCall(tx, newCallRow(ids, input, clock.now()));
      }
    });
  return { clock, config, db, service, erasure, ids, recordings, organisationId, agent_id, insertMany };
}

function openDispatcher({ clock, config, db, ids, recordings }: World) {
  const carrier: Carrier = {
    name: "none",
    lines: 100_000,
    trunkLines: () => ({ kind: "open", lines: 100_000 }),
    dial: () => {},
    hangUp: () => {},
    stop: async () => {},
  };
  const dialPlan = createDialPlan({
    recordings,
    captures: recordings,
    deskFor: () => null,
    timeZoneOf: () => Promise.resolve("UTC"),
    branchNameOf: async () => null,
    recordedWordsOf: async () => [],
    pronunciationsOf: async () => [],
    serversOf: async () => NO_SERVERS,
    config,
    isCaptured: async () => false,
  });
  const events = createCallEvents(createOutbox(clock, ids));
  return createDispatcher({
    db,
    clock,
    events,
    dialPlan,
    dialFacts: createDialFacts({
      hasEarsBeside: () => true,
      secrets: createSecretBox(new Uint8Array(32)),
      config,
      clock,
      carrier: () => carrier,
    }),
    carrier: () => carrier,
    finalCalls: createFinalCalls(),
    isSimulated: () => false,
    overdue: createOverdue({ db, clock, config, logger: silentLogger }),
    turns: new Turns(config.calls.released_per_minute),
    questions: NO_QUESTIONS,
    dial: () => {},
    ended: () => {},
  });
}

async function measureIn(dataDir: string, scheduled: number): Promise<Measures> {
  const world = await openWorld(dataDir);
  const { clock, db, service, erasure, organisationId, agent_id, insertMany } = world;
  const startedMs = performance.now();
  for (let left = scheduled; left > 0; left -= ROWS_PER_WRITE) {
    await insertMany(Math.min(left, ROWS_PER_WRITE), (i) => clock.now() + DAY_MS + ((i * 7_919) % 300) * DAY_MS);
  }
  // Wipes the leftovers first, which takes a second or two.
  await db.maintenance.wipe([]);
  const size = (statSync(fileOf(db)).size / 1e6).toFixed(0);
  console.error(
    `${scheduled} scheduled calls written in ${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${size} MB.`,
  );

  const body = { agent_id, user_number: "+919810012345", user_name: "Test Patient" };
  const create = () =>
    service.create(
      organisationId,
      { ...body, scheduled_time: new Date(clock.now() + DAY_MS).toISOString() },
      "api",
      CLI_ACTOR,
    );
  const created: string[] = [];
  const single = await timed(SINGLE_CREATES, async () => void created.push((await create()).call_id));
  const bulkMs = await elapsedMs(async () => {
    for (let done = 0; done < BULK_CREATES; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, create));
  });
  const read = await timed(READS, (i) => service.get(organisationId, created[i % created.length] ?? "", CLI_ACTOR));
  let cursor: string | null = null;
  const page = await timed(PAGES, async () => {
    ({ next_cursor: cursor } = await service.list(organisationId, cursor === null ? {} : { cursor }, CLI_ACTOR));
  });

  const dispatcher = openDispatcher(world);
  const idle = await timed(ROUNDS * 10, () => dispatcher.runDue());
  let claimMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await insertMany(DUE_PER_ROUND, () => clock.now() - 1);
    claimMs += await elapsedMs(() => dispatcher.runDue());
    await db.write((tx) =>
      tx
        .updateTable("calls")
        .set({ state: "failed", finished_at: 1 })
        .where("state", "in", ["initiated", "queued"])
        .execute(),
    );
  }
  await db.write((tx) =>
    tx.updateTable("calls").set({ state: "completed", finished_at: 1 }).where("id", "in", created).execute(),
  );
  await erasure.erase(organisationId, created.pop() ?? "", CLI_ACTOR);
  const erase = await timed(ERASURES, () => erasure.erase(organisationId, created.pop() ?? "", CLI_ACTOR));
  await db.close();
  return {
    "create, one at a time": { value: single, unit: "ms", lessIsBetter: true },
    [`create, ${AT_ONCE} at once`]: { value: (BULK_CREATES / bulkMs) * 1000, unit: "calls/s", lessIsBetter: false },
    "read one": { value: read, unit: "ms", lessIsBetter: true },
    "list a page of 20": { value: page, unit: "ms", lessIsBetter: true },
    "round with nothing due": { value: idle, unit: "ms", lessIsBetter: true },
    [`round that claims ${DUE_PER_ROUND}`]: { value: claimMs / ROUNDS, unit: "ms", lessIsBetter: true },
    "erase one": { value: erase, unit: "ms", lessIsBetter: true },
  };
}

/** Milliseconds per operation, run sequentially. */
async function timed(times: number, act: (i: number) => Promise<unknown>): Promise<number> {
  const ms = await elapsedMs(async () => {
    for (let i = 0; i < times; i++) await act(i);
  });
  return ms / times;
}

/** A larger factor is growth; a smaller one is noise of the machine. */
const MOST_TIMES = 1.5;
/** Its goal belongs to the part erase. */
const WITHOUT_GOAL = "erase one";

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: "string", default: "1000" },
      large: { type: "string", default: quick ? "10000" : "1000000" },
    },
  });
  const sizes = [Number(values.small), Number(values.large)] as const;
  // Warm-up for the JIT compiler; the result is discarded.
  await measure(sizes[0]);
  const few = await measure(sizes[0]);
  const many = await measure(sizes[1]);
  const text = (number: number, unit: string) => `${number.toFixed(number >= 100 ? 0 : 3)} ${unit}`;
  return Object.entries(few).map(([name, { value, unit, lessIsBetter }]) => {
    const other = many[name]?.value ?? Number.NaN;
    const ratio = lessIsBetter ? other / value : value / other;
    const hasGoal = name !== WITHOUT_GOAL;
    return {
      measure: `${name}, with ${count(sizes[1])} scheduled`,
      here: text(other, unit),
      against: `${text(value, unit)} with ${count(sizes[0])}`,
      ratio,
      goal: hasGoal ? `cost ≤ × ${MOST_TIMES}` : null,
      holds: hasGoal ? ratio <= MOST_TIMES : null,
    };
  });
}

export const calls: Bench = {
  name: "calls",
  about: "what a call costs in the services among a thousand scheduled ones and among a million",
  withoutExecutable: true,
  run,
};
