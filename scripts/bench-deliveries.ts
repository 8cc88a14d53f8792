// What a backlog of deliveries costs everybody else: a create, a round of the delivery loop, a switch-off, a batch of old
// events that are pruned, and the disk while the resolver is down. With and without the backlog in one run, because only
// their ratio means something on a busy machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CLI_ACTOR } from "../src/core/actor.ts";
import { ALL_SCOPES } from "../src/payloads/scopes.ts";
import { createApp } from "../src/app.ts";
import { loadConfig } from "../src/config/load.ts";
import { DAY_MS, HOUR_MS, SECOND_MS, systemClock } from "../src/core/clock.ts";
import { silentLogger } from "../src/core/logger.ts";
import { createMetrics } from "../src/core/metrics.ts";
import { openDatabase } from "../src/db/database.ts";
import { createDeliveryLoop } from "../src/events/delivery.ts";
import { BATCHES_PER_RUN, createEventHistory, EVENTS_PER_BATCH } from "../src/events/history.ts";
import type { PostResult, SafePost } from "../src/events/safe-post/safe-post.ts";

const EVENTS_PER_WRITE = 5_000;
const CREATES = 200;
const ROUNDS = 30;
const OUTAGE_MS = 10 * SECOND_MS;
const DUE_IN_OUTAGE = 20_000;

const { values } = parseArgs({
  options: { small: { type: "string", default: "1000" }, large: { type: "string", default: "100000" } },
});
const small = Number(values.small);
const large = Number(values.large);

const [createAlone, createBehind] = await createMs(0, large);
row("create, p50", ["nothing pending", createAlone], [`${large} pending`, createBehind], "ms");
// The first run pays for compiling; nobody looks at its numbers.
await roundMs(small, "due");
for (const first of ["waiting for a retry", "due"] as const) {
  const [few, many] = [await roundMs(small, first), await roundMs(large, first)];
  row(`round, p50, the first of each call ${first}`, [`${small} pending`, few], [`${large} pending`, many], "ms");
}
row(
  "switch-off, its write",
  [`${small} pending`, await switchOffMs(small)],
  [`${large} pending`, await switchOffMs(large)],
  "ms",
);
row(
  "prune, p50 of a batch",
  [`${small} events`, await pruneMs(small)],
  [`${large} events`, await pruneMs(large)],
  "ms",
);
const outage = await rowsWhileResolverIsDown(DUE_IN_OUTAGE);
console.log(
  `resolver down for ${OUTAGE_MS / SECOND_MS} s, ${DUE_IN_OUTAGE} pending: ${outage.rows} attempt rows ` +
    `(${(outage.rows / (OUTAGE_MS / SECOND_MS)).toFixed(1)} a second), ${outage.posts} tries.`,
);

/** In turns, and the better of two: a busy moment of the machine must not fall on one of them alone. */
async function createMs(few: number, many: number): Promise<[number, number]> {
  const took: [number, number] = [Infinity, Infinity];
  for (let turn = 0; turn < 2; turn++) {
    took[0] = Math.min(took[0], await createMsBehind(few));
    took[1] = Math.min(took[1], await createMsBehind(many));
  }
  return took;
}

async function createMsBehind(pending: number): Promise<number> {
  return inFolder(deadReceiver(), async (inside) => {
    await inside.fill(pending, "waiting for a retry");
    await inside.app.start();
    const took: number[] = [];
    for (let i = 0; i < CREATES; i++) took.push(await elapsedMs(() => create(inside)));
    return medianOf(took);
  });
}

async function create({ app, key, agentId }: Inside): Promise<void> {
  const { status } = await app.handle(
    new Request("http://localhost/v1/calls", {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({
        agent_id: agentId,
        user_number: "+919810012345",
        user_name: "Test Patient",
        scheduled_time: new Date(Date.now() + DAY_MS).toISOString(),
      }),
    }),
  );
  if (status !== 201) throw new Error(`A create was answered ${status}.`);
}

async function roundMs(pending: number, first: First): Promise<number> {
  const post = deadReceiver();
  return inFolder(post, async ({ app, db, fill }) => {
    await fill(pending, first);
    const loop = createDeliveryLoop({
      db,
      clock: systemClock,
      logger: silentLogger,
      metrics: createMetrics(),
      endpoints: app.services.endpoints,
      safePost: post,
      linksOf: app.services.shares.linksOf,
      wake: () => {},
    });
    const took: number[] = [];
    for (let i = 0; i < ROUNDS; i++) took.push(await elapsedMs(() => loop.runDue()));
    post.release();
    await loop.stop();
    return medianOf(took);
  });
}

/** How long every other write waits when an endpoint is switched off. */
async function switchOffMs(pending: number): Promise<number> {
  return inFolder(deadReceiver(), async ({ app, db, organisationId, endpointId, fill }) => {
    await fill(pending, "due");
    const off = app.services.endpoints.disable(organisationId, endpointId, CLI_ACTOR);
    return elapsedMs(() => Promise.all([off, db.write(async () => {})]));
  });
}

async function pruneMs(events: number): Promise<number> {
  return inFolder(deadReceiver(), async ({ db, fill }) => {
    await fill(events, "due");
    await db.write((tx) => tx.updateTable("deliveries").set({ state: "delivered", is_head: 0 }).execute());
    const history = createEventHistory({ db, logger: silentLogger, keepDays: 30 });
    const took: number[] = [];
    for (let left = events; left > 0 && took.length < ROUNDS; left -= EVENTS_PER_BATCH * BATCHES_PER_RUN) {
      const batches = Math.min(BATCHES_PER_RUN, left / EVENTS_PER_BATCH);
      took.push((await elapsedMs(() => history.run(Date.now() + 60 * DAY_MS))) / batches);
    }
    return medianOf(took);
  });
}

async function rowsWhileResolverIsDown(pending: number): Promise<{ rows: number; posts: number }> {
  let posts = 0;
  const resolverDown: BenchPost = {
    checkUrl() {},
    async post() {
      posts++;
      return {
        kind: "our_fault",
        detail: "receiver.example: this machine's resolver failed (EAI_AGAIN).",
        durationMs: 1,
      };
    },
    release() {},
  };
  return inFolder(resolverDown, async ({ app, db, fill }) => {
    await fill(pending, "due");
    await app.start();
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    const { rows } = await db.reader
      .selectFrom("delivery_attempts")
      .select((eb) => eb.fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    return { rows, posts };
  });
}

interface BenchPost extends SafePost {
  /** Lets what hangs end, so that the app can stop. */
  release(): void;
}

/** Takes the connection and says nothing. */
function deadReceiver(): BenchPost {
  const hanging: ((result: PostResult) => void)[] = [];
  return {
    checkUrl() {},
    post: () => new Promise((resolve) => void hanging.push(resolve)),
    release() {
      for (const end of hanging) end({ kind: "timeout", detail: "No answer came in time.", durationMs: 8_000 });
    },
  };
}

type First = "due" | "waiting for a retry";

type Inside = Awaited<ReturnType<typeof open>>;

async function inFolder<T>(post: BenchPost, run: (inside: Inside) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-bench-"));
  try {
    const inside = await open(dataDir, post);
    const result = await run(inside);
    post.release();
    await inside.app.stop();
    return result;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function open(dataDir: string, safePost: SafePost) {
  const clock = systemClock;
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir } });
  const db = openDatabase(dataDir, { logger: silentLogger, as: "server" });
  const app = createApp({ config, db, clock, logger: silentLogger, rootKey: new Uint8Array(32), safePost });
  const { organisations, credits, agents, keys, endpoints, outbox } = app.services;
  const { id: organisationId } = await organisations.create({ name: "Bench", timeZone: "UTC" }, CLI_ACTOR);
  await organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
  await credits.setUnlimited(organisationId, true, CLI_ACTOR);
  const { agent_id } = await agents.create(
    organisationId,
    { name: "Asha", greeting: "Hello {{user_name}}." },
    CLI_ACTOR,
  );
  await agents.addNumber(organisationId, { number: "+15555550190", agentId: agent_id }, CLI_ACTOR);
  const { key } = await keys.create(organisationId, { name: "bench", scopes: ALL_SCOPES }, CLI_ACTOR);
  const { endpoint_id } = await endpoints.create(
    organisationId,
    { url: "https://receiver.example/hook", eventTypes: ["call.initiated", "call.completed"] },
    CLI_ACTOR,
  );

  /** Two events a call, as most calls have. The first of each is due, or waits for its last retry. */
  async function fill(pending: number, first: First): Promise<void> {
    for (let done = 0; done < pending; done += EVENTS_PER_WRITE) {
      await db.write(async (tx) => {
        for (let i = done; i < Math.min(pending, done + EVENTS_PER_WRITE); i++) {
          const callId = `call_${Math.floor(i / 2)}`;
          await outbox.publish(tx, {
            organisationId,
            type: i % 2 === 0 ? "call.initiated" : "call.completed",
            callId,
            orderKey: callId,
            data: { call_id: callId },
          });
        }
      });
    }
    if (first === "due") return;
    await db.write((tx) =>
      tx
        .updateTable("deliveries")
        .set({ attempts: 4, next_at: clock.now() + HOUR_MS })
        .where("event_id", "in", tx.selectFrom("events").select("id").where("type", "=", "call.initiated"))
        .execute(),
    );
  }
  return { app, db, key, agentId: agent_id, organisationId, endpointId: endpoint_id, fill };
}

async function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
}

function medianOf(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN;
}

function row(name: string, [few, fewMs]: [string, number], [many, manyMs]: [string, number], unit: string): void {
  console.log(
    `${name}: ${fewMs.toFixed(3)} ${unit} with ${few}, ${manyMs.toFixed(3)} ${unit} with ${many}: × ${(manyMs / fewMs).toFixed(2)}`,
  );
}
