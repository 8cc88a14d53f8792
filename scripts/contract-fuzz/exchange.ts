// Sends a request and records the response.
import type { Case } from "./cases.ts";
import { addressOf, bytesOf, headersOf, type FuzzRequest } from "./request.ts";
import type { Organisation } from "./world.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** Empty if the body is not text. */
  text: string;
  /** Undefined if the body is not JSON. */
  json: unknown;
}

export interface Exchange {
  sent: Case;
  organisation: Organisation;
  answer: Answer;
  /** The response to the twin, if there is one. */
  twin: Answer | null;
}

/** Longer than any response takes on a busy machine. */
const PATIENCE_MS = 60_000;

export async function send(url: string, request: FuzzRequest): Promise<Answer> {
  const bytes = bytesOf(request);
  const response = await fetch(url + addressOf(request), {
    method: request.operation.method,
    headers: headersOf(request),
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(bytes === null ? {} : { body: Buffer.from(bytes) }),
  });
  const isText = /json|text|xml/.test(response.headers.get("content-type") ?? "");
  const text = isText ? await response.text() : "";
  if (!isText) await response.arrayBuffer();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
