// Asks a running Ringward as an integrator's program would.
import { expect } from "bun:test";
import type { Running } from "./binary.ts";

export interface ApiError {
  code: string;
  message: string;
  details?: { field: string; message: string }[];
  request_id: string;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  data: Record<string, unknown>;
  error: ApiError;
}

export interface AskOptions {
  /** Null for no key at all; without it, the demo's key. */
  key?: string | null;
  /** Sent as JSON, or as it is where it is text. */
  body?: unknown;
  headers?: Record<string, string>;
}

export async function ask(server: Running, method: string, path: string, options: AskOptions = {}): Promise<ApiAnswer> {
  const { key = server.demo["api_key"] ?? null, body, headers = {} } = options;
  const response = await fetch(`${server.url}${path}`, {
    ...(server.trusts && { tls: server.trusts }),
    method,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = parsed(text);
  return { status: response.status, headers: response.headers, text, data: json.data, error: json.error };
}

function parsed(text: string): Pick<ApiAnswer, "data" | "error"> {
  try {
    return JSON.parse(text) as Pick<ApiAnswer, "data" | "error">;
  } catch {
    return {} as Pick<ApiAnswer, "data" | "error">;
  }
}

/** A call far enough ahead that nothing dials it while a test looks at it. */
export function newCall(server: Running, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    agent_id: server.demo["agent_id"],
    user_number: "+912255550123",
    scheduled_time: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    ...changes,
  };
}

/** Creates a call and answers its id; throws where it was not acknowledged. */
export async function createCall(server: Running, changes: Record<string, unknown> = {}): Promise<string> {
  const answer = await ask(server, "POST", "/v1/calls", { body: newCall(server, changes) });
  if (answer.status !== 201) throw new Error(`POST /v1/calls answered ${answer.status}: ${answer.text}`);
  return String(answer.data["call_id"]);
}

/** Every error looks the same: code, message, and the id that the header carries too. */
export function expectError(answer: ApiAnswer, status: number, code: string): void {
  expect([answer.status, answer.error.code, answer.text]).toEqual([status, code, answer.text]);
  expect(answer.error.message).toMatch(/\S{3,}/);
  expect(answer.error.request_id).toMatch(/^req_\w{20,}$/);
  expect(answer.headers.get("x-request-id")).toBe(answer.error.request_id);
  expect(answer.headers.get("content-type")).toStartWith("application/json");
}
