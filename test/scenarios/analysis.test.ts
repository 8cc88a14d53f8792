// Post-call analysis on the real appliance: a model that answers, is slow or returns nonsense, and kill -9 in between.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { callIn, command, commandJson, finished, place, readCall, startQuick } from "../support/calls.ts";
import { chatReply, startModelServer, type ModelServer } from "../support/model-server.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(180_000);
leaveNothingBehind();
closeReceivers();

const ANSWER = {
  summary: "The patient said the first one. She is HIV positive, see http://evil.example.",
  sentiment: "positive",
  next_steps: "answer_question",
  disposition: "transferred",
  details: {
    consent: { value: true, said_in: 3 },
    pain: { value: 7, said_in: 3 },
  },
};
/** The part of the model's summary that survives the grounding check. */
const GROUNDED = "The patient said the first one.";
const FIELDS = [
  { name: "question", type: "text", description: "What they asked." },
  { name: "pain", type: "number", description: "From 0 to 10." },
  { name: "consent", type: "yes_no", description: "Do they consent to the study?" },
];
const NAME = "Kamala Unmistakable";
/** Longer than any test runs, so the deadline never passes by itself. */
const LONG = "600";

let receiver: Receiver;
let model: ModelServer;
beforeAll(async () => {
  receiver = startReceiver();
  model = await startModelServer();
});

const envOf = (seconds: string) => ({
  ...receiver.env,
  RINGWARD_MODELS__ANALYSIS_SECONDS: seconds,
  RINGWARD_MODELS__SERVERS__MAIN__BASE_URL: model.baseUrl,
  RINGWARD_MODELS__SERVERS__MAIN__MODEL: "test-model",
});

/** The demo hospital with a webhook endpoint and extraction fields for its agent. */
async function open(seconds: string, dataDir = tempFolder()): Promise<Running> {
  const server = await startQuick(envOf(seconds), { dataDir });
  const args = ["endpoints", "create", "--url", receiver.url, "--data", dataDir];
  const made = await runBinary(args, { env: receiver.env });
  expect(made.code).toBe(0);
  const file = join(dataDir, "fields.json");
  writeFileSync(file, JSON.stringify(FIELDS));
  await command(server, "agents", "update", "--fields-file", file, "--", server.demo["agent_id"]!);
  return server;
}

const told = (callId: string) =>
  receiver.received
    .map(({ json }) => json)
    .filter(({ event_type, data }) => event_type === "call.completed" && data["call_id"] === callId);
const isTold = (callId: string) =>
  until(() => told(callId).length > 0, { withinMs: 120_000, what: () => "call.completed did not come" });
/** The same server also leads the conversation; only the analysis request carries a schema. */
const analysesAsked = () =>
  model.requests.filter(({ json }) => json.response_format?.json_schema.name === "call_analysis").length;
const answers = (analysis: (index: number) => ReturnType<typeof chatReply>) => {
  model.answer = ({ json }) =>
    json.response_format ? analysis(indexIn(json.messages)) : chatReply({ text: "All right." });
};
/** The simulated callee's answer to the question about times, and its position in the transcript. */
const SAID = "The first one, please.";
function indexIn(messages: readonly { content: string }[] = []): number {
  const { record } = JSON.parse(messages.at(-1)?.content.replace(/^[^{]*/, "") ?? "{}") as {
    record: { index: number; text: string }[];
  };
  return record.find(({ text }) => text === SAID)?.index ?? 0;
}
const answer = (saidIn: number): string => {
  const question = { value: "the first one", said_in: saidIn };
  return JSON.stringify({ ...ANSWER, details: { ...ANSWER.details, question } });
};

/** A reply that starts and never continues. */
const stalled = () => chatReply({ text: "{" }, { waits: { 1: new Promise(() => {}) } });

describe("call.completed", () => {
  let server: Running;
  beforeAll(async () => {
    server = await open("20");
  });

  test("carries the model's analysis and the requested fields, and no facts invented by the model", async () => {
    answers((index) => chatReply({ text: answer(index) }));
    const id = await place(server);
    await isTold(id);
    const { call_analytics, extracted_details } = told(id)[0]!.data as Record<string, Record<string, unknown>>;
    expect(call_analytics!["summary"]).toEndWith(GROUNDED);
    expect(call_analytics!["disposition"]).not.toBe("transferred");
    expect(extracted_details).toMatchObject({ question: "the first one", pain: null, consent: null });
    const { analysis_source } = told(id)[0]!.data;
    const call = await readCall(server, id);
    const utterance = call.call_transcript?.findIndex(({ text }) => text === SAID);
    expect(analysis_source).toMatchObject({
      summary: "model",
      disposition: "rules",
      details: { question: { source: "model", utterance }, consent: { source: "rules", utterance: null } },
    });
    expect([call.call_analytics, call.extracted_details]).toEqual([call_analytics, extracted_details] as never);
    expect(JSON.stringify([call_analytics, extracted_details])).not.toMatch(/HIV|evil/);
    expect(server.output()).not.toMatch(/HIV|evil/);
  });

  test("carries the rule-based result when the model returns nonsense", async () => {
    answers(() => chatReply({ text: "I think that went well!" }));
    const id = await place(server);
    await isTold(id);
    const { call_analytics, extracted_details } = told(id)[0]!.data as Record<string, Record<string, unknown>>;
    expect(call_analytics!["summary"]).toStartWith("Asha ");
    expect(extracted_details).toMatchObject({ question: null, pain: null, consent: null });
    expect(told(id)[0]!.data["analysis_source"]).toMatchObject({ summary: "rules", sentiment: "rules" });
  });

  test("is not sent for a call that is erased during the analysis", async () => {
    const read = Promise.withResolvers<void>();
    answers((index) => chatReply({ text: answer(index) }, { waits: { 2: read.promise } }));
    const before = analysesAsked();
    const id = await place(server, { user_name: NAME });
    await until(() => analysesAsked() > before);
    expect((await callIn(server, id, ["completed"])).call_analytics).toBeNull();
    expect(filesHolding(server.dataDir, [NAME])).not.toEqual({});
    const { status } = await ask(server, "DELETE", `/v1/calls/${id}`);
    expect(status).toBe(200);
    expect(filesHolding(server.dataDir, [NAME])).toEqual({});
    read.resolve();
    // Another call is created, ends and is delivered.
    answers((index) => chatReply({ text: answer(index) }));
    const next = await place(server);
    await isTold(next);
    expect(told(id)).toEqual([]);
    expect(filesHolding(server.dataDir, [NAME])).toEqual({});
    expect(await server.stop()).toBe(0);
  });
});

describe("a model that does not answer", () => {
  test("is waited for until the configured timeout", async () => {
    const server = await open("1");
    answers(() => stalled());
    const id = await place(server);
    const call = await finished(server, id);
    await isTold(id);
    const [event] = told(id);
    const waitedMs = Date.parse(event!.created_at) - Date.parse(call.completed_at!);
    expect(waitedMs).toBeGreaterThanOrEqual(1_000);
    expect((await readCall(server, id)).call_analytics?.summary).toStartWith("Asha ");
    await server.kill();
  });

  test("with a crash in between: the event is sent once, after the next start", async () => {
    const dataDir = tempFolder();
    const first = await open(LONG, dataDir);
    answers(() => stalled());
    const before = analysesAsked();
    const id = await place(first);
    await until(() => analysesAsked() > before);
    await first.kill();
    expect(told(id)).toEqual([]);

    // Kill again during the second request.
    const second = await startQuick(envOf(LONG), { dataDir });
    await until(() => analysesAsked() > before + 1);
    expect((await readCall(second, id)).status).toBe("completed");
    await second.kill();
    expect(told(id)).toEqual([]);

    answers((index) => chatReply({ text: answer(index) }));
    const third = await startQuick(envOf(LONG), { dataDir });
    await isTold(id);
    expect(told(id)[0]!.data["sequence"]).toBe(2);
    expect((await readCall(third, id)).call_analytics?.summary).toEndWith(GROUNDED);
    const ofCall = receiver.received.map(({ json }) => json).filter(({ data }) => data["call_id"] === id);
    const types = ofCall.map(({ event_type }) => event_type).filter((type) => type.startsWith("call."));
    expect(types).toEqual(["call.initiated", "call.completed"]);
    await third.stop();
  });

  test("falls back to the rules at the next start when the deadline has passed", async () => {
    const dataDir = tempFolder();
    const first = await open(LONG, dataDir);
    answers(() => stalled());
    const before = analysesAsked();
    const id = await place(first);
    await until(() => analysesAsked() > before);
    await first.kill();
    // With a shorter timeout, the stored deadline lies further ahead than any valid one.
    const second = await startQuick(envOf("1"), { dataDir });
    await isTold(id);
    expect((await readCall(second, id)).call_analytics?.summary).toStartWith("Asha ");
    const versions = await commandJson<{ changed: string[] }[]>(second, "agents", "versions", second.demo["agent_id"]!);
    expect(versions[0]?.changed).toEqual(["analysis_fields"]);
    await second.stop();
    expect(told(id)).toHaveLength(1);
  });
});
