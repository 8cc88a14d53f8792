// Post-call analysis: the model's answer or the deadline, whichever comes first; once, and never after an erasure.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { AnalysisField } from "../../../src/payloads/analysis-field.ts";
import type { Conversation } from "../../../src/calls/call/call-end.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import {
  chatReply,
  errorReply,
  startModelServer,
  wholeChatReply,
  type ModelServer,
  type Reply,
} from "../../support/model-server.ts";
import { until } from "../../support/until.ts";

const FIELDS: AnalysisField[] = [{ name: "pain", type: "number", description: "From 0 to 10.", choices: [] }];
const ANSWER = {
  summary: "The patient asked where to park. The patient is HIV positive.",
  sentiment: "positive",
  next_steps: "answer_question",
  disposition: "transferred",
  details: { pain: { value: 3, said_in: 1 } },
};
const TALK: Partial<Conversation> = {
  extractedDetails: { answer: "none" },
  notices: [{ kind: "caller", heardAt: 2 }],
  recording: { mode: "announce", consent: null, from: 4, until: null },
  transcript: [
    { speaker: "agent", text: "How strong is the pain?", timestamp: 0 },
    { speaker: "user", text: "Three. Where do I park?", timestamp: 2 },
  ],
};

/** A reply that starts and never continues. */
const stalled = () => chatReply({ text: "{" }, { waits: { 1: new Promise(() => {}) } });

let model: ModelServer;
let hospital: Hospital;
beforeEach(async () => {
  model = await startModelServer();
  model.answer = () => chatReply({ text: JSON.stringify(ANSWER) });
});
afterEach(async () => {
  await hospital.close();
  await model.stop();
});

async function open(settings: Record<string, string> = {}): Promise<void> {
  hospital = await createHospital({
    logged: true,
    agent: { analysis_fields: FIELDS },
    settings: {
      RINGWARD_MODELS__SERVERS__MAIN__BASE_URL: model.baseUrl,
      RINGWARD_MODELS__SERVERS__MAIN__MODEL: "test-model",
      ...settings,
    },
  });
  await hospital.subscribe();
  await hospital.app.services.modelServers.refresh();
  await hospital.app.start();
}

/** A call that has just ended. */
async function talk(change: Partial<Conversation> = TALK, call: Record<string, unknown> = {}): Promise<string> {
  const callId = await hospital.dial(call);
  hospital.carrier.talk(callId, change);
  await settle();
  return callId;
}

const told = async (callId: string) =>
  (await hospital.eventsOf(callId)).filter(({ type }) => type === "call.completed");
const pending = async () => hospital.db.reader.selectFrom("pending_analyses").selectAll().execute();

const pendingOf = async (callId: string) => (await pending()).find(({ call_id }) => call_id === callId);

/** Waits without advancing the test clock. */
async function untilTold(callId: string): Promise<void> {
  await until(async () => {
    await hospital.clock.advance(0);
    return (await told(callId)).length > 0;
  });
}

async function untilAsked(times = 1): Promise<void> {
  await until(async () => {
    await hospital.clock.advance(0);
    return model.requests.length >= times;
  });
}

const trail = async (callId: string) =>
  (
    await hospital.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("subject_id", "=", callId)
      .where("action", "in", ["call.analysis_asked", "call.model_used"])
      .orderBy("id")
      .execute()
  ).map(({ action, detail }) => [action, JSON.parse(detail) as Record<string, unknown>] as const);

describe("a call whose agent has a language model", () => {
  test("has no analysis and no event until the model has answered, then both", async () => {
    await open();
    const answered = Promise.withResolvers<void>();
    model.answer = () => chatReply({ text: JSON.stringify(ANSWER) }, { waits: { 3: answered.promise } });
    const callId = await talk();
    await untilAsked();
    expect(await hospital.view(callId)).toMatchObject({
      status: "completed",
      call_analytics: null,
      extracted_details: null,
    });
    expect(await told(callId)).toEqual([]);
    answered.resolve();
    await untilTold(callId);
    const [event] = await told(callId);
    expect(event?.parsed).toMatchObject({
      sequence: 2,
      call_analytics: {
        summary: "They greeted each other. The patient asked where to park.",
        sentiment: "positive",
        next_steps: "Answer the contact's question. It is in the transcript.",
        disposition: "session_ended",
      },
      extracted_details: { answer: "none", pain: 3 },
      notices: [{ kind: "caller", heard_at: 2 }],
      recording: { mode: "announce", consent: null, from: 4, until: null },
      analysis_source: {
        summary: "model",
        sentiment: "model",
        next_steps: "model",
        disposition: "rules",
        details: { answer: { source: "rules", utterance: null }, pain: { source: "model", utterance: 1 } },
      },
    });
    const { call_analytics, analysis_source } = await hospital.view(callId);
    expect({ call_analytics, analysis_source }).toMatchObject({
      call_analytics: event!.parsed.call_analytics,
      analysis_source: event!.parsed.analysis_source,
    });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.json.response_format?.json_schema.name).toBe("call_analysis");
    expect(await pending()).toEqual([]);
  });

  test("records the destination and size in the audit trail, and no content in log or audit trail", async () => {
    await open();
    const callId = await talk({
      ...TALK,
      transcript: [
        { speaker: "agent", text: "Good morning.", timestamp: 0 },
        { speaker: "user", text: "My unmistakable knee hurts.", timestamp: 2 },
      ],
    });
    await untilTold(callId);
    const host = new URL(model.baseUrl).host;
    expect(await trail(callId)).toEqual([
      ["call.analysis_asked", { server: "settings:main", host }],
      [
        "call.model_used",
        expect.objectContaining({ purpose: "analysis", host, requests: 1, outcome: "used", role: "language" }),
      ],
    ]);
    const [, [, { bytes_out, bytes_in }]] = (await trail(callId)) as [unknown, [string, Record<string, number>]];
    expect([bytes_out! > 500, bytes_in! > 200]).toEqual([true, true]);
    expect(String(model.requests[0]?.body)).toContain("unmistakable knee");
    expect(hospital.logLines.join("\n")).not.toContain("unmistakable");
    expect(hospital.logLines.join("\n")).not.toContain("warmly");
  });

  test.each<[string, () => Reply, string]>([
    ["prose", () => chatReply({ text: "They greeted each other." }), "did not fit"],
    ["another schema", () => wholeChatReply({ text: JSON.stringify({ ...ANSWER, sentiment: 7 }) }), "did not fit"],
    ["no HTTP of this API", () => ({ pieces: ["data: nonsense\n\n"] }), "garbage"],
    ["500", () => errorReply(500), "status"],
    ["429", () => errorReply(429), "status"],
  ])("is told by the rules where the model answers %s", async (_, reply, outcome) => {
    await open();
    model.answer = reply;
    const callId = await talk();
    await untilTold(callId);
    expect((await trail(callId))[1]?.[1]["outcome"]).toBe(outcome);
    expect((await told(callId))[0]?.parsed).toMatchObject({
      call_analytics: { summary: "They greeted each other." },
      extracted_details: { answer: "none", pain: null },
      analysis_source: { summary: "rules", details: { pain: { source: "rules", utterance: null } } },
    });
    expect(await told(callId)).toHaveLength(1);
  });

  test("falls back to the rules exactly at the deadline, and never twice", async () => {
    await open({ RINGWARD_MODELS__ANALYSIS_SECONDS: "7" });
    const late = Promise.withResolvers<void>();
    model.answer = () => chatReply({ text: JSON.stringify(ANSWER) }, { waits: { 2: late.promise } });
    const callId = await talk();
    const endedAt = hospital.clock.now();
    await untilAsked();
    await hospital.clock.advance(6_999);
    expect(await told(callId)).toEqual([]);
    await hospital.clock.advance(1);
    await untilTold(callId);
    const [event] = await told(callId);
    expect([event?.created_at, event?.parsed.call_analytics?.summary]).toEqual([
      endedAt + 7_000,
      "They greeted each other.",
    ]);
    late.resolve();
    await hospital.clock.advance(60_000);
    expect(await told(callId)).toHaveLength(1);
    expect((await hospital.view(callId)).call_analytics?.summary).toBe("They greeted each other.");
  });

  test("falls back to the rules when the clock was set back, without hours of delay", async () => {
    await open();
    model.answer = () => stalled();
    const callId = await talk();
    await untilAsked();
    hospital.clock.jump(-3_600_000);
    await hospital.clock.advance(30_000);
    await untilTold(callId);
  });

  test("that is erased meanwhile leaves no data, sends nothing more and fires no event", async () => {
    await open();
    const answered = Promise.withResolvers<void>();
    model.answer = () => chatReply({ text: JSON.stringify(ANSWER) }, { waits: { 2: answered.promise } });
    const callId = await talk();
    await untilAsked();
    await hospital.app.services.erasure.erase(hospital.organisationId, callId, CLI_ACTOR);
    expect(await pending()).toEqual([]);
    await hospital.clock.advance(0);
    answered.resolve();
    await hospital.clock.advance(60_000);
    expect(await told(callId)).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect((await trail(callId)).map(([action]) => action)).toEqual(["call.analysis_asked"]);
  });

  test("is queued: four analyses run at once, and each call is delivered once", async () => {
    // Longer than dialling all seven takes.
    await open({ RINGWARD_MODELS__ANALYSIS_SECONDS: "600" });
    const answered = Promise.withResolvers<void>();
    model.answer = () => chatReply({ text: JSON.stringify(ANSWER) }, { waits: { 1: answered.promise } });
    const numbers = Array.from({ length: 7 }, (_, i) => `+91981001230${i}`);
    const callIds: string[] = [];
    for (const user_number of numbers) callIds.push(await talk(TALK, { user_number }));
    await untilAsked(4);
    await hospital.clock.advance(0);
    await settle();
    expect(model.requests).toHaveLength(4);
    answered.resolve();
    for (const callId of callIds) await untilTold(callId);
    expect(model.requests).toHaveLength(7);
    for (const callId of callIds) expect(await told(callId)).toHaveLength(1);
  });
});

test("one hospital's slow model does not delay other hospitals", async () => {
  await open({ RINGWARD_MODELS__ANALYSIS_SECONDS: "600" });
  const other = await hospital.neighbour();
  const words = (text: string): Partial<Conversation> => ({
    ...TALK,
    transcript: [{ speaker: "user", text, timestamp: 1 }],
  });
  model.answer = ({ body }) => (body.includes("slow") ? stalled() : chatReply({ text: JSON.stringify(ANSWER) }));
  for (let i = 0; i < 5; i++) await talk(words("slow"), { user_number: `+91981001230${i}` });
  await untilAsked(4);
  const answer = await hospital.post({ agent_id: other.agentId, user_number: "+919810012399" }, { key: other.key });
  const callId = answer.json.data["call_id"]!;
  await hospital.clock.advance(15_000);
  hospital.carrier.talk(callId, words("quick"));
  await until(async () => {
    await hospital.clock.advance(0);
    return (await hospital.row(callId)).completed_at !== null && (await pendingOf(callId)) === undefined;
  });
  expect(model.requests.filter(({ body }) => body.includes("slow"))).toHaveLength(4);
});

describe("no model is asked", () => {
  const atOnce = async (callId: string) => {
    expect(await told(callId)).toHaveLength(1);
    expect([model.requests.length, await pending()]).toEqual([0, []]);
  };

  test("about a call in which the callee said nothing", async () => {
    await open();
    await atOnce(await talk({ ...TALK, transcript: [{ speaker: "agent", text: "Hello?", timestamp: 0 }] }));
  });

  test("about a voicemail", async () => {
    await open();
    const analytics = { summary: "A machine.", sentiment: "neutral", next_steps: "None.", disposition: "voicemail" };
    await atOnce(await talk({ ...TALK, analytics } as Partial<Conversation>));
  });

  test("when disabled in the settings", async () => {
    await open({ RINGWARD_MODELS__ANALYSIS_SECONDS: "0" });
    await atOnce(await talk());
  });

  test("when the agent uses the built-in model; the fields exist and are empty", async () => {
    await open();
    const { modelServers } = hospital.app.services;
    await modelServers.choose(hospital.organisationId, hospital.agentId, { language: "builtin" }, CLI_ACTOR);
    const callId = await talk();
    await atOnce(callId);
    expect((await told(callId))[0]?.parsed.extracted_details).toEqual({ answer: "none", pain: null });
  });
});
