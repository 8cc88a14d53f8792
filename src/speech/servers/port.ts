// Port of a hospital's own model servers, which use the OpenAI-compatible API of vLLM, Ollama, llama.cpp and Speaches.
// Everything here survives structuredClone, because it is sent to the line's thread with a call. Keys and content are
// never logged.

/** A server with its resolved and allowed addresses; no others are connected to. */
export interface ServerAddress {
  kind: "openai";
  id: string;
  name: string;
  /** Such as https://gpu.hospital.example:8000/v1, without a trailing slash. */
  baseUrl: string;
  key: string | null;
  model: string;
  voice: string | null;
  /** BCP 47 prefixes it is used for ("hi", "ta"); empty: every language. */
  languages: readonly string[];
  /** Certificate authorities in PEM, replacing those of the system. */
  caPem: string | null;
  /** Verified against the allow list. */
  addresses: readonly string[];
  /** Timeout for the first byte of the response body. */
  firstMs: number;
  /** Timeout for the whole response. */
  totalMs: number;
}

/** A local program with standard input and output; from the configuration only. */
export interface CommandAddress {
  kind: "command";
  id: string;
  name: string;
  /** Program and arguments; no shell. */
  command: readonly string[];
  languages: readonly string[];
  totalMs: number;
}

export type ServerRole = "language" | "recognition" | "voice";

/** Servers of one call; null: built in. */
export interface ModelServers {
  language: ServerAddress | null;
  recognition: ServerAddress | CommandAddress | null;
  voice: ServerAddress | CommandAddress | null;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  /** In an assistant's message. */
  toolCalls?: readonly ToolCall[];
  /** In a tool's message: the call it answers. */
  toolCallId?: string;
}

export interface ToolCall {
  id: string;
  name: string;
  /** Raw JSON of the model; not validated. */
  arguments: string;
}

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  tools: readonly ToolSpec[];
  maxTokens: number;
  /** Defaults to 0. */
  temperature?: number;
  /** Requests one JSON value of this schema; servers may ignore it, so validate the answer. */
  jsonSchema?: { name: string; schema: Record<string, unknown> };
}

export type ChatPart =
  | { type: "text"; text: string }
  /** Complete, regardless of the number of chunks. */
  | { type: "toolCall"; call: ToolCall }
  /** The server's finish_reason ("stop", "length", "tool_calls"); the last part. */
  | { type: "end"; reason: string };

export interface ChatClient {
  /** The parts of one answer, in order. Throws nothing but a ServerFault. */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
  /** Opens a connection before the first request. Never fails. */
  warm(): void;
  /** Closes its connections. */
  close(): void;
}

export type ServerFaultKind =
  /** The response did not start or finish in time. */
  | "timeout"
  /** Connection failed, TLS failed, or the address is not allowed. */
  | "refused"
  /** Status other than 200. */
  | "status"
  /** The response does not match the API. */
  | "garbage"
  | "tooLong"
  /** The request was cancelled. */
  | "aborted";

/** Why a request failed. Never contains content or the key. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";

  constructor(
    readonly kind: ServerFaultKind,
    readonly status: number | null = null,
  ) {
    super(status === null ? `model server: ${kind}` : `model server: ${kind} ${status}`);
  }
}

/** Audit record of what was sent where: counts and times, no content. */
export interface SentNote {
  /** Id of the server. */
  server: string;
  host: string;
  role: ServerRole;
  requests: number;
  bytesOut: number;
  bytesIn: number;
  ms: number;
  failures: number;
}

/** Called once per request, at its end. */
export type NoteSent = (note: SentNote) => void;
