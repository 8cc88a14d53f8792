// Finished events are pruned by age; pending ones never are.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { BATCHES_PER_RUN, createEventHistory, EVENTS_PER_BATCH } from "../../src/events/history.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { MOST_ATTEMPTS_KEPT } from "../../src/events/retry-schedule.ts";
import { answered, createFakePost, type FakePost } from "../support/fake-post.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let test_: TestApp;
let post: FakePost;

async function begin(settings: Record<string, string> = {}): Promise<void> {
  test_ = await createTestApp({
    safePost: post,
    settings: { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "5", ...settings },
  });
}
beforeEach(async () => {
  post = createFakePost(() => test_.clock.now());
  await begin();
});
afterEach(() => test_.close());

const endpoint = (url = "https://x.example/") =>
  test_.app.services.endpoints.create(test_.organisationId, { url, eventTypes: ["slot.updated"] }, CLI_ACTOR);

async function publish(count = 1): Promise<void> {
  const { outbox } = test_.app.services;
  await test_.db.write(async (tx) => {
    for (let i = 0; i < count; i++)
      await outbox.publish(tx, { organisationId: test_.organisationId, type: "slot.updated", data: { i } });
  });
}

const count = async (table: "events" | "deliveries" | "delivery_attempts") =>
  (await test_.db.reader.selectFrom(table).selectAll().execute()).length;
const setAll = (change: { state: "pending" | "delivered" | "exhausted" | "held" }) =>
  test_.db.write((tx) =>
    tx
      .updateTable("deliveries")
      .set({ ...change, is_head: 0 })
      .execute(),
  );
const historyOf = (keepDays: number) =>
  createEventHistory({ db: test_.db, logger: silentLogger, keepDays, erasable: test_.app.services.keeping.erasable });
const inDays = (days: number) => test_.clock.now() + days * DAY_MS;

describe("by age", () => {
  test.each(["delivered", "exhausted"] as const)("%s events are deleted after the configured days", async (state) => {
    await endpoint();
    await publish(3);
    await setAll({ state });
    await historyOf(30).run(inDays(30));
    expect(await count("events")).toBe(3);
    await historyOf(30).run(inDays(30) + 1);
    expect([await count("events"), await count("deliveries")]).toEqual([0, 0]);
  });

  test.each(["pending", "held"] as const)("%s events are never deleted", async (state) => {
    await endpoint();
    await publish(3);
    await setAll({ state });
    await historyOf(30).run(inDays(3_000));
    expect([await count("events"), await count("deliveries")]).toEqual([3, 3]);
  });

  test("an event is kept while one of its endpoints waits for it", async () => {
    const { endpoint_id } = await endpoint();
    await endpoint("https://off.example/");
    await publish();
    await test_.db.write((tx) =>
      tx
        .updateTable("deliveries")
        .set({ state: "delivered", is_head: 0 })
        .where("endpoint_id", "=", endpoint_id)
        .execute(),
    );
    await historyOf(30).run(inDays(60));
    expect([await count("events"), await count("deliveries")]).toEqual([1, 2]);
  });

  test("an event that was replayed a week ago is kept, however old it is", async () => {
    await endpoint();
    await publish();
    await test_.db.write((tx) =>
      tx
        .updateTable("deliveries")
        .set({ state: "delivered", is_head: 0, updated_at: inDays(53) })
        .execute(),
    );
    await historyOf(30).run(inDays(60));
    expect(await count("events")).toBe(1);
  });

  test("0 days keep everything", async () => {
    await endpoint();
    await publish();
    await setAll({ state: "delivered" });
    await historyOf(0).run(inDays(30_000));
    expect(await count("events")).toBe(1);
  });
});

describe("a long history", () => {
  test("is pruned in bounded parts, skipping kept events, and the next run continues", async () => {
    await endpoint();
    const perRun = EVENTS_PER_BATCH * BATCHES_PER_RUN;
    await publish(perRun);
    await setAll({ state: "held" });
    await publish(EVENTS_PER_BATCH + 5);
    await test_.db.write((tx) =>
      tx.updateTable("deliveries").set({ state: "delivered", is_head: 0 }).where("state", "=", "pending").execute(),
    );
    const commandsBefore = test_.db.stats.commands;
    const history = historyOf(30);
    await history.run(inDays(60));
    expect(await count("events")).toBe(perRun + EVENTS_PER_BATCH + 5);
    await history.run(inDays(60) + MINUTE_MS);
    expect(await count("events")).toBe(perRun);
    expect(test_.db.stats.commands - commandsBefore).toBe(2);
    // Everything was scanned: for an hour nothing is read again.
    await setAll({ state: "delivered" });
    await history.run(inDays(60) + 2 * MINUTE_MS);
    expect(await count("events")).toBe(perRun);
    await history.run(inDays(60) + 2 * MINUTE_MS + HOUR_MS);
    expect(await count("events")).toBe(0);
  }, 180_000);
});

describe("in the appliance", () => {
  test("the configured days are used, and a wrong clock prunes nothing", async () => {
    await test_.close();
    await begin({ RINGWARD_WEBHOOKS__KEEP_DAYS: "1" });
    await endpoint();
    await test_.app.start();
    await publish();
    await test_.clock.advance(HOUR_MS);
    test_.clock.jump(40 * DAY_MS);
    await test_.clock.advance(2 * HOUR_MS);
    expect([await count("events"), await count("delivery_attempts")]).toEqual([1, 1]);
    test_.clock.jump(-40 * DAY_MS);
    const longAgo = test_.clock.now() - 2 * DAY_MS;
    await test_.db.write(async (tx) => {
      await tx.updateTable("events").set({ created_at: longAgo }).execute();
      await tx.updateTable("deliveries").set({ updated_at: longAgo }).execute();
    });
    await test_.clock.advance(2 * HOUR_MS);
    expect([await count("events"), await count("deliveries"), await count("delivery_attempts")]).toEqual([0, 0, 0]);
  }, 180_000);

  test("a delivery that is replayed repeatedly keeps its newest attempts", async () => {
    await endpoint();
    await publish();
    await test_.app.start();
    const { deliveries } = test_.app.services;
    const { id: delivery_id } = await test_.db.reader.selectFrom("deliveries").selectAll().executeTakeFirstOrThrow();
    for (let i = 0; i < MOST_ATTEMPTS_KEPT + 5; i++) {
      post.answer = () => answered(204, `answer ${i}`);
      await deliveries.replay(test_.organisationId, delivery_id, CLI_ACTOR);
      await test_.clock.advance(1);
    }
    const kept = await deliveries.attempts(test_.organisationId, delivery_id, CLI_ACTOR);
    expect(kept).toHaveLength(MOST_ATTEMPTS_KEPT);
    expect(kept.at(-1)?.response).toBe(`answer ${MOST_ATTEMPTS_KEPT + 4}`);
  });
});
