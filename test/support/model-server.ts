// A scripted model server that follows the public OpenAI API to the letter, over sockets of its own, so that a test
// decides every byte: how a stream is cut, where it stalls, what is wrong in it.
import { createServer as createPlainServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { ServerAddress } from "../../src/speech/servers/port.ts";
import type { Certificate } from "./private-ca.ts";

export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Of a JSON body; empty otherwise. */
  json: ChatBody;
  /** Of a multipart body: file contents and plain fields. */
  fields: Record<string, Buffer>;
}

export interface ChatBody {
  model?: string;
  stream?: boolean;
  max_tokens?: number;
  messages?: { role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { type: string; function: { name: string; description: string; parameters: unknown } }[];
  response_format?: { type: string; json_schema: { name: string; schema: Record<string, unknown>; strict: boolean } };
  /** Of /audio/speech. */
  input?: string;
  voice?: string;
  [other: string]: unknown;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent one after the other, each in a chunk of its own. */
  pieces: readonly (string | Uint8Array)[];
  /** What the server waits for before a piece goes out, by the piece's place. */
  waits?: Readonly<Record<number, Promise<unknown>>>;
  /** With a Content-Length and no chunks. */
  isWhole?: boolean;
  /** How the answer ends: as it should, never, or with a cut connection. */
  ending?: "clean" | "never" | "cut";
}

export interface ModelServer {
  baseUrl: string;
  port: number;
  requests: SeenRequest[];
  connections(): number;
  /** What is answered; changed by a test at any time. */
  answer: (request: SeenRequest, nth: number) => Reply | Promise<Reply>;
  stop(): Promise<void>;
}

export function serverAddress(server: ModelServer, more: Partial<ServerAddress> = {}): ServerAddress {
  return {
    kind: "openai",
    id: "ms_test",
    name: "Test server",
    baseUrl: server.baseUrl,
    key: "sk-very-secret",
    model: "test-model",
    voice: null,
    languages: [],
    caPem: null,
    addresses: ["127.0.0.1"],
    firstMs: 2_500,
    totalMs: 20_000,
    ...more,
  };
}

export interface ScriptedToolCall {
  id?: string;
  name: string;
  arguments: string;
}

export interface ScriptedChat {
  text?: string;
  toolCalls?: readonly ScriptedToolCall[];
  finishReason?: string;
  /** Into how many characters a token's text is cut. */
  tokenChars?: number;
}

const MODEL_FACTS = { id: "chatcmpl-1", created: 1_790_000_000, model: "test-model" };

/** The events of a streamed chat answer, `[DONE]` included, as vLLM writes them. */
export function chatEvents({ text = "", toolCalls = [], finishReason, tokenChars = 4 }: ScriptedChat): string[] {
  const piece = (delta: unknown, reason: string | null = null) =>
    `data: ${JSON.stringify({
      ...MODEL_FACTS,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    })}\n\n`;
  const tokens = Array.from(text).reduce<string[]>((all, letter, i) => {
    if (i % tokenChars === 0) all.push("");
    all[all.length - 1] += letter;
    return all;
  }, []);
  const calls = toolCalls.flatMap(({ id = `call_${toolCalls.length}`, name, arguments: written }, index) => [
    piece({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...Array.from(written, (letter) => piece({ tool_calls: [{ index, function: { arguments: letter } }] })),
  ]);
  return [
    piece({ role: "assistant", content: "" }),
    ...tokens.map((content) => piece({ content })),
    ...calls,
    piece({}, finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop")),
    "data: [DONE]\n\n",
  ];
}

/** A streamed answer. */
export function chatReply(chat: ScriptedChat, more: Partial<Reply> = {}): Reply {
  return { headers: { "content-type": "text/event-stream; charset=utf-8" }, pieces: chatEvents(chat), ...more };
}

/** An answer in one piece, of a server that does not stream. */
export function wholeChatReply({ text = "", toolCalls = [], finishReason }: ScriptedChat): Reply {
  const calls = toolCalls.map(({ id = "call_1", ...call }) => ({ id, type: "function", function: call }));
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const reason = finishReason ?? (calls.length > 0 ? "tool_calls" : "stop");
  const choices = [{ index: 0, message, finish_reason: reason }];
  return jsonReply({ ...MODEL_FACTS, object: "chat.completion", choices });
}

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, headers: { "content-type": "application/json" }, pieces: [JSON.stringify(value)], isWhole: true };
}

/** As the API tells of a fault. */
export function errorReply(status: number, message = "no"): Reply {
  return jsonReply({ error: { message, type: "error", param: null, code: null } }, status);
}

/** Every byte of an answer in a chunk of its own. */
export function byteByByte(reply: Reply): Reply {
  const bytes = Buffer.concat(reply.pieces.map((piece) => Buffer.from(piece)));
  return { ...reply, pieces: Array.from(bytes, (byte) => Uint8Array.of(byte)) };
}

export async function startModelServer(certificate?: Certificate): Promise<ModelServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  const onSocket = (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    readRequests(socket, async (request) => {
      model.requests.push(request);
      await send(socket, await model.answer(request, model.requests.length - 1));
    });
  };
  const server = certificate
    ? createTlsServer({ cert: certificate.certPem, key: certificate.keyPem }, onSocket)
    : createPlainServer(onSocket);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  if (place === null || typeof place === "string") throw new Error("The model server has no port.");
  const model: ModelServer = {
    baseUrl: `${certificate ? "https" : "http"}://127.0.0.1:${place.port}/v1`,
    port: place.port,
    requests: [],
    connections: () => count,
    answer: () => chatReply({ text: "Hello." }),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return model;
}

function readRequests(socket: Socket, onRequest: (request: SeenRequest) => Promise<void>): void {
  let bytes = Buffer.alloc(0);
  let last = Promise.resolve();
  socket.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    for (;;) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end === -1) return;
      const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      const length = Number(headers["content-length"] ?? 0);
      if (bytes.length < end + 4 + length) return;
      const body = Buffer.from(bytes.subarray(end + 4, end + 4 + length));
      bytes = bytes.subarray(end + 4 + length);
      const [method = "", path = ""] = first.split(" ");
      const request = { method, path, headers, body, ...contentOf(headers["content-type"] ?? "", body) };
      last = last.then(() => onRequest(request)).catch(() => void socket.destroy());
    }
  });
}

function contentOf(contentType: string, body: Buffer): Pick<SeenRequest, "json" | "fields"> {
  if (contentType.startsWith("application/json")) {
    return { json: JSON.parse(body.toString("utf8")) as ChatBody, fields: {} };
  }
  const boundary = /boundary=(\S+)/.exec(contentType)?.[1];
  if (boundary === undefined) return { json: {}, fields: {} };
  const parts = body.toString("latin1").split(`--${boundary}`).slice(1, -1);
  const fields = parts.map((part): [string, Buffer] => {
    const end = part.indexOf("\r\n\r\n");
    const name = /name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? "";
    return [name, Buffer.from(part.slice(end + 4, -2), "latin1")];
  });
  return { json: {}, fields: Object.fromEntries(fields) };
}

async function send(socket: Socket, reply: Reply): Promise<void> {
  const { status = 200, headers = {}, pieces, waits = {}, isWhole = false, ending = "clean" } = reply;
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const framing = isWhole ? { "content-length": String(length) } : { "transfer-encoding": "chunked" };
  const lines = Object.entries({ ...framing, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n`);
  for (const [i, piece] of pieces.entries()) {
    await waits[i];
    if (socket.destroyed) return;
    const bytes = Buffer.from(piece);
    if (isWhole) socket.write(bytes);
    else if (bytes.length > 0) {
      socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]));
    }
  }
  if (ending === "cut") socket.destroy();
  if (ending === "clean" && !isWhole) socket.write("0\r\n\r\n");
  if (ending === "never") await new Promise(() => {});
}
