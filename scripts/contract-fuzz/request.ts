// One request of the fuzz, in parts that can be taken away again when a fault is made smaller.
import type { Operation } from "./document.ts";

export type Body = { kind: "json"; value: unknown } | { kind: "bytes"; bytes: Uint8Array };

export interface FuzzRequest {
  operation: Operation;
  /** Headers that say who asks; empty where nobody does, or where the address itself is the secret. */
  credential: Readonly<Record<string, string>>;
  /** Values of the path, encoded. */
  path: Readonly<Record<string, string>>;
  /** Names and values, encoded. */
  query: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
  body: Body | null;
  /** Puts the headers of a signature over the body beside the others. */
  sign?: (bytes: Uint8Array) => Record<string, string>;
}

/** What is no text for an address (half a surrogate pair) is sent as the replacement character. */
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

/** All that was sent, to tell an echo from a leak. */
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
