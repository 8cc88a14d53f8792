// Outage on our own side: nothing is lost or counted, little is written, and recovery is automatic.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { NO_OUTAGE, outageAfter, probeDueAt } from "../../src/events/outage.ts";
import type { PostResult } from "../../src/events/safe-post/safe-post.ts";
import { answered, createFakePost, type FakePost } from "../support/fake-post.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const REASON = "x.example: this machine's resolver failed (EAI_AGAIN).";
const RESOLVER_DOWN: PostResult = { kind: "our_fault", detail: REASON, durationMs: 1 };

let test_: TestApp;
let post: FakePost;

beforeEach(async () => {
  post = createFakePost(() => test_.clock.now());
  test_ = await createTestApp({
    safePost: post,
    logged: true,
    settings: { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "5" },
  });
  await test_.app.start();
});
afterEach(() => test_.close());

const pass = (ms: number) => test_.clock.advance(ms);
const endpoint = (url = "https://x.example/") =>
  test_.app.services.endpoints.create(test_.organisationId, { url, eventTypes: ["slot.updated"] }, CLI_ACTOR);

async function publish(count: number): Promise<void> {
  const { outbox } = test_.app.services;
  for (let i = 0; i < count; i++) {
    await test_.db.write((tx) =>
      outbox.publish(tx, { organisationId: test_.organisationId, type: "slot.updated", data: { i } }),
    );
  }
}

const rowsOf = (table: "delivery_attempts" | "deliveries") => test_.db.reader.selectFrom(table).selectAll().execute();
const listed = async () => (await test_.app.services.endpoints.list(test_.organisationId))[0]!;

describe("while the resolver is down", () => {
  test("one delivery per endpoint is tried at a time, after 5, 15, 30 and then every 60 seconds", async () => {
    await endpoint();
    post.answer = () => RESOLVER_DOWN;
    await publish(100);
    await pass(30 * SECOND_MS);
    const begun = post.sent.map(({ at }) => at);
    // First the deliveries that were in flight together when it began; then one at a time.
    const together = begun.filter((at) => at === begun[0]).length;
    expect(together).toBeLessThanOrEqual(8);
    await pass(5 * MINUTE_MS);
    const probes = post.sent.slice(together).map(({ at }, i, all) => at - (all[i - 1]?.at ?? begun[0]!));
    expect(probes.slice(0, 6).map((ms) => ms / SECOND_MS)).toEqual([5, 15, 30, 60, 60, 60]);
  });

  test("hours of it write no attempt, change no delivery, give up none and count none against the receiver", async () => {
    await endpoint();
    await publish(100);
    const before = await rowsOf("deliveries");
    post.answer = () => RESOLVER_DOWN;
    await pass(2 * HOUR_MS);
    expect(await rowsOf("delivery_attempts")).toEqual([]);
    expect(await rowsOf("deliveries")).toEqual(before);
    expect(post.sent.length).toBeLessThanOrEqual(130);
    expect(await listed()).toMatchObject({ enabled: true, consecutive_failures: 0 });
  });

  test("the endpoint shows the start and the cause, and the log has it once", async () => {
    await endpoint();
    post.answer = () => RESOLVER_DOWN;
    await publish(3);
    await pass(30 * SECOND_MS);
    const since = post.sent[0]!.at;
    await pass(HOUR_MS);
    const { outage } = await listed();
    expect(outage).toMatchObject({ since: new Date(since).toISOString(), reason: REASON });
    const { id } = (await rowsOf("deliveries"))[0] as { id: string };
    const inspected = await test_.app.services.deliveries.inspect(test_.organisationId, id, CLI_ACTOR);
    expect(inspected).toMatchObject({ state: "pending", outage, attempts: [] });
    expect(Date.parse(outage!.next_probe_at) - test_.clock.now()).toBeLessThanOrEqual(MINUTE_MS);
    const lines = () => test_.logLines.filter((line) => line.includes("because of a local fault"));
    expect(lines()).toHaveLength(1);
    post.answer = () => answered(204);
    await pass(MINUTE_MS);
    expect((await listed()).outage).toBeNull();
    expect(test_.logLines.filter((line) => line.includes("endpoint resumed"))).toHaveLength(1);
  });

  test("everything goes out as soon as one attempt succeeds, whatever the receiver answers", async () => {
    await endpoint();
    post.answer = () => RESOLVER_DOWN;
    await publish(100);
    await pass(HOUR_MS);
    const before = post.sent.length;
    post.answer = () => answered(post.sent.length === before + 1 ? 500 : 204);
    await pass(MINUTE_MS);
    const [probe, ...rest] = post.sent.slice(before);
    // Concurrent results are written in groups that wait a few milliseconds for each other.
    expect(rest.slice(0, 99).every(({ at }) => at - probe!.at < 100)).toBe(true);
    await pass(MINUTE_MS);
    expect((await rowsOf("deliveries")).every(({ state }) => state === "delivered")).toBe(true);
    expect(new Set(post.sent.slice(before).map(({ json }) => json.event_id)).size).toBe(100);
  });

  test("another endpoint, whose name resolves, is served as usual", async () => {
    await endpoint("https://lost.example/");
    await endpoint("https://fine.example/");
    post.answer = ({ url }) => (url.includes("lost") ? RESOLVER_DOWN : answered(204));
    await publish(50);
    await pass(30 * SECOND_MS);
    expect(post.sent.filter(({ url }) => url.includes("fine"))).toHaveLength(50);
  });

  test("a new address, or disabling and enabling the endpoint, is tried at once", async () => {
    const { endpoint_id } = await endpoint();
    post.answer = () => RESOLVER_DOWN;
    await publish(2);
    await pass(HOUR_MS);
    const { endpoints } = test_.app.services;
    const triesAtOnce = async (act: () => Promise<unknown>) => {
      const before = post.sent.length;
      await act();
      await pass(0);
      return post.sent.length > before;
    };
    const id = test_.organisationId;
    expect(await triesAtOnce(() => endpoints.update(id, endpoint_id, { url: "https://y.example/" }, CLI_ACTOR))).toBe(
      true,
    );
    await pass(10 * MINUTE_MS);
    await endpoints.disable(id, endpoint_id, CLI_ACTOR);
    expect((await listed()).outage).toBeNull();
    expect(await triesAtOnce(() => endpoints.enable(id, endpoint_id, true, CLI_ACTOR))).toBe(true);
  });

  test("a restart keeps the state, and a clock set back does not extend the wait", () => {
    const now = 1_000_000_000;
    const outage = outageAfter(
      { ...NO_OUTAGE, outage_since: now - HOUR_MS, outage_probes: 9, next_probe_at: now },
      "x",
      now,
    )!;
    expect(outage).toMatchObject({ outage_since: now - HOUR_MS, outage_probes: 10, next_probe_at: now + MINUTE_MS });
    expect(probeDueAt(outage, now)).toBe(now + MINUTE_MS);
    expect(probeDueAt(outage, now - DAY_MS)).toBe(now - DAY_MS);
  });
});

describe("an event that cannot be built", () => {
  test("is retried later and delays no other event of the endpoint; its error is logged once", async () => {
    await endpoint();
    await publish(1);
    await test_.db.write((tx) => tx.updateTable("events").set({ data: "{broken" }).execute());
    await publish(20);
    await pass(30 * SECOND_MS);
    const states = () => rowsOf("deliveries").then((rows) => rows.map(({ state }) => state));
    await pass(10 * SECOND_MS);
    expect((await states()).filter((state) => state === "delivered")).toHaveLength(20);
    await pass(HOUR_MS);
    const attempts = (await rowsOf("delivery_attempts")).filter(({ outcome }) => outcome === "our_fault");
    expect(attempts).toHaveLength(1);
    await test_.db.write((tx) => tx.updateTable("events").set({ data: "{}" }).execute());
    await pass(HOUR_MS);
    expect(await states()).not.toContain("pending");
  });
});

describe("while nothing can be written", () => {
  test("an accepted delivery is not sent again; the attempt is stored when there is space", async () => {
    await endpoint();
    await publish(20);
    const { write } = test_.db;
    const full = () => Promise.reject(new Error("database or disk is full"));
    (test_.db as { write: unknown }).write = full;
    await pass(HOUR_MS);
    // Deliveries that had a place, one more after successful answers, and as many again that began before the first
    // write failed.
    expect(post.sent.length).toBeWithin(8, 19);
    (test_.db as { write: unknown }).write = write;
    await pass(2 * MINUTE_MS);
    expect(post.sent).toHaveLength(20);
    expect(new Set(post.sent.map(({ json }) => json.event_id)).size).toBe(20);
    expect((await rowsOf("deliveries")).every(({ state }) => state === "delivered")).toBe(true);
  });
});
