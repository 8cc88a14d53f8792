import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../../src/core/clock.ts";
import { createChatClient } from "../../../src/speech/servers/chat/chat-client.ts";
import {
  ServerFault,
  type ChatPart,
  type ChatRequest,
  type SentNote,
  type ServerAddress,
} from "../../../src/speech/servers/port.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import {
  byteByByte,
  chatEvents,
  chatReply,
  errorReply,
  jsonReply,
  serverAddress,
  startModelServer,
  wholeChatReply,
  type ModelServer,
} from "../../support/model-server.ts";
import { createPrivateCa, type PrivateCa } from "../../support/private-ca.ts";
import { until } from "../../support/until.ts";

const QUESTION: ChatRequest = {
  messages: [
    { role: "system", content: "You are a nurse's desk." },
    { role: "user", content: "Haan जी, Friday?" },
  ],
  tools: [
    {
      name: "offer_slots",
      description: "Offers times.",
      parameters: { type: "object", properties: { day: { type: "string" } } },
    },
  ],
  maxTokens: 120,
};
const CALLS = [
  { id: "call_a", name: "offer_slots", arguments: '{"day":"शुक्रवार"}' },
  { id: "call_b", name: "end_call", arguments: "{}" },
];
const never = () => new AbortController().signal;

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function started(...args: Parameters<typeof startModelServer>): Promise<ModelServer> {
  const server = await startModelServer(...args);
  servers.push(server);
  return server;
}

function asking(server: ModelServer, more: Partial<ServerAddress> = {}, clock = systemClock) {
  const notes: SentNote[] = [];
  const client = createChatClient({
    clock,
    address: serverAddress(server, more),
    note: (note) => void notes.push(note),
  });
  const ask = async (request = QUESTION, signal = never()) => {
    const parts: ChatPart[] = [];
    for await (const part of client.stream(request, signal)) parts.push(part);
    return parts;
  };
  const fault = async (signal = never()) => {
    const outcome = await ask(QUESTION, signal).catch((error: unknown) => error);
    if (!(outcome instanceof ServerFault)) throw new Error(`no fault, but ${JSON.stringify(outcome)}`);
    return outcome;
  };
  return { client, ask, fault, notes };
}

const textOf = (parts: readonly ChatPart[]) => parts.map((part) => (part.type === "text" ? part.text : "")).join("");

describe("a question", () => {
  test("is asked as the API says", async () => {
    const server = await started();
    const { ask } = asking(server);
    await ask({ ...QUESTION, jsonSchema: { name: "analysis", schema: { type: "object" } } });
    const [request] = server.requests;
    expect(request?.method).toBe("POST");
    expect(request?.path).toBe("/v1/chat/completions");
    expect(request?.headers["authorization"]).toBe("Bearer sk-very-secret");
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(request?.json).toEqual({
      model: "test-model",
      messages: [...QUESTION.messages],
      stream: true,
      max_tokens: 120,
      temperature: 0,
      tools: [{ type: "function", function: QUESTION.tools[0] as never }],
      tool_choice: "auto",
      response_format: {
        type: "json_schema",
        json_schema: { name: "analysis", schema: { type: "object" }, strict: true },
      },
    });
  });

  test("carries tool calls and their answers back", async () => {
    const server = await started();
    const { ask } = asking(server, { key: null });
    const call = { id: "call_a", name: "offer_slots", arguments: "{}" };
    await ask({
      messages: [
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", content: "A: 10:00", toolCallId: "call_a" },
      ],
      tools: [],
      maxTokens: 5,
    });
    expect(server.requests[0]?.json.messages).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_a", type: "function", function: { name: "offer_slots", arguments: "{}" } }],
      },
      { role: "tool", content: "A: 10:00", tool_call_id: "call_a" },
    ]);
    expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
    expect(server.requests[0]?.json.tools).toBeUndefined();
  });
});

describe("an answer", () => {
  const whole: ChatPart[] = [
    ...CALLS.map((call): ChatPart => ({ type: "toolCall", call })),
    { type: "end", reason: "tool_calls" },
  ];

  test("comes as text, whole tool calls and an end", async () => {
    const server = await started();
    server.answer = () => chatReply({ text: "जी हाँ, one moment.", toolCalls: CALLS });
    const parts = await asking(server).ask();
    expect(textOf(parts)).toBe("जी हाँ, one moment.");
    expect(parts.filter(({ type }) => type !== "text")).toEqual(whole);
  });

  test("is the same for every chunk boundary", async () => {
    const server = await started();
    server.answer = () => byteByByte(chatReply({ text: "जी हाँ.", toolCalls: CALLS }));
    const parts = await asking(server).ask();
    expect(textOf(parts)).toBe("जी हाँ.");
    expect(parts.filter(({ type }) => type !== "text")).toEqual(whole);
  });

  test("is streamed while the rest is generated", async () => {
    const server = await started();
    const rest = Promise.withResolvers<void>();
    const events = chatEvents({ text: "One. Two.", tokenChars: 5 });
    server.answer = () => chatReply({}, { pieces: events, waits: { 2: rest.promise } });
    const { client } = asking(server);
    const stream = client.stream(QUESTION, never())[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: false, value: { type: "text", text: "One. " } });
    rest.resolve();
    expect((await stream.next()).value).toEqual({ type: "text", text: "Two." });
  });

  test("may hold comments, empty choices and usage, and lack [DONE]", async () => {
    const server = await started();
    const [first = "", ...events] = chatEvents({ text: "Yes." }).slice(0, -1);
    const usage = `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 3 } })}\n\n`;
    server.answer = () => chatReply({}, { pieces: [": ping\n\n", first, ": ping\n\n", ...events, usage] });
    expect(textOf(await asking(server).ask())).toBe("Yes.");
  });

  test("without streaming is parsed, too", async () => {
    const server = await started();
    server.answer = () => wholeChatReply({ text: "Yes.", toolCalls: CALLS });
    const { ask } = asking(server);
    expect(await ask()).toEqual([{ type: "text", text: "Yes." }, ...whole]);
    server.answer = () => byteByByte({ ...wholeChatReply({ text: "Yes." }), isWhole: false });
    expect(await ask()).toEqual([
      { type: "text", text: "Yes." },
      { type: "end", reason: "stop" },
    ]);
  });

  test("without numbers on its tool calls is put together by their ids", async () => {
    const server = await started();
    const piece = (call: unknown) => `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`;
    const pieces = [
      piece({ id: "call_a", function: { name: "offer_slots", arguments: '{"day":' } }),
      piece({ function: { arguments: '"शुक्रवार"}' } }),
      piece({ id: "call_b", function: { name: "end_call", arguments: "{}" } }),
      `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "tool_calls" }] })}\n\n`,
    ];
    server.answer = () => chatReply({}, { pieces });
    expect(await asking(server).ask()).toEqual(whole);
  });
});

describe("a connection", () => {
  test("is used again, and opened ahead where it is warmed", async () => {
    const server = await started();
    const { client, ask } = asking(server);
    client.warm();
    await until(() => server.connections() === 1);
    await ask();
    // The last chunk may arrive after the answer is complete.
    await until(async () => {
      await ask();
      return server.requests.length > 2;
    });
    expect(server.connections()).toBeLessThan(server.requests.length);
    client.close();
  });

  test("closed by the server is reopened", async () => {
    const server = await started();
    const { ask, notes } = asking(server);
    server.answer = () => ({ ...wholeChatReply({ text: "One." }) });
    await ask();
    let calls = 0;
    server.answer = () => {
      calls += 1;
      if (calls === 1) throw new Error("leaves without a word");
      return wholeChatReply({ text: "Two." });
    };
    expect(textOf(await ask())).toBe("Two.");
    expect(notes.map(({ failures }) => failures)).toEqual([0, 0]);
  });

  test("is recorded with host, bytes and time, without content", async () => {
    const server = await started();
    server.answer = () => wholeChatReply({ text: "Your report is ready." });
    const { ask, notes } = asking(server);
    await ask();
    expect(notes).toEqual([
      {
        server: "ms_test",
        host: "127.0.0.1",
        role: "language",
        requests: 1,
        bytesOut: expect.any(Number),
        bytesIn: expect.any(Number),
        ms: expect.any(Number),
        failures: 0,
      },
    ]);
    expect(notes[0]?.bytesOut).toBeGreaterThan(server.requests[0]?.body.length ?? Infinity);
  });
});

describe("a fault", () => {
  test.each([
    [429, "status"],
    [500, "status"],
    [302, "status"],
    [404, "status"],
  ])("of status %i is told without a word of the answer", async (status, kind) => {
    const server = await started();
    const elsewhere = await started();
    server.answer = () => {
      const reply = errorReply(status, "Asha Rao has diabetes; sk-very-secret");
      return { ...reply, headers: { ...reply.headers, location: `${elsewhere.baseUrl}/chat/completions` } };
    };
    const { fault, notes } = asking(server);
    const found = await fault();
    expect([found.kind, found.status]).toEqual([kind as never, status]);
    expect(`${found.stack} ${JSON.stringify(found)}`).not.toMatch(/Asha|diabetes|secret|nurse/);
    expect(notes.map(({ failures }) => failures)).toEqual([1]);
    expect(elsewhere.requests).toEqual([]);
  });

  test.each([
    ["no JSON", ["data: {nope\n\n"]],
    ["another JSON", ['data: {"choices":[{"delta":{"content":5}}]}\n\n']],
    ["an error in the stream", ['data: {"error":{"message":"out of memory"}}\n\n']],
    ["a page", ["<html>Bad gateway</html>"]],
    ["nothing", []],
    ["half a stream", chatEvents({ text: "Yes, and" }).slice(0, 2)],
    ["a tool call without a name", ['data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}\n\ndata: [DONE]\n\n']],
  ])("%s is garbage", async (_, pieces) => {
    const server = await started();
    server.answer = () => chatReply({}, { pieces });
    const { fault, notes } = asking(server);
    expect((await fault()).kind).toBe("garbage");
    expect(notes.map(({ failures }) => failures)).toEqual([1]);
  });

  test("in the HTTP itself is garbage", async () => {
    const server = await started();
    server.answer = () => ({ ...jsonReply({}), headers: { "content-encoding": "gzip" } });
    expect((await asking(server).fault()).kind).toBe("garbage");
  });

  test("a stream that is cut is refused, and what came of it is not an answer", async () => {
    const server = await started();
    server.answer = () => chatReply({}, { pieces: chatEvents({ text: "Yes." }).slice(0, 2), ending: "cut" });
    expect((await asking(server).fault()).kind).toBe("refused");
  });

  test("an endless answer is cut at its limit", async () => {
    const server = await started();
    const much = `data: ${JSON.stringify({ choices: [{ delta: { content: "x".repeat(200_000) } }] })}\n\n`;
    server.answer = () => chatReply({}, { pieces: Array.from({ length: 20 }, () => much) });
    expect((await asking(server).fault()).kind).toBe("tooLong");
    server.answer = () => ({ ...chatReply({}), headers: { "x-long": "y".repeat(40_000) } });
    expect((await asking(server).fault()).kind).toBe("garbage");
  });

  test("a closed port is reported as refused", async () => {
    const server = await started();
    await server.stop();
    expect((await asking(server).fault()).kind).toBe("refused");
    expect((await asking(server, { addresses: [] }).fault()).kind).toBe("refused");
  });

  test("a key that would inject headers is never sent", async () => {
    const server = await started();
    expect((await asking(server, { key: "a\r\nX-Other: b" }).fault()).kind).toBe("refused");
    expect(server.requests).toEqual([]);
  });
});

describe("time", () => {
  test("a server that does not start is left after the first-byte timeout", async () => {
    const server = await started();
    const clock = createManualClock();
    server.answer = () => new Promise(() => {});
    const { fault, notes } = asking(server, {}, clock);
    const found = fault();
    await until(() => server.requests.length === 1);
    await clock.advance(2_500);
    expect((await found).kind).toBe("timeout");
    expect(notes[0]?.ms).toBe(2_500);
  });

  test("so is one that stalls, and one that exceeds the total time", async () => {
    const server = await started();
    const clock = createManualClock();
    const events = chatEvents({ text: "One. Two.", tokenChars: 5 });
    server.answer = () => chatReply({}, { pieces: events, waits: { 2: new Promise(() => {}) } });
    const stalled = asking(server, {}, clock);
    const stream = stalled.client.stream(QUESTION, never())[Symbol.asyncIterator]();
    expect((await stream.next()).done).toBe(false);
    const next = stream.next().then(
      () => null,
      (error: unknown) => error,
    );
    await clock.advance(2_500);
    expect(await next).toEqual(new ServerFault("timeout"));

    const drip = asking(server, { firstMs: 30_000, totalMs: 4_000 }, clock);
    const dripping = drip.client.stream(QUESTION, never())[Symbol.asyncIterator]();
    expect((await dripping.next()).done).toBe(false);
    const late = dripping.next().then(
      () => null,
      (error: unknown) => error,
    );
    await clock.advance(4_000);
    expect(await late).toEqual(new ServerFault("timeout"));
  });

  test("a cancelled request is not counted as a server fault", async () => {
    const server = await started();
    server.answer = () => chatReply({ text: "One. Two." }, { waits: { 2: new Promise(() => {}) } });
    const { client, fault, notes } = asking(server);
    const stop = new AbortController();
    const stream = client.stream(QUESTION, stop.signal)[Symbol.asyncIterator]();
    await stream.next();
    const next = stream.next().then(
      () => null,
      (error: unknown) => error,
    );
    stop.abort();
    expect(await next).toEqual(new ServerFault("aborted"));
    expect(notes.map(({ failures }) => failures)).toEqual([0]);
    expect((await fault(stop.signal)).kind).toBe("aborted");
  });
});

describe("TLS", () => {
  let authority: PrivateCa;
  beforeAll(() => {
    authority = createPrivateCa();
  });

  test("of the hospital's own authority is trusted where its file is given, and not otherwise", async () => {
    const server = await started(authority.issue(["127.0.0.1"]));
    expect(textOf(await asking(server, { caPem: authority.caPem }).ask())).toBe("Hello.");
    expect((await asking(server).fault()).kind).toBe("refused");
  });

  test("is judged by the URL's host, at the pinned address", async () => {
    const server = await started(authority.issue(["gpu.hospital.example"]));
    const baseUrl = `https://gpu.hospital.example:${server.port}/v1`;
    expect(textOf(await asking(server, { caPem: authority.caPem, baseUrl }).ask())).toBe("Hello.");
    expect(server.requests[0]?.headers["host"]).toBe(`gpu.hospital.example:${server.port}`);
    expect((await asking(server, { caPem: authority.caPem }).fault()).kind).toBe("refused");
  });

  test("that has expired is refused", async () => {
    const server = await started(authority.issue(["127.0.0.1"], { expired: true }));
    expect((await asking(server, { caPem: authority.caPem }).fault()).kind).toBe("refused");
  });
});
