// Deliveries: throughput against a bare loop, lateness of retries under load, cost of a backlog, and effect of a dead
// receiver on the others. Each is measured against a baseline or a smaller size in the same run.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, SECOND_MS, systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { createDeliveryLoop } from "../../src/events/delivery.ts";
import { headersOf, type SafePost } from "../../src/events/safe-post/safe-post.ts";
import type { Bench, Finding } from "./bench.ts";
import { safePostTo, startReceiver, type Receiver } from "./deliver-peer.ts";
import { throughput } from "./deliver-rate.ts";
import { deadPost, inWorld, quickPost, until, type World } from "./deliver-world.ts";
import { count, elapsedMs, median, ms, quantile } from "./figures.ts";

const SMALL = 1_000;
const LATEST_MS = 250;

/** Retries fall due one after the other while events are published and calls are created continuously. */
async function lateness(receiver: Receiver, quick: boolean): Promise<Finding> {
  const retries = quick ? 400 : 4_000;
  const overMs = quick ? 2 * SECOND_MS : 20 * SECOND_MS;
  const real = safePostTo(receiver);
  const dueAt = new Map<string, number>();
  /** Keyed by event. An event that finds no place in time is handed over again and counts its last lateness. */
  const late = new Map<string, number>();
  const noting: SafePost = {
    ...real,
    post(request) {
      const id = headersOf(request)["x-webhook-id"] ?? "";
      const planned = dueAt.get(id);
      if (planned !== undefined) late.set(id, Date.now() - planned);
      return real.post(request);
    },
  };
  const load = await inWorld(noting, async (world) => {
    const endpointId = await world.endpoint(`https://127.0.0.1:${receiver.live}/hook`);
    const other = await world.endpoint(`https://127.0.0.1:${receiver.live}/other`, ["slot.updated"]);
    await world.fill(endpointId, 2 * retries, "waiting");
    await world.fill(other, 2_000, "due");
    const startMs = Date.now() + SECOND_MS;
    // Before the start, because scheduling a retry wakes the scheduler otherwise.
    await spread(world, endpointId, startMs, overMs, dueAt);
    await world.app.start();
    let isOver = false;
    let published = 0;
    let created = 0;
    const publishing = async () => {
      while (!isOver)
        await world.publish(published % 2 === 0 ? "call.initiated" : "slot.updated", `load_${published++}`);
    };
    const creating = async () => {
      while (!isOver) {
        await create(world);
        created += 1;
      }
    };
    const loads = [publishing(), publishing(), creating()];
    await until(() => late.size === retries && Date.now() > startMs + overMs, 20);
    isOver = true;
    await Promise.all(loads);
    return { published, created };
  });
  const seconds = (overMs + SECOND_MS) / SECOND_MS;
  const lateMs = [...late.values()];
  const [p99, most] = [quantile(lateMs, 0.99), Math.max(...lateMs)];
  return {
    measure: `${count(retries)} retries, how late, beside ${count(load.published / seconds)} new events and ${count(load.created / seconds)} creates a second`,
    here: `p50 ${ms(median(lateMs))}, p99 ${ms(p99)}, longest ${ms(most)}`,
    against: "",
    ratio: null,
    goal: `all within ${LATEST_MS} ms`,
    holds: most <= LATEST_MS,
  };
}

/** Spreads the retries of an endpoint over a period. */
async function spread(
  { db }: World,
  endpointId: string,
  startMs: number,
  overMs: number,
  dueAt: Map<string, number>,
): Promise<void> {
  const waiting = await db.reader
    .selectFrom("deliveries")
    .select(["id", "event_id"])
    .where("endpoint_id", "=", endpointId)
    .where("is_head", "=", 1)
    .execute();
  await db.write(async (tx) => {
    for (const [i, { id, event_id }] of waiting.entries()) {
      const nextAt = startMs + Math.floor((i / waiting.length) * overMs);
      dueAt.set(event_id, nextAt);
      await tx.updateTable("deliveries").set({ attempts: 1, next_at: nextAt }).where("id", "=", id).execute();
    }
  });
}

async function create({ app, key, agentId }: World): Promise<void> {
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

interface BacklogCosts {
  roundMs: number;
  deliveryMs: number;
  createMs: number;
}

/** Best of three, to exclude load from other programs. */
async function backlog(quick: boolean): Promise<Finding[]> {
  const large = quick ? 10_000 : 100_000;
  // Warm-up for the JIT compiler.
  await costsBehind(SMALL, SMALL);
  const turns: [few: BacklogCosts, many: BacklogCosts][] = [];
  for (let turn = 0; turn < (quick ? 2 : 3); turn++) turns.push(await costsBehind(SMALL, large));
  const compared = (measure: string, name: keyof BacklogCosts, mostRatio: number | null): Finding => {
    const few = Math.min(...turns.map(([costs]) => costs[name]));
    const many = Math.min(...turns.map(([, costs]) => costs[name]));
    return {
      measure: `${measure}, ${count(large)} pending`,
      here: ms(many),
      against: `${ms(few)} with ${count(SMALL)}`,
      ratio: many / few,
      goal: mostRatio === null ? null : `≤ ${mostRatio}`,
      holds: mostRatio === null ? null : many / few <= mostRatio,
    };
  };
  return [
    compared("a round behind a dead receiver", "roundMs", 1.3),
    compared("a delivery, begun to on disk", "deliveryMs", 1.3),
    compared("a create", "createMs", null),
  ];
}

/**
 * Two worlds side by side, measured in short turns: a round is so short that a busy moment would affect only one of
 * them.
 */
const costsBehind = (few: number, many: number): Promise<[few: BacklogCosts, many: BacklogCosts]> =>
  behind(few, (one) =>
    behind(many, async (other) => {
      for (let turn = 0; turn < 20; turn++) for (const side of [one, other]) await side.measureSome();
      return [await one.costs(), await other.costs()];
    }),
  );

interface Backlog {
  measureSome(): Promise<void>;
  /** Called last: it revives the receiver. */
  costs(): Promise<BacklogCosts>;
}

/** Runs with this many events pending for a dead receiver. */
function behind<T>(pending: number, act: (backlog: Backlog) => Promise<T>): Promise<T> {
  const dead = deadPost();
  return inWorld(dead, async (world) => {
    await world.fill(await world.endpoint("https://receiver.example/hook"), pending, "due");
    const stuck = loopOf(world, dead);
    const rounds: number[] = [];
    const creates: number[] = [];
    return act({
      async measureSome() {
        for (let i = 0; i < 10; i++) rounds.push(await elapsedMs(() => stuck.runDue()));
        for (let i = 0; i < 5; i++) creates.push(await elapsedMs(() => create(world)));
      },
      async costs() {
        dead.release();
        await stuck.stop();
        const deliveryMs = await deliveryCost(world, (SMALL * 4) / 5);
        return { roundMs: median(rounds), createMs: median(creates), deliveryMs };
      },
    });
  });
}

/** Measured after a warm-up of a fifth of them, because the first find cold caches. */
async function deliveryCost(world: World, deliveries: number): Promise<number> {
  const loop = loopOf(world, quickPost);
  const delivered = () => world.countOf("delivered");
  await loop.runDue();
  await until(() => delivered() >= deliveries / 5, 1);
  const before = delivered();
  const takeMs = await elapsedMs(() => until(() => delivered() >= deliveries, 1));
  const cost = takeMs / (delivered() - before);
  await loop.stop();
  return cost;
}

function loopOf({ app, db }: World, safePost: SafePost) {
  return createDeliveryLoop({
    db,
    clock: systemClock,
    logger: silentLogger,
    metrics: createMetrics(),
    endpoints: app.services.endpoints,
    safePost,
    linksOf: app.services.shares.linksOf,
    wake: () => {},
  });
}

/** Time from publishing to sending an event, alone and beside endpoints that hang, drip and refuse. */
async function deadBeside(receiver: Receiver, quick: boolean): Promise<Finding> {
  const delayMs = async (isBesideDead: boolean, events: number): Promise<number[]> => {
    const real = safePostTo(receiver);
    const publishedAt: number[] = [];
    const delays: number[] = [];
    const noting: SafePost = {
      ...real,
      post(request) {
        const at = request.url.endsWith("/hook") ? publishedAt[delays.length] : undefined;
        if (at !== undefined) delays.push(performance.now() - at);
        return real.post(request);
      },
    };
    return inWorld(noting, async (world) => {
      const liveId = await world.endpoint(`https://127.0.0.1:${receiver.live}/hook`, ["slot.updated"]);
      if (isBesideDead) {
        for (const url of [`${receiver.dead}/hang`, `${receiver.dead}/drip`, "1/refuse"])
          await world.fill(await world.endpoint(`https://127.0.0.1:${url}`), SMALL, "due");
      }
      await world.app.start();
      for (let i = 0; i < events; i++) {
        publishedAt.push(performance.now());
        await world.app.services.deliveries.sendTest(world.organisationId, liveId, CLI_ACTOR);
        await Bun.sleep(5);
      }
      await until(() => delays.length === events);
      if (isBesideDead) receiver.letGo();
      return delays;
    });
  };
  const events = quick ? 150 : 600;
  await delayMs(false, 30);
  const alone = await delayMs(false, events);
  const beside = await delayMs(true, events);
  const [p99Alone, p99Beside] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  return {
    measure: "from publishing to sending, beside endpoints that hang, drip and refuse",
    here: `p50 ${ms(median(beside))}, p99 ${ms(p99Beside)}`,
    against: `p50 ${ms(median(alone))}, p99 ${ms(p99Alone)} alone`,
    ratio: median(beside) / median(alone),
    goal: "p99 within 50 ms of alone",
    holds: p99Beside - p99Alone <= 50,
  };
}

async function switchOff(): Promise<Finding> {
  const takeMs = (pending: number) =>
    inWorld(deadPost(), async (world) => {
      const endpointId = await world.endpoint("https://receiver.example/hook");
      await world.fill(endpointId, pending, "due");
      const off = world.app.services.endpoints.disable(world.organisationId, endpointId, CLI_ACTOR);
      return elapsedMs(() => Promise.all([off, world.db.write(async () => {})]));
    });
  const [few, many] = [await takeMs(SMALL), await takeMs(100 * SMALL)];
  return {
    measure: `other writes wait while an endpoint is switched off, ${count(100 * SMALL)} pending`,
    here: ms(many),
    against: `${ms(few)} with ${count(SMALL)}`,
    ratio: many / few,
    goal: null,
    holds: null,
  };
}

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  const receiver = await startReceiver();
  try {
    return [
      ...(await throughput(receiver, quick)),
      await lateness(receiver, quick),
      ...(await backlog(quick)),
      await deadBeside(receiver, quick),
      ...(quick ? [] : [await switchOff()]),
    ];
  } finally {
    receiver.stop();
  }
}

export const deliver: Bench = {
  name: "deliver",
  about: "deliveries a second against a bare loop, lateness of retries, the cost of a backlog and of dead receivers",
  withoutExecutable: true,
  run,
};
