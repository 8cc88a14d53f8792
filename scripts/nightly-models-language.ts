// Checks of llama-server through our language client.
import { systemClock } from "../src/core/clock.ts";
import { createChatClient } from "../src/speech/servers/chat/chat-client.ts";
import type { ChatClient, ChatRequest, ServerAddress } from "../src/speech/servers/port.ts";
import { until } from "../test/support/until.ts";
import { CALLED, COUNTED, GREET, GREETING, SING } from "./counting-model.ts";
import { KEY, type ModelPeer } from "./model-peers.ts";
import { expectThat } from "./nightly-checks.ts";
import { connectionsTo, faultOf, never, type Check, type ModelWorld } from "./nightly-models-world.ts";

const asking = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: "user", content }],
  tools: [],
  maxTokens: 200,
  ...more,
});

async function withChat<T>(address: ServerAddress, use: (client: ChatClient) => Promise<T>): Promise<T> {
  const client = createChatClient({ clock: systemClock, address, note: () => {} });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

interface Heard {
  pieces: string[];
  text: string;
  tools: string[];
  reason: string;
}

async function heard(client: ChatClient, request: ChatRequest): Promise<Heard> {
  const pieces: string[] = [];
  const tools: string[] = [];
  let reason = "";
  for await (const part of client.stream(request, never())) {
    if (part.type === "text") pieces.push(part.text);
    else if (part.type === "toolCall") tools.push(`${part.call.name}(${part.call.arguments})`);
    else reason = part.reason;
  }
  return { pieces, text: pieces.join(""), tools, reason };
}

async function isThinking({ port }: ModelPeer): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/slots`, {
    headers: { authorization: `Bearer ${KEY}` },
    keepalive: false,
  });
  const slots = (await answer.json()) as { is_processing: boolean }[];
  return slots.some((slot) => slot.is_processing);
}

async function untilItRests(llama: ModelPeer): Promise<number> {
  const startedAt = performance.now();
  await until(async () => !(await isThinking(llama)), { withinMs: 10_000, what: () => "it still makes tokens" });
  return Math.round(performance.now() - startedAt);
}

/** Up to the limit of its context: far more than is consumed. */
const ENDLESS = asking(`Please ${SING}.`, { maxTokens: 16_000 });

async function leftInTheMiddle({ llama }: ModelWorld, leave: "abort" | "break"): Promise<string> {
  return withChat(llama.address, async (client) => {
    const abort = new AbortController();
    let pieces = 0;
    const fault = await faultOf(
      (async () => {
        for await (const part of client.stream(ENDLESS, abort.signal)) {
          expectThat(part.type === "text" && part.text === " la", `it said ${JSON.stringify(part)}`);
          pieces += 1;
          if (pieces === 5) expectThat(await isThinking(llama), "it is done already: nothing is left to stop");
          if (pieces === 5 && leave === "break") break;
          if (pieces === 5) abort.abort();
        }
      })(),
    );
    expectThat(fault === (leave === "abort" ? "model server: aborted" : "no fault"), fault);
    const restMs = await untilItRests(llama);
    const { text } = await heard(client, asking("Count."));
    expectThat(text === COUNTED, `the next answer was ${JSON.stringify(text)}`);
    return `stopped after ${pieces} pieces, it rested ${restMs} ms later, the next question was answered`;
  });
}

/** Proxy that turns streaming off: llama-server's own answer in one piece. */
function withoutStreaming({ llama }: ModelWorld) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const asked = (await request.json()) as Record<string, unknown>;
      const { pathname } = new URL(request.url);
      const answer = await fetch(`http://127.0.0.1:${llama.port}${pathname}`, {
        method: "POST",
        headers: { authorization: request.headers.get("authorization") ?? "", "content-type": "application/json" },
        body: JSON.stringify({ ...asked, stream: false }),
      });
      return new Response(await answer.text(), { status: answer.status, headers: answer.headers });
    },
  });
}

/** Our new connections to it. */
const newConnections = ({ llama }: Pick<ModelWorld, "llama">, before: readonly string[]) =>
  connectionsTo(llama.port).filter((ours) => !before.includes(ours));

/** Longer than its keep-alive: cpp-httplib closes an idle connection after 5 s. */
const LONG_PAUSE_MS = 7_000;

const VISIT = {
  name: "visit",
  schema: {
    type: "object",
    properties: { coming: { type: "boolean" }, reason: { type: "string" } },
    required: ["coming", "reason"],
    additionalProperties: false,
  },
};
const OFFER = {
  name: "offer_slots",
  description: "Looks up free times on a day.",
  parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
};

export const LANGUAGE: Check[] = [
  {
    group: "language",
    name: "streams word by word, and says why it ends",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const { pieces, text, reason } = await heard(client, asking("Count from one to twelve."));
        expectThat(text === COUNTED && reason === "stop" && pieces.length === 12, JSON.stringify({ pieces, reason }));
        return `${pieces.length} pieces, ${reason}: ${text}`;
      }),
  },
  {
    group: "language",
    name: "Hindi, whose letters its tokens cut",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const { pieces, text, reason } = await heard(client, asking(`Please ${GREET}.`));
        expectThat(text === GREETING && pieces.length > 1, JSON.stringify({ pieces, reason }));
        return `${pieces.length} pieces, ${reason}: ${text}`;
      }),
  },
  {
    group: "language",
    name: "keeps to the limit of tokens",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const { text, reason } = await heard(client, asking("Count.", { maxTokens: 3 }));
        expectThat(text === "one, two, three," && reason === "length", JSON.stringify({ text, reason }));
        return `${reason}: ${text}`;
      }),
  },
  {
    group: "language",
    name: "answers in one piece where it does not stream",
    async run(world) {
      const relay = withoutStreaming(world);
      try {
        const address = { ...world.llama.address, baseUrl: `http://127.0.0.1:${relay.port}/v1` };
        const { pieces, text, reason } = await withChat(address, (client) => heard(client, asking("Count.")));
        expectThat(text === COUNTED && pieces.length === 1, JSON.stringify({ pieces, reason }));
        return `${pieces.length} piece, ${reason}`;
      } finally {
        await relay.stop(true);
      }
    },
  },
  { group: "language", name: "stops when it is aborted", run: (world) => leftInTheMiddle(world, "abort") },
  { group: "language", name: "stops when nobody listens any more", run: (world) => leftInTheMiddle(world, "break") },
  {
    group: "language",
    // It announces keep-alive but closes the connection after every stream: some requests use a closing connection.
    name: "fifty questions without a breath, though it hangs up",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        for (let i = 0; i < 50; i++) {
          const { text } = await heard(client, asking("Count."));
          expectThat(text === COUNTED, `answer ${i}: ${JSON.stringify(text)}`);
        }
        return "50 whole answers";
      }),
  },
  {
    group: "language",
    name: "a connection opened ahead carries the question",
    run: (world) =>
      withChat(world.llama.address, async (client) => {
        const before = connectionsTo(world.llama.port);
        client.warm();
        await until(() => newConnections(world, before).length === 1);
        const [ahead] = newConnections(world, before);
        const during = new Set<string>();
        for await (const part of client.stream(asking("Count."), never()))
          if (part.type === "text") for (const ours of newConnections(world, before)) during.add(ours);
        expectThat([...during].join() === ahead, `${ahead} was opened, and used were ${[...during].join(" ")}`);
        return "it was used, and no other";
      }),
  },
  {
    group: "language",
    name: "a question after it let go of the connection",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const others = connectionsTo(llama.port);
        client.warm();
        await until(() => newConnections({ llama }, others).length === 1);
        await Bun.sleep(LONG_PAUSE_MS);
        const waiting = newConnections({ llama }, others).length;
        const { text } = await heard(client, asking("Count."));
        expectThat(text === COUNTED, JSON.stringify(text));
        return `${waiting} of 1 waiting after ${LONG_PAUSE_MS} ms, and the question was answered`;
      }),
  },
  {
    group: "language",
    name: "a JSON schema",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const { text, reason } = await heard(client, asking("They come on Friday.", { jsonSchema: VISIT }));
        const value = JSON.parse(text) as Record<string, unknown>;
        expectThat(typeof value["coming"] === "boolean" && typeof value["reason"] === "string", text);
        return `${reason}: ${text.replaceAll(/\s+/g, " ")}`;
      }),
  },
  {
    group: "language",
    name: "a tool is called, in pieces",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const { text, tools, reason } = await heard(client, asking("Which times are free?", { tools: [OFFER] }));
        const wanted = `${CALLED.name}(${JSON.stringify(CALLED.arguments)})`;
        expectThat(tools.join() === wanted && text === "", JSON.stringify({ tools, text, reason }));
        return `${reason}: ${tools.join()}`;
      }),
  },
  {
    group: "language",
    name: "what the tool answered goes back",
    run: ({ llama }) =>
      withChat(llama.address, async (client) => {
        const call = { id: "call_0", name: CALLED.name, arguments: JSON.stringify(CALLED.arguments) };
        const { text, tools, reason } = await heard(client, {
          messages: [
            { role: "system", content: "You book appointments." },
            { role: "user", content: "Which times are free?" },
            { role: "assistant", content: "", toolCalls: [call] },
            { role: "tool", content: '{"A":"10:30"}', toolCallId: call.id },
          ],
          tools: [OFFER],
          maxTokens: 200,
        });
        expectThat(text === COUNTED && tools.length === 0, JSON.stringify({ tools, text, reason }));
        return `${reason}: ${text}`;
      }),
  },
  {
    group: "language",
    name: "a wrong key, and a question longer than its context",
    async run({ llama }) {
      const wrongKey = await faultOf(
        withChat({ ...llama.address, key: "sk-wrong" }, (client) => heard(client, asking("Count."))),
      );
      const tooLong = await faultOf(
        withChat(llama.address, (client) => heard(client, asking("Count, please. ".repeat(2_000)))),
      );
      expectThat(
        wrongKey === "model server: status 401" && tooLong === "model server: status 400",
        `${wrongKey}; ${tooLong}`,
      );
      return `${wrongKey}; ${tooLong}`;
    },
  },
];
