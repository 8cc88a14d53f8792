// A hospital's own model servers, as whoever talks with them sees them. They speak the OpenAI-compatible API that vLLM,
// Ollama, llama.cpp and Speaches share. Everything here survives structuredClone: it travels with a call to its line's
// thread. Keys and what is sent never enter a log.

/** A server, with the addresses that were looked up and allowed: only these are connected to. */
export interface ServerAddress {
  kind: "openai";
  id: string;
  name: string;
  /** Such as https://gpu.hospital.example:8000/v1, without a slash at the end. */
  baseUrl: string;
  key: string | null;
  model: string;
  voice: string | null;
  /** BCP 47 prefixes that it is used for ("hi", "ta"); empty: every language. */
  languages: readonly string[];
  /** Certificate authorities to trust instead of the system's, as PEM. */
  caPem: string | null;
  /** Checked against the allow-list. */
  addresses: readonly string[];
  /** How long the first byte of an answer's body may take. */
  firstMs: number;
  /** How long the whole answer may take. */
  totalMs: number;
}

/** A program of this machine that reads its standard input and writes its standard output; from the configuration alone. */
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

/** What one call may use; null: what is built in. */
export interface ModelServers {
  language: ServerAddress | null;
  recognition: ServerAddress | CommandAddress | null;
  voice: ServerAddress | CommandAddress | null;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  /** Of an assistant's message. */
  toolCalls?: readonly ToolCall[];
  /** Of a tool's message: the call that it answers. */
  toolCallId?: string;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON as the model wrote it: not checked. */
  arguments: string;
}

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON schema of the arguments' object. */
  parameters: Record<string, unknown>;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  tools: readonly ToolSpec[];
  maxTokens: number;
  /** 0 where it is not said. */
  temperature?: number;
  /** The answer is one JSON value of this schema, where the server can; check it all the same. */
  jsonSchema?: { name: string; schema: Record<string, unknown> };
}

export type ChatPart =
  | { type: "text"; text: string }
  /** Whole, however many pieces it came in. */
  | { type: "toolCall"; call: ToolCall }
  /** The server's finish_reason ("stop", "length", "tool_calls"); the last part. */
  | { type: "end"; reason: string };

export interface ChatClient {
  /** One answer, in the order it comes. Throws a ServerFault, and nothing else. */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
  /** Opens a connection ahead of the first question. Never fails. */
  warm(): void;
  /** Lets go of the connections that it holds. */
  close(): void;
}

export type ServerFaultKind =
  /** It did not begin to answer, or did not finish, in time. */
  | "timeout"
  /** No connection, TLS that does not hold, or an address that is not allowed. */
  | "refused"
  /** It answered with a status other than 200. */
  | "status"
  /** It answered something that is not the API. */
  | "garbage"
  | "tooLong"
  /** Whoever asked no longer wants the answer. */
  | "aborted";

/** Why a server did not answer. Never quotes what was sent or received, nor the key. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";

  constructor(
    readonly kind: ServerFaultKind,
    readonly status: number | null = null,
  ) {
    super(status === null ? `model server: ${kind}` : `model server: ${kind} ${status}`);
  }
}

/** What was sent where, for the audit: counts and times, no content. */
export interface SentNote {
  /** The server's id. */
  server: string;
  host: string;
  role: ServerRole;
  requests: number;
  bytesOut: number;
  bytesIn: number;
  ms: number;
  failures: number;
}

/** Told once for each request when it is over. */
export type NoteSent = (note: SentNote) => void;
