// Deliveries with an injected clock: schedule, order, disabling of endpoints.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { confirmBelieved } from "../../src/scheduler/clock-store.ts";
import { contractSignature, standardSignature } from "../../src/events/signing.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { onlySqlite } from "../support/engines.ts";
import { answered, createFakePost, type FakePost } from "../support/fake-post.ts";
import { settle } from "../support/manual-clock.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

let test_: TestApp;
let post: FakePost;

beforeEach(async () => {
  post = createFakePost(() => test_.clock.now());
  test_ = await createTestApp({ safePost: post, settings: { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "5" } });
  await test_.app.start();
});
afterEach(() => test_.close());

const endpoint = (changes: object = {}) =>
  test_.app.services.endpoints.create(
    test_.organisationId,
    {
      url: "https://receiver.example/hook",
      eventTypes: ["call.initiated", "call.completed", "slot.updated"],
      ...changes,
    },
    CLI_ACTOR,
  );

async function publish(
  type: "call.initiated" | "call.completed" | "slot.updated" = "slot.updated",
  more: object = {},
): Promise<void> {
  const { outbox } = test_.app.services;
  await test_.db.write((tx) =>
    outbox.publish(tx, { organisationId: test_.organisationId, type, data: { some: "thing" }, ...more }),
  );
  await test_.clock.advance(0);
}

const deliveries = () => test_.app.services.deliveries.list({ organisationId: test_.organisationId, limit: 1_000 });
const pass = (ms: number) => test_.clock.advance(ms);
/** The loop runs at least every 30 s, so rows written by hand without a wake-up are found by then. */
const settleAll = () => pass(31 * SECOND_MS);

const HOURS = "hours of the clock are minutes on PostgreSQL";

describe("the schedule", () => {
  test("is five attempts at 0, 30 s, 2 min, 10 min and 1 h after the one before, under the same event_id", async () => {
    await endpoint();
    post.answer = () => answered(500);
    await publish();
    await settleAll();
    const begunAt = post.sent[0]!.at;
    await pass(2 * HOUR_MS);
    const delays = post.sent.map(({ at }, i) => (i === 0 ? 0 : at - post.sent[i - 1]!.at));
    expect(delays).toEqual([0, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]);
    expect(begunAt).toBeLessThan(test_.clock.now());
    expect(new Set(post.sent.map(({ json }) => json.event_id)).size).toBe(1);
    expect((await deliveries())[0]).toMatchObject({ state: "exhausted", attempts: 5, next_attempt_at: null });
    await pass(3 * HOUR_MS);
    expect(post.sent).toHaveLength(5);
  });

  onlySqlite(HOURS)("stops at the first 2xx", async () => {
    await endpoint();
    post.answer = () => answered(post.sent.length < 3 ? 503 : 200);
    await publish();
    await pass(2 * HOUR_MS);
    expect(post.sent).toHaveLength(3);
    expect((await deliveries())[0]).toMatchObject({ state: "delivered", attempts: 3 });
  });

  test.each([301, 302, 400, 404, 410, 429, 500])("counts %p as a failed attempt", async (status) => {
    await endpoint();
    post.answer = () => answered(status);
    await publish();
    await settleAll();
    expect((await deliveries())[0]).toMatchObject({ state: "pending" });
  });

  onlySqlite(HOURS)(
    "is kept to the millisecond while later events of the same call wait behind the first",
    async () => {
      await endpoint();
      post.answer = () => answered(500);
      for (const step of [1, 2, 3]) await publish("call.initiated", { orderKey: "call_1", data: { step } });
      await pass(2 * HOUR_MS);
      const first = post.sent.filter(({ json }) => json.data["step"] === 1).map(({ at }) => at);
      const delays = first.map((at, i) => (i === 0 ? 0 : at - first[i - 1]!));
      expect(delays).toEqual([0, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]);
      // The next one is due at the moment the first is given up.
      expect(post.sent.find(({ json }) => json.data["step"] === 2)?.at).toBe(first.at(-1));
    },
  );

  test("is kept to the millisecond while every delivery place is in use", async () => {
    await endpoint();
    post.answer = () => answered(500);
    await publish("slot.updated", { data: { name: "retried" } });
    await settleAll();
    const attemptsOfIt = () => post.sent.filter(({ json }) => json.data["name"] === "retried").map(({ at }) => at);
    const last = attemptsOfIt().at(-1)!;
    const hanging: (() => void)[] = [];
    post.answer = () => new Promise((resolve) => void hanging.push(() => resolve(answered(500))));
    for (let i = 0; i < 7; i++) await publish();
    await settleAll();
    expect(hanging).toHaveLength(7);
    await pass(2 * MINUTE_MS);
    expect(attemptsOfIt().at(-1)! - last).toBe(2 * MINUTE_MS);
    for (const end of hanging) end();
  });
});

describe("a clock that was ahead for a while", () => {
  const setClock = async (ms: number) => {
    test_.clock.jump(ms);
    await test_.db.write((tx) => confirmBelieved(tx, test_.clock.now(), null));
    await settleAll();
  };

  test("delays neither events published nor retries scheduled then", async () => {
    await endpoint();
    await setClock(40 * 24 * HOUR_MS);
    post.answer = () => answered(500);
    await publish("call.initiated", { orderKey: "call_1", data: { step: 1 } });
    await publish("call.initiated", { orderKey: "call_1", data: { step: 2 } });
    await settleAll();
    post.answer = () => answered(204);
    await setClock(-40 * 24 * HOUR_MS);
    const areDelivered = async () => (await deliveries()).every(({ state }) => state === "delivered");
    // Half a minute at a time, so the clock never comes near the 40 days.
    await until(async () => (await areDelivered()) || (await settleAll(), false));
    expect(post.sent.slice(-2).map(({ json }) => json.data["step"])).toEqual([1, 2]);
  });
});

describe("order and concurrency", () => {
  test("events of one call reach an endpoint one after the other; other calls are not delayed", async () => {
    await endpoint();
    post.answer = ({ json }) => answered(json.data["call"] === 1 && post.sent.length < 4 ? 500 : 204);
    const told = (call: number, step: number) =>
      publish("call.initiated", { orderKey: `call_${call}`, data: { call, step } });
    await told(1, 1);
    await told(1, 2);
    await told(2, 1);
    await settleAll();
    expect(post.sent.map(({ json }) => json.data)).toContainEqual({ call: 2, step: 1 });
    expect(post.sent.map(({ json }) => json.data)).not.toContainEqual({ call: 1, step: 2 });
    await pass(10 * MINUTE_MS);
    expect(post.sent.filter(({ json }) => json.data["call"] === 1).map(({ json }) => json.data["step"])).toEqual([
      1, 1, 1, 2,
    ]);
  });

  test("a delivery that waits behind another event of its call shows no due time of its own", async () => {
    await endpoint();
    post.answer = () => answered(500);
    for (const step of [1, 2]) await publish("call.initiated", { orderKey: "call_1", data: { step } });
    await settleAll();
    const [second, first] = await deliveries();
    expect(second).toMatchObject({ state: "pending", next_attempt_at: null });
    expect(Date.parse(first!.next_attempt_at!)).toBeGreaterThan(test_.clock.now());
  });

  onlySqlite(HOURS)("an exhausted event lets the next one of its call go", async () => {
    await endpoint();
    post.answer = ({ json }) => answered(json.data["step"] === 1 ? 500 : 204);
    for (const step of [1, 2]) await publish("call.initiated", { orderKey: "call_1", data: { step } });
    await pass(3 * HOUR_MS);
    expect(post.sent.map(({ json }) => json.data["step"])).toEqual([1, 1, 1, 1, 1, 2]);
  });

  test("a receiver that hangs holds at most eight of its own deliveries and delays no other endpoint", async () => {
    await endpoint({ url: "https://slow.example/" });
    await endpoint({ url: "https://fast.example/" });
    const never = new Promise<never>(() => {});
    post.answer = ({ url }) => (url.includes("slow") ? never : answered(204));
    for (let i = 0; i < 20; i++) await publish();
    await settleAll();
    expect(post.sent.filter(({ url }) => url.includes("slow"))).toHaveLength(8);
    expect(post.sent.filter(({ url }) => url.includes("fast"))).toHaveLength(20);
    post.answer = () => answered(204);
    // The eight are never answered, so the app does not wait for them.
    test_.app.stop = async () => test_.db.close();
  });
});

describe("the concurrency of an endpoint", () => {
  const atOnce = async () => (await test_.app.services.endpoints.list(test_.organisationId))[0]!.at_once;

  test("increases while it answers, and is reported; decreases on overload, and increases again", async () => {
    await endpoint();
    expect(await atOnce()).toBeNull();
    let most = 0;
    let underWay = 0;
    const slowly = async (status: number) => {
      most = Math.max(most, ++underWay);
      // Slower than the database: extra places are useless if no more deliveries are ready.
      await settle(1);
      underWay -= 1;
      return answered(status);
    };
    post.answer = () => slowly(204);
    await test_.db.write(async (tx) => {
      const { outbox } = test_.app.services;
      for (let i = 0; i < 700; i++)
        await outbox.publish(tx, { organisationId: test_.organisationId, type: "slot.updated", data: {} });
    });
    await settleAll();
    for (let i = 0; i < 1_000 && post.sent.length < 700; i++) await pass(0);
    expect(post.sent).toHaveLength(700);
    const quick = (await atOnce())!;
    expect(quick).toBeGreaterThan(16);
    expect(most).toBeWithin(9, 33);
    post.answer = () => slowly(503);
    for (let i = 0; i < 40; i++) await publish();
    await settleAll();
    const overloaded = (await atOnce())!;
    expect(overloaded).toBeWithin(1, quick / 2 + 1);
    post.answer = () => slowly(204);
    await pass(HOUR_MS);
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
    expect(await atOnce()).toBeGreaterThan(overloaded);
  });

  test("a retry waits for the next free place, not for all earlier due deliveries", async () => {
    await endpoint();
    post.answer = () => answered(500);
    await publish("slot.updated", { data: { name: "retried" } });
    // Two attempts were made; the third is two minutes later.
    await settleAll();
    await settleAll();
    const hanging: (() => void)[] = [];
    post.answer = () => new Promise((resolve) => void hanging.push(() => resolve(answered(204))));
    for (let i = 0; i < 100; i++) await publish();
    await settleAll();
    expect(hanging).toHaveLength(8);
    await pass(2 * MINUTE_MS);
    expect(post.sent).toHaveLength(10);
    hanging[0]!();
    await pass(0);
    expect(post.sent.at(-1)!.json.data["name"]).toBe("retried");
    post.answer = () => answered(204);
    for (const end of hanging) end();
    await settleAll();
  });

  test("a pause that the receiver requests delays new events; retries keep their own schedule", async () => {
    const { endpoint_id } = await endpoint();
    /** Publishing wakes the loop; here a change of the endpoint does. */
    const wake = async () => {
      await test_.app.services.endpoints.update(test_.organisationId, endpoint_id, {}, CLI_ACTOR);
      await pass(SECOND_MS);
    };
    post.answer = () => ({ ...answered(503), retryAfter: "20" }) as ReturnType<typeof answered>;
    await publish("slot.updated", { data: { name: "refused" } });
    await wake();
    const begunAt = post.sent[0]!.at;
    post.answer = () => answered(204);
    await publish("slot.updated", { data: { name: "new" } });
    await wake();
    await pass(HOUR_MS);
    expect(post.sent.map(({ at, json }) => [json.data["name"], at - begunAt])).toEqual([
      ["refused", 0],
      ["new", 20 * SECOND_MS],
      ["refused", 30 * SECOND_MS],
    ]);
  });
});

describe("disabling an endpoint", () => {
  async function failFiftyTimes(): Promise<void> {
    post.answer = () => answered(500);
    for (let i = 0; i < 50; i++) await publish();
    await settleAll();
  }

  test("happens after 50 failed attempts in a row; later events are held and can be sent later", async () => {
    const { endpoint_id } = await endpoint();
    await failFiftyTimes();
    const [off] = await test_.app.services.endpoints.list(test_.organisationId);
    expect(off).toMatchObject({ enabled: false });
    // Attempts in flight when the fiftieth failed may still end.
    expect(off!.consecutive_failures).toBeGreaterThanOrEqual(50);
    const before = post.sent.length;
    await publish();
    await pass(2 * HOUR_MS);
    expect(post.sent).toHaveLength(before);
    expect((await deliveries()).every(({ state }) => state === "held")).toBe(true);

    post.answer = () => answered(204);
    const { held } = await test_.app.services.endpoints.enable(test_.organisationId, endpoint_id, true, CLI_ACTOR);
    expect(held).toBe(51);
    await settleAll();
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
    expect(new Set(post.sent.slice(before).map(({ json }) => json.event_id)).size).toBe(51);
  });

  test("does not happen if a success comes in between", async () => {
    await endpoint();
    post.answer = () => answered(post.sent.length === 40 ? 204 : 500);
    for (let i = 0; i < 60; i++) await publish();
    await pass(SECOND_MS);
    const [on] = await test_.app.services.endpoints.list(test_.organisationId);
    expect(on).toMatchObject({ enabled: true });
  });

  test("held deliveries can be given up instead, and replayed individually or by time range", async () => {
    const { endpoint_id } = await endpoint();
    await failFiftyTimes();
    post.answer = () => answered(204);
    await test_.app.services.endpoints.enable(test_.organisationId, endpoint_id, false, CLI_ACTOR);
    await settleAll();
    const given = await deliveries();
    expect(given.every(({ state }) => state === "exhausted")).toBe(true);

    await test_.app.services.deliveries.replay(test_.organisationId, given[0]!.delivery_id, CLI_ACTOR);
    await settleAll();
    expect((await deliveries()).filter(({ state }) => state === "delivered")).toHaveLength(1);

    const range = { from: 0, to: test_.clock.now() };
    expect(await test_.app.services.deliveries.replayRange(test_.organisationId, endpoint_id, range, CLI_ACTOR)).toBe(
      49,
    );
    await pass(2 * SECOND_MS);
    await settleAll();
    expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
  });
});

describe("signing", () => {
  test("signs the exact bytes that are sent, in both forms", async () => {
    const { secret } = await endpoint();
    await publish();
    await settleAll();
    const [{ headers, body }] = post.sent as [(typeof post.sent)[0]];
    const timestamp = headers["x-webhook-timestamp"]!;
    expect(Number(timestamp)).toBe(Math.floor(post.sent[0]!.at / 1000));
    expect(headers["x-webhook-signature"]).toBe(contractSignature(secret, timestamp, body));
    expect(headers["webhook-signature"]).toBe(standardSignature(secret, headers["x-webhook-id"]!, timestamp, body));
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Ringward-Webhooks/1" });
    expect(headers["x-webhook-id"]).toBe(post.sent[0]!.json.event_id);
  });

  test("when disabled, sends neither timestamp nor signature", async () => {
    await endpoint({ signing: false });
    await publish();
    await settleAll();
    expect(Object.keys(post.sent[0]!.headers).toSorted()).toEqual(["content-type", "user-agent", "x-webhook-id"]);
  });

  test("after a rotation both secrets sign for a day, then only the new one", async () => {
    const { endpoint_id, secret: old } = await endpoint();
    const { secret: fresh } = await test_.app.services.endpoints.rotateSecret(
      test_.organisationId,
      endpoint_id,
      CLI_ACTOR,
    );
    await publish();
    await settleAll();
    const [first] = post.sent;
    const forms = (sent: NonNullable<typeof first>, secret: string) =>
      standardSignature(secret, sent.json.event_id, sent.headers["x-webhook-timestamp"]!, sent.body);
    expect(first!.headers["webhook-signature"]).toBe(`${forms(first!, fresh)} ${forms(first!, old)}`);
    expect(first!.headers["x-webhook-signature"]).toBe(
      contractSignature(old, first!.headers["x-webhook-timestamp"]!, first!.body),
    );
    // Nothing is due meanwhile, so all these rounds find nothing.
    test_.clock.pass(24 * HOUR_MS);
    await publish();
    await settleAll();
    const last = post.sent.at(-1)!;
    expect(last.headers["webhook-signature"]).toBe(forms(last, fresh));
    expect(last.headers["x-webhook-signature"]).toBe(
      contractSignature(fresh, last.headers["x-webhook-timestamp"]!, last.body),
    );
  });

  test.each(["old", "new"] as const)(
    "a receiver that has the %s secret alone gets every event during a rotation, at the second attempt at the latest",
    async (which) => {
      const { endpoint_id, secret: old } = await endpoint();
      const { secret: fresh } = await test_.app.services.endpoints.rotateSecret(
        test_.organisationId,
        endpoint_id,
        CLI_ACTOR,
      );
      const secret = which === "old" ? old : fresh;
      post.answer = ({ headers, body }) => {
        const right = contractSignature(secret, headers["x-webhook-timestamp"]!, body);
        return answered(headers["x-webhook-signature"] === right ? 204 : 401);
      };
      await publish();
      await settleAll();
      await test_.clock.advance(30_000);
      await settleAll();
      expect(post.sent).toHaveLength(which === "old" ? 1 : 2);
      expect((await deliveries()).map(({ state }) => state)).toEqual(["delivered"]);
    },
  );

  test("a rotation after the key was lost signs only with the new secret, at once", async () => {
    const { endpoint_id } = await endpoint();
    const sealedElsewhere = createSecretBox(new Uint8Array(32).fill(1)).seal("whsec_gone", "webhook-endpoint");
    await test_.db.write((tx) =>
      tx
        .updateTable("webhook_endpoints")
        .set({ sealed_secret: sealedElsewhere })
        .where("id", "=", endpoint_id)
        .execute(),
    );
    const { secret } = await test_.app.services.endpoints.rotateSecret(test_.organisationId, endpoint_id, CLI_ACTOR);
    await publish();
    await settleAll();
    const { headers, json, body } = post.sent[0]!;
    expect(headers["webhook-signature"]).toBe(
      standardSignature(secret, json.event_id, headers["x-webhook-timestamp"]!, body),
    );
  });

  test("secrets are stored encrypted: nowhere in a usable form", async () => {
    const { secret } = await endpoint();
    await test_.db.maintenance.upkeep();
    expect(filesHolding(test_.dataDir, [secret, secret.slice("whsec_".length)])).toEqual({});
  });
});

describe("endpoints", () => {
  test("are limited by the plan, accept only known events, and nothing is stored without a subscriber", async () => {
    for (let i = 0; i < 5; i++) await endpoint();
    await expect(endpoint()).rejects.toMatchObject({ code: "PLAN_LIMIT_REACHED" });
    const [first] = await test_.app.services.endpoints.list(test_.organisationId);
    await test_.app.services.endpoints.remove(test_.organisationId, first!.endpoint_id, CLI_ACTOR);
    await expect(endpoint({ eventTypes: ["call.answered"] })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(endpoint({ eventTypes: [] })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const { outbox } = test_.app.services;
    await test_.db.write((tx) =>
      outbox.publish(tx, { organisationId: test_.organisationId, type: "appointment.created", data: {} }),
    );
    expect(await deliveries()).toHaveLength(0);
    expect(await test_.db.reader.selectFrom("events").selectAll().execute()).toHaveLength(0);
  });

  test("a test event goes only to that endpoint and is marked as one", async () => {
    const { endpoint_id } = await endpoint();
    await endpoint({ url: "https://other.example/" });
    await test_.app.services.deliveries.sendTest(test_.organisationId, endpoint_id, CLI_ACTOR);
    await settleAll();
    expect(post.sent).toHaveLength(1);
    expect(post.sent[0]!.json).toMatchObject({ event_type: "call.initiated", data: { test: true } });
  });

  test("attempts are kept with status, duration and a response in which people and secrets are redacted", async () => {
    await endpoint();
    post.answer = () => answered(422, 'no: +919810012345 asha@example.org token=abc whsec_abc= {"password":"x1"}');
    await publish();
    await settleAll();
    const { delivery_id } = (await deliveries())[0]!;
    const [attempt] = await test_.app.services.deliveries.attempts(test_.organisationId, delivery_id, CLI_ACTOR);
    expect(attempt).toMatchObject({ status: 422, outcome: "refused", duration_ms: 5 });
    for (const secret of ["9810012345", "asha", "abc", "x1"]) expect(attempt!.response).not.toContain(secret);
  });

  test("an organisation cannot see or replay another's deliveries", async () => {
    await endpoint();
    await publish();
    await settleAll();
    const other = await test_.app.services.organisations.create({ name: "Other", timeZone: "Asia/Kolkata" }, CLI_ACTOR);
    const { delivery_id } = (await deliveries())[0]!;
    const { deliveries: service } = test_.app.services;
    expect(await service.list({ organisationId: other.id, limit: 10 })).toEqual([]);
    await expect(service.replay(other.id, delivery_id, CLI_ACTOR)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(service.inspect(other.id, delivery_id, CLI_ACTOR)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
