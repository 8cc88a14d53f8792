// One request, in parts that can be removed when a fault is minimised.
import type { Operation } from "./document.ts";

export type Body = { kind: "json"; value: unknown } | { kind: "bytes"; bytes: Uint8Array };

export interface FuzzRequest {
  operation: Operation;
  /** Authentication headers; empty for an anonymous request, or if the URL itself is the secret. */
  credential: Readonly<Record<string, string>>;
  /** Path values, encoded. */
  path: Readonly<Record<string, string>>;
  /** Query names and values, encoded. */
  query: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
  body: Body | null;
  /** Returns signature headers over the body, which are added to the others. */
  sign?: (bytes: Uint8Array) => Record<string, string>;
}

/** Characters invalid in a URL (lone surrogates) become the replacement character. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

export function addressOf({ operation, path, query }: FuzzRequest): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  return query.length === 0 ? filled : `${filled}?${query.map(([name, value]) => `${name}=${value}`).join("&")}`;
}

export function bytesOf({ body }: FuzzRequest): Uint8Array | null {
  if (body === null) return null;
  return body.kind === "bytes" ? body.bytes : new TextEncoder().encode(JSON.stringify(body.value));
}

export function headersOf(request: FuzzRequest): Record<string, string> {
  const bytes = bytesOf(request);
  return {
    ...(request.body === null ? {} : { "content-type": "application/json" }),
    ...(bytes && request.sign ? request.sign(bytes) : {}),
    ...request.credential,
    ...request.headers,
  };
}

/** Everything that was sent, to distinguish an echo from a leak. */
export function sentText(request: FuzzRequest): string {
  const bytes = bytesOf(request);
  return `${decodedLoosely(addressOf(request))} ${bytes ? new TextDecoder().decode(bytes) : ""}`;
}

function decodedLoosely(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** A ping through the inbound webhook changes nothing: its data is ignored and its Idempotency-Key is not kept. */
export const isPing = (body: unknown): boolean => (body as { action?: unknown } | null)?.action === "ping";
