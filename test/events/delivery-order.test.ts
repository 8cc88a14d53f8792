// Delivery order: for each endpoint and order, only the first unfinished delivery may be sent, in every situation.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { DELIVERIES_PER_BATCH } from "../../src/events/backlog-store.ts";
import { createDeliveryLoop, type DeliveryLoop } from "../../src/events/delivery.ts";
import { deleteEventsAbout } from "../../src/events/order-store.ts";
import { createSchedulerLoop, type SchedulerLoop } from "../../src/scheduler/loop.ts";
import { onlySqlite, runsOf } from "../support/engines.ts";
import { answered, createFakePost, type FakePost } from "../support/fake-post.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";
import { fileOf } from "../support/temp.ts";

let test_: TestApp;
let post: FakePost;
let loop: DeliveryLoop;
let scheduler: SchedulerLoop;

beforeAll(async () => {
  post = createFakePost(() => test_.clock.now());
  test_ = await createTestApp({
    safePost: post,
    settings: { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "unlimited" },
  });
  // Runs only the delivery loop: an hour of the whole appliance costs a hundred writes.
  const { db, clock, app } = test_;
  loop = createDeliveryLoop({
    db,
    clock,
    logger: silentLogger,
    metrics: createMetrics(),
    endpoints: app.services.endpoints,
    safePost: post,
    linksOf: app.services.shares.linksOf,
    wake: () => scheduler.wake(),
  });
  scheduler = createSchedulerLoop({ clock, logger: silentLogger, sources: [loop] });
  scheduler.start();
});
afterAll(async () => {
  await scheduler.stop();
  await loop.stop();
  await test_.close();
});

async function pass(ms: number): Promise<void> {
  scheduler.wake();
  await test_.clock.advance(ms);
}
const rows = () => test_.db.reader.selectFrom("deliveries").selectAll().orderBy("id").execute();

async function newEndpoint(name: string): Promise<string> {
  const { endpoint_id } = await test_.app.services.endpoints.create(
    test_.organisationId,
    { url: `https://${name}.example/`, eventTypes: ["call.initiated"] },
    CLI_ACTOR,
  );
  return endpoint_id;
}

let step = 0;
async function publish(callId: string, count = 1): Promise<void> {
  const { outbox } = test_.app.services;
  await test_.db.write(async (tx) => {
    for (let i = 0; i < count; i++) {
      await outbox.publish(tx, {
        organisationId: test_.organisationId,
        type: "call.initiated",
        callId,
        orderKey: callId,
        data: { callId, step: ++step },
      });
    }
  });
}

async function expectOneHeadPerOrder(): Promise<void> {
  const orders = Map.groupBy(await rows(), (row) => `${row.endpoint_id} ${row.order_key}`);
  for (const [order, deliveries] of orders) {
    const first = deliveries.find(({ state }) => state === "pending" || state === "held");
    const expected = first?.state === "pending" ? [first.id] : [];
    expect([order, deliveries.filter(({ is_head }) => is_head === 1).map(({ id }) => id)]).toEqual([order, expected]);
  }
}

type Step =
  | { do: "publish"; call: number }
  | { do: "wait"; ms: number }
  | { do: "answer"; endpoint: number; with: 204 | 500 | "our_fault" | "late" }
  | { do: "disable"; endpoint: number }
  | { do: "remove"; endpoint: number }
  | { do: "enable"; endpoint: number; sendHeld: boolean }
  | { do: "replay"; pick: number }
  | { do: "replay range"; endpoint: number }
  | { do: "erase"; call: number };

const endpointNumber = fc.nat({ max: 1 });
const callNumber = fc.nat({ max: 2 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("publish" as const), call: callNumber }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("wait" as const),
        ms: fc.constantFrom(0, 30 * SECOND_MS, 2 * MINUTE_MS, 15 * MINUTE_MS),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("answer" as const),
        endpoint: endpointNumber,
        with: fc.constantFrom(204 as const, 500 as const, "our_fault" as const, "late" as const),
      }),
    },
    fc.record({ do: fc.constant("disable" as const), endpoint: endpointNumber }),
    fc.record({ do: fc.constant("remove" as const), endpoint: endpointNumber }),
    fc.record({ do: fc.constant("enable" as const), endpoint: endpointNumber, sendHeld: fc.boolean() }),
    fc.record({ do: fc.constant("replay" as const), pick: fc.nat() }),
    fc.record({ do: fc.constant("replay range" as const), endpoint: endpointNumber }),
    fc.record({ do: fc.constant("erase" as const), call: callNumber }),
  ),
  { minLength: 5, maxLength: 25 },
);

describe("for any sequence of events", () => {
  test("the first unfinished delivery of each order is its head, order is kept, nothing is lost and nothing is stuck", async () => {
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: runsOf(50) });
  }, 180_000);

  let run = 0;
  async function play(script: Step[]): Promise<void> {
    run += 1;
    post.sent.length = 0;
    const { endpoints, deliveries } = test_.app.services;
    const org = test_.organisationId;
    const ids = [await newEndpoint(`a${run}`), await newEndpoint(`b${run}`)];
    const answers = new Map<string, (Step & { do: "answer" })["with"]>();
    const late: (() => void)[] = [];
    const callOf = (call: number) => `call_${run}_${call}`;
    const reordered = new Set<string>();
    post.answer = ({ url }) => {
      const answer = answers.get(url.slice(8, 9)) ?? 204;
      if (answer === "our_fault") return { kind: "our_fault", detail: "resolver down", durationMs: 1 };
      if (answer !== "late") return answered(answer);
      return new Promise((resolve) => void late.push(() => resolve(answered(204))));
    };
    const endLate = () => {
      for (const end of late.splice(0)) end();
    };

    const idOf = (number: number) => ids[number]!;
    async function act(next: Step): Promise<void> {
      if (next.do === "publish") await publish(callOf(next.call));
      else if (next.do === "wait") await pass(next.ms);
      else if (next.do === "answer") {
        endLate();
        answers.set(next.endpoint === 0 ? "a" : "b", next.with);
      } else if (next.do === "disable") await endpoints.disable(org, idOf(next.endpoint), CLI_ACTOR);
      else if (next.do === "enable") await endpoints.enable(org, idOf(next.endpoint), next.sendHeld, CLI_ACTOR);
      else if (next.do === "remove") {
        await endpoints.remove(org, idOf(next.endpoint), CLI_ACTOR);
        ids[next.endpoint] = await newEndpoint(`${next.endpoint === 0 ? "a" : "b"}${run}`);
      } else if (next.do === "replay") {
        const all = await rows();
        if (all.length === 0) return;
        const picked = all[next.pick % all.length]!;
        // Replayed deliveries are late on purpose.
        reordered.add(picked.order_key);
        await deliveries.replay(org, picked.id, CLI_ACTOR);
      } else if (next.do === "replay range") {
        for (const { order_key } of await rows()) reordered.add(order_key);
        await deliveries.replayRange(org, idOf(next.endpoint), { from: 0, to: test_.clock.now() + 1 }, CLI_ACTOR);
      } else await test_.db.write((tx) => deleteEventsAbout(tx, { callId: callOf(next.call) }));
    }

    try {
      await playThrough();
    } finally {
      endLate();
      for (const id of ids) await endpoints.remove(org, id, CLI_ACTOR);
    }

    async function playThrough(): Promise<void> {
      for (const next of script) {
        const before = await rows();
        await act(next);
        await expectOneHeadPerOrder();
        if (next.do === "erase" || next.do === "remove") continue;
        const present = new Set((await rows()).map(({ id }) => id));
        expect(before.filter(({ id }) => !present.has(id))).toEqual([]);
      }

      // The receiver works again: the remaining deliveries go out, or have used their five attempts.
      answers.clear();
      endLate();
      for (const id of ids) await endpoints.enable(org, id, true, CLI_ACTOR);
      await pass(90 * MINUTE_MS);
      await expectOneHeadPerOrder();
      const left = await rows();
      expect(left.filter(({ state }) => state === "pending" || state === "held")).toEqual([]);
      const delivered = left
        .filter(({ state }) => state === "delivered")
        .map(({ event_id, endpoint_id }) => event_id + endpoint_id);
      expect(delivered.length).toBe(new Set(delivered).size);

      const seen = new Map<string, number>();
      for (const { url, json } of post.sent) {
        const { callId, step: number } = json.data as { callId: string; step: number };
        if (reordered.has(callId)) continue;
        expect(number).toBeGreaterThanOrEqual(seen.get(url + callId) ?? 0);
        seen.set(url + callId, number);
      }
    }
  }
});

describe("a backlog of several batches", () => {
  test("is disabled and enabled a batch at a time, in order, and new events wait their turn", async () => {
    const count = DELIVERIES_PER_BATCH * 2 + 7;
    const id = await newEndpoint("many");
    post.sent.length = 0;
    const { endpoints } = test_.app.services;
    await endpoints.disable(test_.organisationId, id, CLI_ACTOR);
    await publish("call_many", count);
    expect((await rows()).filter(({ state }) => state === "held")).toHaveLength(count);
    // The first transaction releases one batch; the loop continues from there.
    expect(await endpoints.enable(test_.organisationId, id, true, CLI_ACTOR)).toEqual({ held: count });
    await expectOneHeadPerOrder();
    await publish("call_many");
    await expectOneHeadPerOrder();
    post.answer = () => answered(500);
    await pass(MINUTE_MS);
    expect((await rows()).every(({ state }) => state === "pending")).toBe(true);
    await expectOneHeadPerOrder();

    await endpoints.disable(test_.organisationId, id, CLI_ACTOR);
    expect((await rows()).filter(({ state }) => state === "held")).toHaveLength(DELIVERIES_PER_BATCH);
    await expectOneHeadPerOrder();
    await pass(0);
    expect((await rows()).every(({ state, is_head }) => state === "held" && is_head === 0)).toBe(true);
    expect(await endpoints.enable(test_.organisationId, id, false, CLI_ACTOR)).toEqual({ held: count + 1 });
    expect((await rows()).every(({ state }) => state === "exhausted")).toBe(true);

    const range = { from: 0, to: test_.clock.now() + 1 };
    const { deliveries } = test_.app.services;
    expect(await deliveries.replayRange(test_.organisationId, id, range, CLI_ACTOR)).toBe(count + 1);
    await expectOneHeadPerOrder();
    await endpoints.remove(test_.organisationId, id, CLI_ACTOR);
    expect(await rows()).toEqual([]);
    expect(await test_.db.reader.selectFrom("events").selectAll().execute()).toEqual([]);
  }, 180_000);
});

describe("a round of due deliveries", () => {
  const PLANS = "it reads SQLite's plans";

  onlySqlite(PLANS)("asks the index of heads: nothing that waits behind one is read", () => {
    const raw = new Sqlite(fileOf(test_.db), { readonly: true });
    const plan = (sql: string) =>
      raw
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => (row as { detail: string }).detail)
        .join("; ");
    for (const comparison of ["<=", ">"]) {
      const text = plan(
        `SELECT * FROM deliveries WHERE is_head = 1 AND endpoint_id = 'x' AND next_at ${comparison} 5 ORDER BY next_at, id LIMIT 1`,
      );
      expect(text).toContain("USING INDEX deliveries_heads (endpoint_id=? AND next_at");
      expect(text).not.toContain("TEMP B-TREE");
    }
    const retries = plan(
      `SELECT id FROM deliveries WHERE is_head = 1 AND attempts > 0 AND endpoint_id = 'x' AND next_at <= 5 ORDER BY next_at, id LIMIT 1`,
    );
    expect(retries).toContain("USING INDEX deliveries_retries (endpoint_id=? AND is_head=? AND next_at");
    expect(retries).not.toContain("TEMP B-TREE");
    raw.close();
  });

  onlySqlite(PLANS)(
    "what was delivered is changed by its id, and who is next is asked of the index of its order",
    () => {
      const raw = new Sqlite(fileOf(test_.db), { readonly: true });
      const plan = (sql: string) =>
        raw
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map((row) => (row as { detail: string }).detail);
      expect(
        plan(
          "UPDATE deliveries SET state = 'delivered', is_head = 0 WHERE id IN ('a', 'b') AND is_head = 1 RETURNING id",
        ),
      ).toContain("SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (id=?)");
      const promoting = plan(
        `UPDATE deliveries SET is_head = 1
       WHERE id IN (SELECT min(waiting.id) FROM deliveries AS waiting WHERE waiting.state = 'pending'
           AND waiting.endpoint_id = 'x' AND waiting.order_key IN ('a', 'b') GROUP BY waiting.order_key)
         AND NOT EXISTS (SELECT held.id FROM deliveries AS held WHERE held.state = 'held' AND held.endpoint_id = 'x'
           AND held.order_key = deliveries.order_key AND held.id < deliveries.id)
       RETURNING order_key, next_at`,
      );
      expect(promoting.filter((step) => step.startsWith("SEARCH"))).toEqual([
        "SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (id=?)",
        "SEARCH waiting USING COVERING INDEX deliveries_in_order (endpoint_id=? AND order_key=?)",
        "SEARCH held USING COVERING INDEX deliveries_held_in_order (endpoint_id=? AND order_key=? AND id<?)",
      ]);
      expect(promoting.join()).not.toContain("SCAN");
      raw.close();
    },
  );
});

describe("a database of the previous version", () => {
  test("gets its heads: the first pending delivery of each order, and none behind a held one", () => {
    const raw = new Sqlite(":memory:");
    const own = MIGRATIONS.find(({ name }) => name === "delivery_order")!;
    for (const { version, sql } of MIGRATIONS) if (version < own.version) raw.exec(sql);
    raw.pragma("foreign_keys = OFF");
    const insert = raw.prepare("INSERT INTO deliveries VALUES (?, 'org', 'evt', ?, ?, ?, 0, 1, 1, 1)");
    const before = [
      ["1", "e1", "k1", "delivered"],
      ["2", "e1", "k1", "pending"],
      ["3", "e1", "k1", "pending"],
      ["4", "e2", "k1", "pending"],
      ["5", "e1", "k2", "held"],
      ["6", "e1", "k2", "pending"],
      ["7", "e1", "k3", "exhausted"],
    ];
    for (const row of before) insert.run(...row);
    raw.exec(own.sql);
    expect(raw.prepare("SELECT id FROM deliveries WHERE is_head = 1 ORDER BY id").pluck().all()).toEqual(["2", "4"]);
    raw.close();
  });
});
