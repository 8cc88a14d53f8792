// Trial of a language model: text, streaming, tools and JSON Schema.
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Clock } from "../../../core/clock.ts";
import { createChatClient } from "../chat/chat-client.ts";
import { ServerFault, type ChatClient, type ChatPart, type ChatRequest, type ServerAddress } from "../port.ts";
import { faultWords } from "./fault-words.ts";
import type { Finding } from "./finding.ts";

/** After this delay callers hear a filler. */
const FIRST_WORDS_MS = 900;

const Day = Type.Object({ day: Type.String() });
const Coming = Type.Object({ coming: Type.Boolean(), reason: Type.String() }, { additionalProperties: false });

export async function tryLanguage(clock: Clock, address: ServerAddress): Promise<Finding[]> {
  const client = createChatClient({ clock, address, note: () => {} });
  try {
    const talks = await tryTalk(clock, client);
    if (talks.some(({ verdict }) => verdict === "fails")) return talks;
    return [...talks, await tryTools(clock, client), await trySchema(clock, client)];
  } finally {
    client.close();
  }
}

interface Heard {
  parts: ChatPart[];
  firstMs: number;
  ms: number;
}

async function ask(clock: Clock, client: ChatClient, request: ChatRequest): Promise<Heard | ServerFault> {
  const startedMs = clock.elapsedMs();
  const parts: ChatPart[] = [];
  let firstMs = 0;
  try {
    for await (const part of client.stream(request, new AbortController().signal)) {
      if (parts.length === 0) firstMs = clock.elapsedMs() - startedMs;
      parts.push(part);
    }
  } catch (error) {
    return error instanceof ServerFault ? error : new ServerFault("garbage");
  }
  return { parts, firstMs: Math.round(firstMs), ms: Math.round(clock.elapsedMs() - startedMs) };
}

async function tryTalk(clock: Clock, client: ChatClient): Promise<Finding[]> {
  const content = "Count from one to twelve in words, and say nothing else.";
  const heard = await ask(clock, client, { messages: [{ role: "user", content }], tools: [], maxTokens: 100 });
  if (heard instanceof ServerFault) return [{ verdict: "fails", words: `It does not talk: ${faultWords(heard)}` }];
  const pieces = heard.parts.filter(({ type }) => type === "text").length;
  if (pieces === 0) {
    return [{ verdict: "fails", words: "It answers without a word. Is the model meant for conversations?" }];
  }
  const times = `first words after ${heard.firstMs} ms, the whole answer after ${heard.ms} ms.`;
  const slow = `It talks, but slowly: ${times} Callers hear a filler after ${FIRST_WORDS_MS} ms.`;
  const isSlow = heard.firstMs > FIRST_WORDS_MS;
  return [
    isSlow ? { verdict: "missing", words: slow } : { verdict: "works", words: `It talks: ${times}` },
    pieces > 1
      ? { verdict: "works", words: `It streams: the answer came in ${pieces} pieces.` }
      : { verdict: "missing", words: "It does not stream: callers wait for the whole answer before they hear a word." },
  ];
}

async function tryTools(clock: Clock, client: ChatClient): Promise<Finding> {
  const heard = await ask(clock, client, {
    messages: [
      { role: "system", content: "You book appointments. Use the tool whenever somebody asks for a time." },
      { role: "user", content: "Which times are free on Friday? Look them up with the tool." },
    ],
    tools: [
      {
        name: "offer_slots",
        description: "Looks up free times on a day.",
        parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
      },
    ],
    maxTokens: 100,
  });
  const without = "it can talk, but book and change nothing by itself";
  if (heard instanceof ServerFault) {
    return { verdict: "missing", words: `It uses no tools, so ${without}: ${faultWords(heard)}` };
  }
  const call = heard.parts.find((part) => part.type === "toolCall")?.call;
  if (!call) return { verdict: "missing", words: `It did not use the tool that it was given, so ${without}.` };
  if (call.name !== "offer_slots" || !isJsonOf(Day, call.arguments)) {
    return { verdict: "missing", words: `It used the tool wrongly, so ${without}.` };
  }
  return { verdict: "works", words: `It uses tools: after ${heard.ms} ms.` };
}

async function trySchema(clock: Clock, client: ChatClient): Promise<Finding> {
  const { additionalProperties, properties, required, type } = Coming;
  const heard = await ask(clock, client, {
    messages: [{ role: "user", content: "Somebody said: I will come on Friday. Fill in whether they come, and why." }],
    tools: [],
    maxTokens: 100,
    jsonSchema: { name: "visit", schema: { type, properties, required, additionalProperties } },
  });
  const without = "summaries of calls are made by rules";
  if (heard instanceof ServerFault) {
    return { verdict: "missing", words: `It takes no JSON schema, so ${without}: ${faultWords(heard)}` };
  }
  const text = heard.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return isJsonOf(Coming, text)
    ? { verdict: "works", words: `It keeps to a JSON schema: after ${heard.ms} ms.` }
    : { verdict: "missing", words: `It does not keep to a JSON schema, so ${without}.` };
}

function isJsonOf(schema: typeof Day | typeof Coming, text: string): boolean {
  try {
    return Value.Check(schema, JSON.parse(text));
  } catch {
    return false;
  }
}
