// Calls that a trunk rejects, challenges, lets ring or ends early: state, error and events, against SIPp.
import { beforeAll, describe, expect } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { callIn, commandJson, finished, place, readCall, type Call } from "../support/calls.ts";
import type { ProofRecord } from "../../src/rules/proof/record.ts";
import { dashboardOf, type DashboardVisit } from "../support/dashboard-visit.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { newPatient, sipHospital, type LineOptions, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";
import { startSipp, testWithSipp as test, type SippOptions } from "../telephony/sip/sipp/sipp.ts";

leaveNothingBehind();
closeReceivers();

const RING_TIMEOUT_SECONDS = 5;
const ACCOUNT = { username: "ward", secret: "s3cret" };
/** Each uses its own trunk, so no trunk is suspended because of other cases. */
const CASES = ["refused", "silent", "challenged", "early", "hungUp", "proven"] as const;

let hospital: SipHospital;
let server: Running;
let receiver: Receiver;
let owner: DashboardVisit;
const lines = new Map<string, SipLine & { port: number }>();

beforeAll(async () => {
  if (Bun.which("sipp") === null) return;
  hospital = await sipHospital();
  for (const name of CASES) {
    const port = freeSipPort();
    const options: LineOptions = { port, ...(name === "challenged" ? { account: ACCOUNT } : {}) };
    lines.set(name, { port, ...(await hospital.addLine(options)) });
  }
  receiver = startReceiver();
  const endpoint = ["endpoints", "create", "--url", receiver.url, "--data", hospital.dataDir];
  expect((await runBinary(endpoint, { env: receiver.env })).code).toBe(0);
  server = await hospital.start({
    ...receiver.env,
    RINGWARD_TELEPHONY__SIP__RING_TIMEOUT_SECONDS: String(RING_TIMEOUT_SECONDS),
  });
  owner = await dashboardOf(server);
}, 180_000);

/** SIPp at the other end of a line, and a call to it in progress. */
async function callTo(name: (typeof CASES)[number], scenario: string, options: SippOptions = {}) {
  const { port, agentId } = lines.get(name)!;
  const sipp = await startSipp(scenario, { port, ...options });
  const callId = await place(server, { agent_id: agentId, user_number: newPatient() });
  return { sipp, callId };
}

async function eventsOf(callId: string, count: number): Promise<string[]> {
  const come = () => receiver.received.filter(({ json }) => json.data["call_id"] === callId);
  await until(() => come().length >= count, { withinMs: 60_000, what: () => `${come().length} of ${count} events` });
  return come().map(({ json }) => json.event_type);
}

async function expectFailed(call: Call, code: string): Promise<void> {
  expect(call).toMatchObject({
    status: "failed",
    error: { code, message: expect.stringMatching(/\S/) },
    call_recording: null,
    credits_consumed: null,
  });
  expect(await eventsOf(call.call_id, 2)).toEqual(["call.initiated", "call.failed"]);
}

describe("a rejection", () => {
  test.each([
    ["486 Busy Here", "busy"],
    ["404 Not Found", "invalid_number"],
    ["603 Decline", "rejected"],
    ["488 Not Acceptable Here", "carrier_error"],
  ])(
    "%s is %s",
    async (status, code) => {
      const { sipp, callId } = await callTo("refused", "refuse", { words: { status } });
      await expectFailed(await finished(server, callId), code);
      await sipp.finished();
    },
    15_000,
  );

  test("a test number of the simulator is dialled like any other, and the simulated callee's texts are ignored", async () => {
    const { port, agentId } = lines.get("refused")!;
    const sipp = await startSipp("refuse", { port, words: { status: "486 Busy Here" } });
    const user_number = `${newPatient().slice(0, -4)}0012`;
    const additional_info = { simulated_callee_says: "no list at all" };
    const callId = await place(server, { agent_id: agentId, user_number, additional_info });
    await expectFailed(await finished(server, callId), "busy");
    expect((await readCall(server, callId)).additional_info).toEqual(additional_info);
    await sipp.finished();
  }, 180_000);

  test("503 before ringing says nothing about the callee: the call waits for the trunk, and no end is delivered", async () => {
    const words = { status: "503 Service Unavailable" };
    const { sipp, callId } = await callTo("refused", "refuse", { words });
    await sipp.finished();
    await until(async () => (await readCall(server, callId)).status === "queued");
    expect(await readCall(server, callId)).toMatchObject({ hold_reason: "trunk_unavailable", error: null });
    expect(await eventsOf(callId, 1)).toEqual(["call.initiated"]);
    expect((await ask(server, "POST", `/v1/calls/${callId}/cancel`)).status).toBe(200);
  }, 180_000);
});

describe("no answer", () => {
  test("a telephone that rings too long gets a CANCEL", async () => {
    const { sipp, callId } = await callTo("silent", "no-answer");
    expect((await callIn(server, callId, ["ringing"])).call_triggered_at).not.toBeNull();
    await expectFailed(await finished(server, callId), "no_answer");
    await sipp.finished();
  }, 180_000);

  test("hung up from the dashboard while ringing: CANCEL, and the call did not take place", async () => {
    const { sipp, callId } = await callTo("hungUp", "no-answer");
    await callIn(server, callId, ["ringing"]);
    await owner.hangUp(callId);
    await expectFailed(await finished(server, callId), "interrupted");
    // Returns only after SIPp saw the CANCEL and the ACK of its 487.
    await sipp.finished();
  }, 180_000);
});

describe("an answer", () => {
  test("after a 407 challenge; hung up from the dashboard, SIPp gets its BYE", async () => {
    const { sipp, callId } = await callTo("challenged", "proxy-challenge");
    await callIn(server, callId, ["in_progress"]);
    await owner.hangUp(callId);
    expect(await finished(server, callId)).toMatchObject({ status: "completed", error: null });
    await sipp.finished();
    expect(await eventsOf(callId, 2)).toEqual(["call.initiated", "call.completed"]);
  }, 180_000);

  test("that is hung up immediately is a call that took place, ended by the customer", async () => {
    const { sipp, callId } = await callTo("early", "answer-then-hang-up");
    await sipp.finished();
    const call = await finished(server, callId);
    expect(call).toMatchObject({ status: "completed", call_analytics: { disposition: "ended_by_customer" } });
    expect(call.call_duration_seconds).toBeLessThan(30);
    expect((await readCall(server, callId)).status).toBe("completed");
  }, 180_000);
});

describe("the proof of a call", () => {
  let number: string;
  let consentId: string;
  beforeAll(async () => {
    if (Bun.which("sipp") === null) return;
    number = newPatient();
    const grant = ["consents", "grant", number, "--purpose", "service", "--basis", "written", "--json"];
    ({ consent_id: consentId } = await commandJson<{ consent_id: string }>(server, ...grant));
    receiver.answer = ({ json }) =>
      "question_id" in json ? Response.json({ answer: "go" }) : new Response(null, { status: 204 });
    const question = ["question", "set", "--url", receiver.url, "--fails", "closed", "--data", hospital.dataDir];
    expect((await runBinary(question, { env: receiver.env })).code).toBe(0);
  });

  async function proofOf(callId: string): Promise<ProofRecord> {
    let text = "";
    const isSealed = async () => {
      const answer = await ask(server, "GET", `/v1/calls/${callId}/proof`);
      text = answer.text;
      return answer.status === 200;
    };
    await until(isSealed, { what: () => text });
    return (JSON.parse(text) as { record: ProofRecord }).record;
  }

  test.each([
    ["answered", "answer-then-hang-up", {}, { code: null, sip: 200, state: "completed" }],
    ["busy", "refuse", { words: { status: "486 Busy Here" } }, { code: "busy", sip: 486, state: "failed" }],
  ] as const)(
    "that is %s has the SIP result, the consent and the answer to the question",
    async (_, scenario, options, result) => {
      const { port, agentId } = lines.get("proven")!;
      const sipp = await startSipp(scenario, { port, ...options });
      const callId = await place(server, { agent_id: agentId, user_number: number });
      await finished(server, callId);
      await sipp.finished();
      expect(await proofOf(callId)).toMatchObject({
        basis: {
          consent: consentId,
          enforced: expect.any(Boolean),
          purpose: "service",
          question: { answer: "go", at: expect.stringMatching(/^20\d\d-.*Z$/) },
          rules: expect.stringMatching(/^in-/),
        },
        notices: expect.any(Array),
        result,
        simulated: false,
      });
    },
    180_000,
  );
});
