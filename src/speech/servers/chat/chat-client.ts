// Client for a language model over /chat/completions: streaming, tools and JSON Schema. Servers that do not stream are
// supported too.
import { createServerHttp, type GoodAnswer, type ServerHttpOptions } from "../http/server-http.ts";
import { ServerFault, type ChatClient, type ChatMessage, type ChatPart, type ChatRequest } from "../port.ts";
import { createChatParts } from "./chat-parts.ts";
import { createEventStream } from "./event-stream.ts";

/** A turn's answer is a few hundred bytes of text; in a stream each token takes about 300 bytes of JSON. */
const MOST_BYTES = 2 * 1024 * 1024;

export function createChatClient(options: Omit<ServerHttpOptions, "role">): ChatClient {
  const http = createServerHttp({ ...options, role: "language" });
  return {
    async *stream(request, signal) {
      const body = Buffer.from(JSON.stringify(bodyOf(options.address.model, request)));
      const asked = { method: "POST", path: "/chat/completions", contentType: "application/json" } as const;
      const answer = await http.ask({ ...asked, body, mostBytes: MOST_BYTES }, signal);
      let fault: ServerFault | null = null;
      try {
        yield* partsOf(answer);
      } catch (error) {
        fault = error instanceof ServerFault ? error : new ServerFault("garbage");
        throw fault;
      } finally {
        answer.finish(fault);
      }
    },
    warm: () => http.warm(),
    close: () => http.close(),
  };
}

async function* partsOf(answer: GoodAnswer): AsyncGenerator<ChatPart> {
  const parts = createChatParts();
  const start = await startOf(answer);
  if (start.toString("latin1").trimStart().startsWith("{")) {
    yield* parts.read(await wholeText(answer, start));
    yield* parts.end();
    return;
  }
  const events = createEventStream();
  for (let bytes: Buffer | null = start; bytes !== null; bytes = await answer.next()) {
    for (const data of events.push(bytes)) {
      if (data.trim() === "[DONE]") {
        yield* parts.end();
        return;
      }
      yield* parts.read(data);
    }
  }
  for (const data of events.end()) if (data.trim() !== "[DONE]") yield* parts.read(data);
  // A cut stream has neither a finish reason nor an end: a partial answer is not an answer.
  if (!parts.hasEnded()) throw new ServerFault("garbage");
  yield* parts.end();
}

/** Reads up to the first visible byte, which tells one JSON object from a stream. Content types are often wrong. */
async function startOf(answer: GoodAnswer): Promise<Buffer> {
  let start = Buffer.alloc(0);
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) {
    start = Buffer.concat([start, bytes]);
    if (start.toString("latin1").trim() !== "") break;
  }
  return start;
}

async function wholeText(answer: GoodAnswer, start: Buffer): Promise<string> {
  const pieces = [start];
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) pieces.push(bytes);
  return Buffer.concat(pieces).toString("utf8");
}

function bodyOf(model: string, request: ChatRequest): Record<string, unknown> {
  const { tools, jsonSchema } = request;
  return {
    model,
    messages: request.messages.map(messageOf),
    stream: true,
    max_tokens: request.maxTokens,
    temperature: request.temperature ?? 0,
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: tool })), tool_choice: "auto" }),
    ...(jsonSchema === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { ...jsonSchema, strict: true } } }),
  };
}

function messageOf({ role, content, toolCalls, toolCallId }: ChatMessage): Record<string, unknown> {
  return {
    role,
    content,
    ...(toolCalls === undefined || toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}
