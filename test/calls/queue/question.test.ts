// The question before a call: the organisation's own system lets it go out, delays or drops it.
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/clock.ts";
import type { PostResult } from "../../../src/events/safe-post/safe-post.ts";
import { answered, createFakePost, type FakePost } from "../../support/fake-post.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital, type HospitalOptions } from "../../support/hospital.ts";

const URL = "https://his.example/before-call";

let hospital: Hospital;
let his: FakePost;
afterEach(() => hospital.close());

const says = (body: unknown): PostResult => answered(200, JSON.stringify(body));

async function open(fails: "open" | "closed" = "closed", options: HospitalOptions = {}): Promise<void> {
  his = createFakePost(() => hospital.clock.now());
  his.answer = () => says({ answer: "go" });
  hospital = await createHospital({ safePost: his, ...options });
  await hospital.app.services.question.set(hospital.organisationId, { url: URL, fails }, CLI_ACTOR);
  await hospital.app.start();
}
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const due = () => hospital.clock.advance(DIAL_DELAY_MS);
const basisOf = async (id: string) => (await hospital.basis(id))?.question;
const number = (i: number) => `+9198100${String(i).padStart(5, "0")}`;

describe("the question before a call", () => {
  test("is asked once, signed, and the call goes out on go", async () => {
    await open();
    const id = await hospital.schedule({ user_name: "Asha Rao" });
    await due();
    expect(dialled()).toEqual([id]);
    expect(his.sent).toHaveLength(1);
    const [{ url, timeoutMs, headers, json, body }] = his.sent as [(typeof his.sent)[number]];
    expect([url, timeoutMs]).toEqual([URL, 2_000]);
    expect(headers["webhook-signature"]).toMatch(/^v1,/);
    expect(headers["x-webhook-signature"]).toMatch(/^v1=/);
    expect(json.data).toEqual({
      call_id: id,
      agent_id: hospital.agentId,
      purpose: "service",
      user_number: "+919810012345",
      scheduled_at: expect.any(String),
      attempt: 1,
    });
    expect(String(body)).not.toContain("Asha Rao");
    expect(await basisOf(id)).toEqual({ answer: "go", at: expect.any(String) });
  });

  test("delays a call until the given time, and is then asked again", async () => {
    await open();
    const until = () => new Date(hospital.clock.now() + HOUR_MS).toISOString();
    his.answer = () => says({ answer: "wait", until: until() });
    const id = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([]);
    expect((await hospital.view(id)).hold_reason).toBe("asked_to_wait");
    his.answer = () => says({ answer: "go" });
    await hospital.clock.advance(59 * MINUTE_MS);
    expect(his.sent).toHaveLength(1);
    await hospital.clock.advance(MINUTE_MS);
    expect([his.sent.length, dialled()]).toEqual([2, [id]]);
  });

  test("drops a call, with the given reason", async () => {
    await open();
    await hospital.subscribe();
    his.answer = ({ json }) => ("question_id" in json ? says({ answer: "drop", reason: "deceased" }) : answered(204));
    const id = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([]);
    const row = await hospital.row(id);
    expect([row.state, row.error_code, row.error_message]).toEqual(["disallowed", "dropped_by_hospital", "deceased"]);
    expect(await basisOf(id)).toEqual({ answer: "drop", at: expect.any(String) });
    const events = await hospital.eventsOf(id);
    expect(events.at(-1)?.parsed).toMatchObject({ status: "disallowed" });
  });

  test.each([
    ["an error", () => answered(500)],
    ["no JSON", () => answered(200, "<html>")],
    ["a timeout", (): PostResult => ({ kind: "timeout", detail: "No answer came in time.", durationMs: 2_000 })],
    ["a refused address", (): PostResult => ({ kind: "blocked", detail: "10.0.0.1 is private.", durationMs: 1 })],
  ])("after %s lets the call go out if it fails open", async (_, answer) => {
    await open("open");
    his.answer = answer;
    const id = await hospital.schedule();
    await due();
    expect([his.sent.length, dialled()]).toEqual([1, [id]]);
    expect(await basisOf(id)).toMatchObject({ answer: "failed_open" });
  });

  test("holds the call if it fails closed, and is asked again with growing pauses", async () => {
    await open("closed");
    his.answer = () => answered(500);
    const id = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([]);
    expect((await hospital.view(id)).hold_reason).toBe("question_unanswered");
    await hospital.clock.advance(10 * MINUTE_MS);
    const times = his.sent.map(({ at }) => at);
    const pauses = times.slice(1).map((at, i) => Math.round((at - times[i]!) / SECOND_MS));
    expect(pauses).toEqual([30, 30, 60, 120, 240]);
    his.answer = () => says({ answer: "go" });
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialled()).toEqual([id]);
  });

  test("that stays unanswered for an hour makes the call overdue", async () => {
    await open("closed");
    his.answer = () => answered(500);
    const id = await hospital.schedule();
    await due();
    await hospital.clock.advance(70 * MINUTE_MS);
    expect((await hospital.view(id)).hold_reason).toBe("overdue");
    const asked = his.sent.length;
    await hospital.clock.advance(HOUR_MS);
    expect(his.sent.length).toBe(asked);
  });

  test("whose secret cannot be opened is tried with growing pauses, without a loop", async () => {
    await open();
    await hospital.db.write((tx) => tx.updateTable("call_questions").set({ sealed_secret: "v1:broken" }).execute());
    const writes = spyOn(hospital.db, "write");
    await hospital.clock.advance(MINUTE_MS);
    // Jobs of every minute write too.
    const usual = writes.mock.calls.length;
    const id = await hospital.schedule();
    writes.mockClear();
    const questions = spyOn(hospital.app.services.secrets, "open");
    await due();
    expect((await hospital.row(id)).hold_reason).toBe("question_unanswered");
    await hospital.clock.advance(MINUTE_MS);
    expect(questions.mock.calls.length).toBeLessThanOrEqual(3);
    expect(writes.mock.calls.length - usual).toBeLessThanOrEqual(20);
    expect([his.sent, dialled()]).toEqual([[], []]);
  });

  test("whose secret cannot be opened lets calls go out if it fails open", async () => {
    await open("open");
    await hospital.db.write((tx) => tx.updateTable("call_questions").set({ sealed_secret: "v1:broken" }).execute());
    const id = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([id]);
    expect(await basisOf(id)).toEqual({ answer: "failed_open", at: expect.any(String) });
  });

  test("is not asked while another rule holds the call, and not by other organisations", async () => {
    await open("closed", { numberLines: 1 });
    const other = await hospital.neighbour();
    const [first, second] = [await hospital.schedule(), await hospital.schedule({ user_number: number(2) })];
    const theirs = await hospital.post({ agent_id: other.agentId }, { key: other.key });
    await due();
    expect(theirs.status).toBe(201);
    expect(his.sent.map(({ json }) => json.data["call_id"])).toEqual([first]);
    expect((await hospital.view(second)).hold_reason).toBe("number_lines_busy");
    expect(dialled()).toHaveLength(2);
  });

  test("does not hold up other calls, and asks about no more calls than have lines", async () => {
    await open("closed", { carrierLines: 5, settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" } });
    const waiting: ((result: PostResult) => void)[] = [];
    his.answer = () => new Promise((resolve) => waiting.push(resolve));
    for (let i = 0; i < 12; i++) await hospital.schedule({ user_number: number(i) });
    await due();
    expect([his.sent.length, dialled().length]).toEqual([5, 0]);
    const own = await hospital.row(String(his.sent[0]?.json.data["call_id"]));
    expect(own.hold_reason).toBe("question_pending");
    for (const resolve of waiting.splice(0)) resolve(says({ answer: "go" }));
    await hospital.clock.advance(1);
    // The questions leave in any order: each reads the address first.
    const asked = his.sent.slice(0, 5).map(({ json }) => String(json.data["call_id"]));
    expect(dialled().toSorted()).toEqual(asked.toSorted());
  });

  test("goes out to at most 20 calls at once, and every call gets its answer", async () => {
    await open("closed", { settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" } });
    let underWay = 0;
    let most = 0;
    his.answer = async () => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
      return says({ answer: "go" });
    };
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push(await hospital.schedule({ user_number: number(i) }));
    await due();
    await hospital.clock.advance(1_000);
    expect(dialled().toSorted()).toEqual(ids.toSorted());
    expect(his.sent).toHaveLength(60);
    expect(most).toBeLessThanOrEqual(20);
  });

  test("is asked when the line is free, not when the call is due", async () => {
    await open("closed", { carrierLines: 1 });
    const first = await hospital.schedule();
    await due();
    expect(dialled()).toEqual([first]);
    const second = await hospital.schedule({ user_number: number(2) });
    await due();
    expect(his.sent).toHaveLength(1);
    hospital.carrier.talk(first);
    await hospital.clock.advance(5_000);
    expect([his.sent.length, dialled()]).toEqual([2, [first, second]]);
  });

  test("ends with its removal; waiting calls go out", async () => {
    await open("closed");
    his.answer = () => answered(500);
    const id = await hospital.schedule();
    await due();
    await hospital.app.services.question.remove(hospital.organisationId, CLI_ACTOR);
    await hospital.clock.advance(30_000);
    expect(dialled()).toEqual([id]);
  });
});
