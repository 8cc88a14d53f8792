// Inbound calls from a trunk: the agent that answers, the outcome, and the events.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { ArrivalAnswer } from "../../support/fake-carrier.ts";
import { createHospital, type Hospital, type HospitalOptions } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

const OUR_NUMBER = "+911140001000";
const CALLER = "+919810012345";

let hospital: Hospital;
let trunkId: string;
let agentId: string;
let arrivals = 0;

async function open(options: HospitalOptions = {}): Promise<void> {
  hospital = await createHospital(options);
  const { agents, trunks } = hospital.app.services;
  const organisation = hospital.organisationId;
  trunkId = (await trunks.create(organisation, { name: "pbx", host: "192.0.2.1" }, CLI_ACTOR)).trunk_id;
  const agent = await agents.create(organisation, { type: "inbound", name: "Desk", greeting: "Hello." }, CLI_ACTOR);
  agentId = agent.agent_id;
  await agents.addNumber(organisation, { number: OUR_NUMBER, agentId, concurrentCalls: 2, trunkId }, CLI_ACTOR);
  await hospital.subscribe();
  await hospital.app.start();
}

beforeEach(() => open());
afterEach(() => hospital.close());

async function arrive(
  change: { from?: string; to?: string; trunkId?: string; isToAccount?: boolean } = {},
): Promise<ArrivalAnswer & { callId: string }> {
  const callId = `call_arrived_${arrivals++}`;
  const answer = hospital.carrier.arrive({
    callId,
    trunkId,
    from: CALLER,
    to: OUR_NUMBER,
    isToAccount: false,
    ...change,
  });
  await settle();
  return { ...answer, callId };
}

describe("a call to a registered extension", () => {
  const OTHER = "+911140001001";

  /** An outbound agent on the same trunk, as on every extension that works both ways. */
  async function addNumber(number: string, type: "inbound" | "outbound"): Promise<void> {
    const { agents } = hospital.app.services;
    const { organisationId } = hospital;
    const agent = await agents.create(organisationId, { type, name: number, greeting: "Hello." }, CLI_ACTOR);
    const wanted = { number, agentId: agent.agent_id, concurrentCalls: 2, trunkId };
    await agents.addNumber(organisationId, wanted, CLI_ACTOR);
  }
  const change = (fields: { username?: string; extensions?: string[] }) =>
    hospital.app.services.trunks.update(hospital.organisationId, trunkId, fields, CLI_ACTOR);
  const ward = { to: "ward", isToAccount: true };

  test("reaches the only inbound number of its trunk, by the account's name", async () => {
    await change({ username: "ward" });
    await addNumber(OTHER, "outbound");
    expect((await arrive(ward)).accepted).toMatchObject({ from: OUR_NUMBER });
    expect((await arrive({ to: "2001", isToAccount: true })).accepted).toMatchObject({ from: OUR_NUMBER });
    expect((await arrive({ to: "2001" })).rejected).toBe("unknown_number");
  });

  test("reaches no agent while two numbers match, until the trunk names one", async () => {
    await change({ username: "ward" });
    await addNumber(OTHER, "inbound");
    expect((await arrive(ward)).rejected).toBe("unknown_number");
    await change({ extensions: [`ward=${OTHER}`, `2001=${OUR_NUMBER}`] });
    expect((await arrive(ward)).accepted).toMatchObject({ from: OTHER });
    expect((await arrive({ to: "2001" })).accepted).toMatchObject({ from: OUR_NUMBER });
    expect((await arrive({ to: "2002" })).rejected).toBe("unknown_number");
    await change({ extensions: [`*=${OTHER}`] });
    expect((await arrive({ to: "2002" })).accepted).toMatchObject({ from: OTHER });
  });

  test("reaches no number of another trunk, whatever its own trunk names", async () => {
    await change({ extensions: [`2001=${OTHER}`] });
    const { agents, trunks } = hospital.app.services;
    const elsewhere = await trunks.create(hospital.organisationId, { name: "b", host: "192.0.2.2" }, CLI_ACTOR);
    const wanted = { number: OTHER, agentId, concurrentCalls: 1, trunkId: elsewhere.trunk_id };
    await agents.addNumber(hospital.organisationId, wanted, CLI_ACTOR);
    expect((await arrive({ to: "2001" })).rejected).toBe("unknown_number");
  });
});

describe("a call to a number of an inbound agent", () => {
  test("is answered by that agent and stored as inbound", async () => {
    const { accepted, callId } = await arrive();
    expect(accepted).toMatchObject({
      callId,
      trunkId,
      from: OUR_NUMBER,
      to: CALLER,
      brief: { agentName: "Desk", greeting: "Hello." },
    });
    expect(await hospital.view(callId)).toMatchObject({
      status: "ringing",
      call_direction: "inbound",
      call_from: CALLER,
      call_to: null,
      agent_id: agentId,
    });
  });

  test.each([
    ["of its caller", "+12125550142", "us", "NY", ["America/New_York"], "2026-11-15T01:00"],
    ["of our number, where the caller's is not known", "anonymous", "in", null, ["Asia/Kolkata"], "2026-11-15T11:30"],
  ])("has the rules %s in its basis", async (_, from, country, region, zones, localTime) => {
    const { callId } = await arrive({ from });
    expect(await hospital.basis(callId)).toEqual({
      rules: expect.stringMatching(new RegExp(String.raw`^${country}-\d{4}\.\d{2}$`)) as string,
      isEnforced: false,
      purpose: "service",
      region,
      zones,
      localTime,
      counts: { day: 0, week: 0, perDay: null, perWeek: null, isExempt: true },
      consentId: null,
      question: null,
      recording: "announce",
    });
  });

  test("fires call.initiated when it arrives and call.completed when it ends", async () => {
    const { callId } = await arrive();
    hospital.carrier.answer(callId);
    hospital.carrier.complete(callId);
    await settle();
    const events = await hospital.eventsOf(callId);
    expect(events.map(({ type }) => type)).toEqual(["call.initiated", "call.completed"]);
    for (const { parsed } of events) {
      expect(parsed).toMatchObject({ call_direction: "inbound", call_from: CALLER, call_to: null });
    }
    expect(events.map(({ parsed }) => parsed.sequence)).toEqual([1, 2]);
  });

  test("in which the caller wants no more calls puts the number on the list, at once and once", async () => {
    const { accepted, callId } = await arrive();
    expect(accepted?.brief.isCallerKnown).toBeTrue();
    hospital.carrier.answer(callId);
    await settle();
    await hospital.carrier.agree(callId, { optOut: true, callbackInMinutes: 5 });
    await settle();
    const listed = () =>
      hospital.db.reader.selectFrom("do_not_disturb").select(["number", "source", "call_id"]).execute();
    expect(await listed()).toEqual([{ number: CALLER, source: "call", call_id: callId }]);
    hospital.carrier.complete(callId, { optOut: true, callbackInMinutes: 5 });
    await settle();
    expect(await listed()).toHaveLength(1);
    expect(await hospital.view(callId)).toMatchObject({ status: "completed", scheduled_call_id: null });
  });

  test("in which the caller wants no more calls counts at its end, too", async () => {
    const { callId } = await arrive();
    hospital.carrier.answer(callId);
    const consent = { purpose: "service", isGiven: true } as const;
    hospital.carrier.complete(callId, { optOut: true, consent });
    await settle();
    expect(await hospital.db.reader.selectFrom("do_not_disturb").select("number").execute()).toEqual([
      { number: CALLER },
    ]);
    expect(await hospital.app.services.consents.ofNumber(hospital.organisationId, CALLER)).toEqual([]);
  });

  test("from a withheld number puts nothing on the list, and agrees to nothing", async () => {
    const { accepted, callId } = await arrive({ from: "anonymous" });
    expect(accepted?.brief.isCallerKnown).toBeUndefined();
    hospital.carrier.answer(callId);
    const consent = { purpose: "service", isGiven: true } as const;
    hospital.carrier.complete(callId, { optOut: true, consent });
    await settle();
    expect(await hospital.db.reader.selectFrom("do_not_disturb").select("number").execute()).toEqual([]);
  });

  test("abandoned by the caller is stored as not answered, without a callback", async () => {
    const { callId } = await arrive();
    hospital.carrier.fail(callId, "no_answer");
    await settle();
    expect(await hospital.view(callId)).toMatchObject({
      status: "failed",
      error: { code: "no_answer" },
      scheduled_call_id: null,
    });
  });

  test("that ends while it is being stored does not stay live", async () => {
    const callId = "call_arrived_brief";
    hospital.carrier.arrive({ callId, trunkId, from: CALLER, to: OUR_NUMBER, isToAccount: false });
    hospital.carrier.fail(callId, "no_answer");
    await settle();
    expect((await hospital.view(callId)).status).toBe("failed");
  });

  test("finds the number in any notation of the trunk, and the caller in E.164", async () => {
    const { callId } = await arrive({ to: "01140001000", from: "09810012345" });
    expect((await hospital.view(callId)).call_from).toBe(CALLER);
  });

  test("is given no appointment, because a caller id can be forged", async () => {
    const { appointments, windows } = hospital.app.services;
    const organisation = hospital.organisationId;
    const branch_id = "0190a1b2-0000-7000-8000-00000000000b";
    const window = await windows.create(
      organisation,
      { branch_id, day: "monday", session: "Morning", ai_slots: 1 },
      CLI_ACTOR,
    );
    const slot_id = `${window.calendar_id}||2026-11-16`;
    await appointments.create(organisation, { slot_id, contact_number: CALLER }, "api", CLI_ACTOR);
    const { accepted } = await arrive();
    expect(await accepted!.desk!.appointment()).toBeNull();
    expect(await accepted!.desk!.confirm()).toBe(false);
  });

  test("counts against the number's lines, and the third on two lines is busy", async () => {
    await arrive({ from: "+919810000001" });
    await arrive({ from: "+919810000002" });
    expect(await arrive({ from: "+919810000003" })).toMatchObject({ accepted: null, rejected: "no_line" });
  });

  test("is charged like every other, and needs credits", async () => {
    await hospital.app.services.credits.grant(hospital.organisationId, -1_000, CLI_ACTOR).catch(() => {});
    await hospital.db.write(async (tx) => {
      await tx.updateTable("organisations").set({ credit_balance: 0, unlimited_credits: 0 }).execute();
    });
    expect((await arrive()).rejected).toBe("no_line");
  });
});

describe("a call that is rejected", () => {
  test("to an unassigned number is unknown, and leaves nothing behind", async () => {
    const { rejected, callId } = await arrive({ to: "+911140009999" });
    expect(rejected).toBe("unknown_number");
    expect((await hospital.request("GET", `/v1/calls/${callId}`)).status).toBe(404);
  });

  test("over a trunk other than the number's is unknown: one hospital cannot call into another", async () => {
    expect((await arrive({ trunkId: "trk_other" })).rejected).toBe("unknown_number");
  });

  test("to a number of an outbound agent is unknown", async () => {
    await hospital.app.services.agents.assignNumber(hospital.organisationId, OUR_NUMBER, hospital.agentId, CLI_ACTOR);
    expect((await arrive()).rejected).toBe("unknown_number");
  });

  test("to a number without an agent is unknown", async () => {
    await hospital.app.services.agents.assignNumber(hospital.organisationId, OUR_NUMBER, null, CLI_ACTOR);
    expect((await arrive()).rejected).toBe("unknown_number");
  });
});

test("after a crash an inbound call in progress is interrupted", async () => {
  const { callId } = await arrive();
  await hospital.app.stop().catch(() => {});
  // The fake carrier ends live calls when it is stopped, as a real one does.
  expect(hospital.carrier.live.has(callId)).toBe(false);
});

test("a call stored by an attempt whose answer was lost is still answered, and stored once", async () => {
  const first = await arrive();
  const known = { callId: first.callId, trunkId, from: CALLER, to: OUR_NUMBER, isToAccount: false };
  const row = await hospital.row(first.callId);
  const events = await hospital.eventsOf(first.callId);
  const again = hospital.carrier.arrive(known);
  await settle();
  expect(again.rejected).toBeNull();
  expect(again.accepted?.callId).toBe(first.callId);
  expect(await hospital.row(first.callId)).toEqual(row);
  expect(await hospital.eventsOf(first.callId)).toEqual(events);
});
