// A clock that jumps: nothing is dialled and nothing expires because of it, and everything continues when it is trusted
// again.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/clock.ts";
import { confirmBelieved } from "../../../src/scheduler/clock-store.ts";
import { askDashboard, signedIn } from "../../support/dashboard.ts";
import { answered, createFakePost } from "../../support/fake-post.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../../support/hospital.ts";
import { createTestApp } from "../../support/test-app.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({
    settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" },
    agent: { retry_attempts: 1, retry_minutes: 10, retry_outcomes: ["no_answer"] },
  });
  await hospital.app.start();
  await hospital.clock.advance(MINUTE_MS);
});
afterEach(() => hospital.close());

const number = (i: number) => `+9198100${String(i).padStart(5, "0")}`;
const inMinutes = (minutes: number) => new Date(hospital.clock.now() + minutes * MINUTE_MS).toISOString();
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const dueAt = async (id: string) => (await hospital.row(id)).scheduled_at;
const holds = (ids: string[]) => Promise.all(ids.map(async (id) => (await hospital.view(id)).hold_reason));
/** As "ringward clock confirm" does. */
const confirm = () => hospital.db.write((tx) => confirmBelieved(tx, hospital.clock.now(), null));
const notes = async () =>
  (await hospital.request("GET", "/readyz", { key: null })).json["notes"] as unknown as { clock?: string };

async function nextHour(): Promise<string[]> {
  const ids: string[] = [];
  for (const minutes of [10, 20, 30, 40, 50]) {
    ids.push(await hospital.schedule({ user_number: number(minutes), scheduled_time: inMinutes(minutes) }));
  }
  return ids;
}

async function startCampaign(changes: object = {}): Promise<string> {
  const rows = Array.from({ length: 12 }, (_, i) => ({ user_number: number(200 + i) }));
  const body = { name: "Recall", agent_id: hospital.agentId, rows, calls_per_minute: 6, ...changes };
  const { status, json } = await hospital.request("POST", "/v1/campaigns", { body });
  expect(status).toBe(201);
  return json.data["campaign_id"]!;
}

describe("a clock 65 minutes ahead", () => {
  test("dials none of the calls of the next hour, says why, and dials each at its own time once it is right", async () => {
    const ids = await nextHour();
    hospital.clock.jump(65 * MINUTE_MS);
    await hospital.clock.advance(3 * MINUTE_MS);
    expect(dialled()).toEqual([]);
    expect(await holds(ids)).toEqual(Array.from(ids, () => "clock_not_trusted"));
    const listed = (await hospital.request("GET", "/v1/calls")).json.data as unknown as { hold_reason: string }[];
    expect(listed.map(({ hold_reason }) => hold_reason)).toEqual(Array.from(ids, () => "clock_not_trusted"));
    const body = { agent_id: hospital.agentId, user_number: number(1) };
    const dry = await hospital.request("POST", "/v1/calls?dry_run=true", { body });
    expect(JSON.stringify(dry.json.data)).toContain("clock_not_trusted");
    expect((await notes()).clock).toContain("shows 65 min more than expected. No call goes out");

    hospital.clock.jump(-65 * MINUTE_MS);
    await hospital.clock.advance(2 * SECOND_MS);
    expect(await holds(ids)).toEqual(Array.from(ids, () => null));
    expect((await notes()).clock).toBeUndefined();
    await hospital.clock.advance(20 * MINUTE_MS);
    expect(dialled()).toEqual(ids.slice(0, 2));
  });

  test("dials them within 30 s once it is confirmed", async () => {
    const ids = await nextHour();
    hospital.clock.jump(65 * MINUTE_MS);
    await hospital.clock.advance(MINUTE_MS);
    await confirm();
    await hospital.clock.advance(31 * SECOND_MS);
    expect(dialled().toSorted()).toEqual(ids.toSorted());
  });

  test("dials calls created during the doubt, however far the confirmed clock is ahead", async () => {
    const late = await hospital.schedule({ user_number: number(1) });
    await hospital.clock.advance(SECOND_MS);
    hospital.clock.jump(7 * DAY_MS);
    await hospital.clock.advance(20 * MINUTE_MS);
    const askedAt = hospital.clock.now() - 7 * DAY_MS;
    const early = await hospital.schedule({ user_number: number(2) });
    const chosen = await hospital.schedule({ user_number: number(3), scheduled_time: inMinutes(5 - 7 * 24 * 60) });
    await hospital.clock.advance(20 * MINUTE_MS);
    await confirm();
    // A running server resumes within 30 s, and schedules calls by its own time until then.
    const afterConfirm = await hospital.schedule({ user_number: number(4) });
    for (let step = 0; step < 4; step++) await hospital.clock.advance(15 * SECOND_MS);
    expect(dialled()).toEqual([early, afterConfirm]);
    // A call due before the jump, and one at a chosen time, are a week late by the confirmed clock.
    expect(await holds([late, chosen])).toEqual(["overdue", "overdue"]);
    expect(await dueAt(early)).toBe(askedAt + 7 * DAY_MS + DIAL_DELAY_MS);
  });

  test("holds calls created during a doubt that lasted longer than the lateness limit", async () => {
    hospital.clock.jump(7 * DAY_MS);
    const forgotten = await hospital.schedule({ user_number: number(1) });
    await hospital.clock.leap(2 * HOUR_MS);
    const fresh = await hospital.schedule({ user_number: number(2) });
    await confirm();
    await hospital.clock.advance(MINUTE_MS);
    expect(dialled()).toEqual([fresh]);
    expect(await holds([forgotten])).toEqual(["overdue"]);
  });

  test("replays an idempotency key that was used before the clock was confirmed", async () => {
    const once = (key: string) => hospital.post({}, { headers: { "idempotency-key": key } });
    const before = await once("before the jump");
    hospital.clock.jump(7 * DAY_MS);
    const meanwhile = await once("during the doubt");
    await confirm();
    await hospital.clock.advance(MINUTE_MS);
    for (const [key, first] of [["before the jump", before] as const, ["during the doubt", meanwhile] as const]) {
      expect((await once(key)).json.data["call_id"]).toBe(first.json.data["call_id"]);
    }
    const keys = await hospital.db.reader.selectFrom("idempotency_keys").select("expires_at").execute();
    for (const { expires_at } of keys) expect(expires_at - hospital.clock.now()).toBe(24 * HOUR_MS - MINUTE_MS);
  });

  test("holds a call that is due by elapsed time, and releases it when the clock is right", async () => {
    const id = await hospital.schedule();
    hospital.clock.jump(65 * MINUTE_MS);
    await hospital.clock.advance(DIAL_DELAY_MS + MINUTE_MS);
    expect([dialled(), await holds([id])]).toEqual([[], ["clock_not_trusted"]]);
    hospital.clock.jump(-65 * MINUTE_MS);
    await hospital.clock.advance(30 * SECOND_MS);
    expect(dialled()).toEqual([id]);
  });
});

describe("a clock a week off", () => {
  test.each([
    ["ahead", 7 * DAY_MS],
    ["behind", -7 * DAY_MS],
  ])("%s: a running campaign waits, and continues when the clock returns", async (_, ms) => {
    await startCampaign();
    await hospital.clock.advance(30 * SECOND_MS);
    const before = dialled().length;
    expect(before).toBeGreaterThan(0);
    hospital.clock.jump(ms);
    await hospital.clock.advance(10 * MINUTE_MS);
    expect(dialled()).toHaveLength(before);
    hospital.clock.jump(-ms);
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialled()).toHaveLength(12);
  });

  test("ahead and trusted for a while: calls planned meanwhile continue when the right clock is confirmed", async () => {
    hospital.clock.jump(7 * DAY_MS);
    await confirm();
    await hospital.clock.advance(MINUTE_MS);
    await startCampaign({ retry: { no_answer: { attempts: 1, minutes: 5 } } });
    await hospital.clock.advance(20 * SECOND_MS);
    const alone = await hospital.dial({ user_number: number(1) });
    const waiting = await hospital.schedule({ user_number: number(1) });
    const wished = await hospital.schedule({ user_number: number(3), scheduled_time: inMinutes(7 * 24 * 60) });
    await hospital.clock.advance(20 * SECOND_MS);
    for (const callId of hospital.carrier.live) if (callId !== alone) hospital.carrier.fail(callId, "no_answer");
    hospital.carrier.fail(alone, "no_answer");
    const before = dialled().length;

    hospital.clock.jump(-7 * DAY_MS);
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialled()).toHaveLength(before);
    await confirm();
    const confirmedAt = hospital.clock.now();
    await hospital.clock.advance(15 * MINUTE_MS);
    const campaignCalls = hospital.carrier.dialled.filter(({ to }) => to.startsWith("+9198100002"));
    expect(new Set(campaignCalls.map(({ to }) => to)).size).toBe(12);
    // Contacts who did not answer are called again.
    expect(campaignCalls.length).toBeGreaterThan(12);
    const retries = await hospital.db.reader.selectFrom("calls").selectAll().where("source", "=", "retry").execute();
    expect(retries.map(({ contact_number }) => contact_number)).toEqual([number(1)]);
    // Its ten minutes begin when the confirmation is noticed, within 30 seconds.
    const afterMs = (retries[0]?.scheduled_at ?? 0) - confirmedAt;
    expect(afterMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(afterMs).toBeLessThanOrEqual(10 * MINUTE_MS + 30 * SECOND_MS);
    expect(dialled()).toContain(waiting);
    // A time chosen by a person stays.
    expect(dialled()).not.toContain(wished);
  });

  test("ahead: a retry waits for its own delay", async () => {
    const id = await hospital.dial();
    hospital.carrier.fail(id, "no_answer");
    await hospital.clock.advance(SECOND_MS);
    hospital.clock.jump(7 * DAY_MS);
    await hospital.clock.advance(MINUTE_MS);
    hospital.clock.jump(-7 * DAY_MS);
    await hospital.clock.advance(8 * MINUTE_MS);
    expect(dialled()).toEqual([id]);
    await hospital.clock.advance(2 * MINUTE_MS);
    expect(dialled()).toHaveLength(2);
  });

  test("ahead: idempotency keys and sessions stay valid", async () => {
    const { app, organisationId } = hospital;
    const { cookie } = await signedIn(app, organisationId, "viewer");
    const again = () => hospital.post({}, { headers: { "idempotency-key": "one" } });
    const first = await again();
    hospital.clock.jump(7 * DAY_MS);
    await hospital.clock.leap(HOUR_MS);
    const second = await again();
    expect([second.status, second.json.data["call_id"]]).toEqual([201, first.json.data["call_id"]]);
    expect((await askDashboard(app, "GET", "/dashboard/api/calls", { cookie })).status).toBe(200);
  });
});

test("GET /readyz confirms no clock and erases nothing, in the first minutes of a database as later", async () => {
  const strict = await createHospital({ settings: { RINGWARD_RETENTION__DAYS: "30" } });
  await strict.app.start();
  const id = await strict.dial();
  strict.carrier.talk(id);
  await strict.clock.advance(MINUTE_MS);
  strict.clock.jump(40 * DAY_MS);
  for (let minutes = 0; minutes < 130; minutes += 5) {
    await strict.request("GET", "/readyz", { key: null });
    await strict.clock.advance(5 * MINUTE_MS);
  }
  expect((await strict.request("GET", "/readyz", { key: null })).text).toContain("40 days more than expected");
  expect((await strict.request("GET", `/v1/calls/${id}`)).status).toBe(200);
  await strict.close();
});

test("no delivery is exhausted and no endpoint is disabled by an untrusted clock", async () => {
  const post = createFakePost(() => test_.clock.now());
  post.answer = () => answered(401);
  const test_ = await createTestApp({ safePost: post });
  await test_.app.start();
  const { endpoints, outbox, deliveries } = test_.app.services;
  const input = { url: "https://receiver.example/hook", eventTypes: ["slot.updated" as const] };
  await endpoints.create(test_.organisationId, input, CLI_ACTOR);
  test_.clock.jump(2 * HOUR_MS);
  const event = { organisationId: test_.organisationId, type: "slot.updated" as const, data: { some: "thing" } };
  await test_.db.write((tx) => outbox.publish(tx, event));
  for (let minutes = 0; minutes < 8 * 60; minutes += 10) await test_.clock.leap(10 * MINUTE_MS, MINUTE_MS);
  const [delivery] = await deliveries.list({ organisationId: test_.organisationId, limit: 10 });
  expect(delivery).toMatchObject({ state: "pending", attempts: 4 });
  expect(post.sent.length).toBeGreaterThan(5);
  test_.clock.jump(-2 * HOUR_MS);
  await test_.clock.leap(HOUR_MS + MINUTE_MS);
  const [after] = await deliveries.list({ organisationId: test_.organisationId, limit: 10 });
  expect(after).toMatchObject({ state: "exhausted", attempts: 5 });
  await test_.close();
});
