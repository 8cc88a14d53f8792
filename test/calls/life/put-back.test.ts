// A trunk fails before the phone rings: the call waits for the trunk instead of failing, and is dialled under the same
// id.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { putBackDelayMs } from "../../../src/calls/life/put-back.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/core/clock.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
  await hospital.subscribe();
  await hospital.app.start();
});
afterEach(() => hospital.close());

const eventsOf = async () => {
  const rows = await hospital.db.reader
    .selectFrom("events")
    .select("type")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ type }) => type);
};

test("calls that discover a dead trunk wait for it, and each is dialled once when it is back", async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, (_, i) => hospital.schedule({ user_number: `+9198765432${i}0` })),
  );
  await hospital.clock.advance(15 * SECOND_MS);
  expect(hospital.carrier.dialled).toHaveLength(5);
  hospital.carrier.trunkLines = () => ({ kind: "closed", reason: "trunk_unavailable", until: null });
  for (const id of ids) hospital.carrier.putBack(id);
  await settle();
  for (const id of ids)
    expect(await hospital.view(id)).toMatchObject({
      status: "queued",
      hold_reason: "trunk_unavailable",
      next_attempt_at: expect.any(String),
      call_triggered_at: null,
      error: null,
    });

  await hospital.clock.advance(10 * MINUTE_MS);
  expect(hospital.carrier.dialled).toHaveLength(5);
  hospital.carrier.trunkLines = () => ({ kind: "open", lines: 100 });
  await hospital.clock.advance(6 * MINUTE_MS);
  expect(
    hospital.carrier.dialled
      .slice(5)
      .map(({ callId }) => callId)
      .toSorted(),
  ).toEqual(ids.toSorted());
  for (const id of ids) hospital.carrier.talk(id);
  await settle();
  for (const id of ids) expect((await hospital.view(id)).status).toBe("completed");
});

test("the receiver gets one event for the start, and one for the end", async () => {
  const id = await hospital.dial();
  hospital.carrier.putBack(id);
  await hospital.clock.advance(30 * SECOND_MS);
  expect(hospital.carrier.dialled).toHaveLength(2);
  hospital.carrier.talk(id);
  await settle();
  expect(await eventsOf()).toEqual(["call.initiated", "call.completed"]);
  expect((await hospital.row(id)).event_sequence).toBe(2);
});

test("a call that rang is never redialled automatically", async () => {
  const id = await hospital.dial();
  hospital.carrier.ring(id);
  hospital.carrier.putBack(id);
  await hospital.clock.advance(10 * MINUTE_MS);
  expect(await hospital.view(id)).toMatchObject({ status: "failed", error: { code: "infrastructure_error" } });
  expect(hospital.carrier.dialled).toHaveLength(1);
});

test("a call that was put back can be cancelled", async () => {
  const id = await hospital.dial();
  hospital.carrier.putBack(id);
  await settle();
  const answer = await hospital.request("POST", `/v1/calls/${id}/cancel`);
  expect(answer.status).toBe(200);
  await hospital.clock.advance(10 * MINUTE_MS);
  expect(hospital.carrier.dialled).toHaveLength(1);
});

test("attempts become rarer the later the call is, but never stop", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000, max: 1e10 }), fc.integer({ min: 0, max: 1e9 }), (late, more) => {
      const delay = putBackDelayMs(late);
      expect(delay).toBeGreaterThanOrEqual(30 * SECOND_MS);
      expect(delay).toBeLessThanOrEqual(5 * MINUTE_MS);
      expect(putBackDelayMs(late + more)).toBeGreaterThanOrEqual(delay);
    }),
  );
});

describe("a campaign's call", () => {
  async function campaignCall(): Promise<{ campaign: string; call: string }> {
    const rows = [{ user_number: "+919876543210" }];
    const made = await hospital.request("POST", "/v1/campaigns", {
      key: await hospital.newKey(["campaigns:write"]),
      body: { name: "Recall", agent_id: hospital.agentId, rows },
    });
    expect(made.status).toBe(201);
    await hospital.clock.advance(MINUTE_MS);
    const [dialled] = hospital.carrier.dialled;
    return { campaign: made.json.data["campaign_id"]!, call: dialled!.callId };
  }
  const act = async (campaign: string, name: "pause" | "resume" | "stop") =>
    hospital.request("POST", `/v1/campaigns/${campaign}/${name}`, { key: await hospital.newKey(["campaigns:write"]) });

  test("waits like any other", async () => {
    const { call } = await campaignCall();
    hospital.carrier.putBack(call);
    await hospital.clock.advance(MINUTE_MS);
    expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([call, call]);
  });

  test("waits while the campaign is paused", async () => {
    const { campaign, call } = await campaignCall();
    await act(campaign, "pause");
    hospital.carrier.putBack(call);
    await hospital.clock.advance(10 * MINUTE_MS);
    expect(await hospital.row(call)).toMatchObject({ state: "queued", hold_reason: "campaign_paused" });
    await act(campaign, "resume");
    await hospital.clock.advance(MINUTE_MS);
    expect(hospital.carrier.dialled).toHaveLength(2);
  });

  test("is not dialled again after the campaign was stopped", async () => {
    const { campaign, call } = await campaignCall();
    await act(campaign, "stop");
    hospital.carrier.putBack(call);
    await hospital.clock.advance(10 * MINUTE_MS);
    expect((await hospital.row(call)).state).toBe("failed");
    expect(hospital.carrier.dialled).toHaveLength(1);
  });
});
