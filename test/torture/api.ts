// One request of the load and its result: answered, unanswered, or no server was listening.
import type { Tortured } from "./tortured.ts";

export type Reply =
  | { kind: "answer"; status: number; code: string | null; data: Record<string, unknown>; text: string }
  /** Sent without an answer, or answered "outcome unknown": it may have been applied. */
  | { kind: "silence" }
  /** It was never sent. */
  | { kind: "nobody" };

/** Longer than any answer takes on a busy machine; a client that hears nothing for so long gives up. */
const PATIENCE_MS = 30_000;

export interface Ask {
  method: string;
  path: string;
  body?: unknown;
  key?: string | null;
}

export function createApi(tortured: Tortured, apiKey: string) {
  return async ({ method, path, body, key = null }: Ask): Promise<Reply> => {
    try {
      const response = await fetch(`${tortured.url}${path}`, {
        method,
        // A connection of its own: one that is used again may be sent a request twice by the client's own library.
        keepalive: false,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          "x-api-key": apiKey,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === null ? {} : { "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = parsed(text);
      const code = json.error?.code ?? null;
      if (isNotKnown(json)) return { kind: "silence" };
      return { kind: "answer", status: response.status, code, data: json.data ?? {}, text };
    } catch (error) {
      return { kind: isRefusedConnection(error) ? "nobody" : "silence" };
    }
  };
}

export type Api = ReturnType<typeof createApi>;

interface Body {
  data?: Record<string, unknown>;
  error?: { code: string; message: string };
}

/** An honest answer, and no more than silence: the database was lost while it was told to keep it. */
const isNotKnown = ({ error }: Body): boolean =>
  error?.code === "UNAVAILABLE" && error.message.includes("it is not known whether this was stored");

/** An answer that was cut off is no answer. */
function parsed(text: string): Body {
  return text === "" ? {} : (JSON.parse(text) as Body);
}

const isRefusedConnection = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ConnectionRefused" || error.code === "ECONNREFUSED");
