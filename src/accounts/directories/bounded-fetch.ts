// Requests to an OpenID Connect provider: only to its own hosts, without redirects, bounded in time and size.
import { getCACertificates } from "node:tls";
import type { Clock } from "../../core/clock.ts";
import { startDeadline } from "../../net/deadline.ts";
import { DirectoryFault } from "./model.ts";

/** Discovery documents and keys have some 10 kB; a token with 200 groups has 20 kB. */
const MOST_BYTES = 256 * 1_024;

export interface BoundedFetchOptions {
  clock: Pick<Clock, "after" | "elapsedMs">;
  /** As in URL.host: with the port unless it is the usual one. */
  hosts: ReadonlySet<string>;
  caPem: string | null;
  timeoutMs: number;
}

export interface BoundedRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: ArrayBuffer | ReadableStream | string | Uint8Array | URLSearchParams | null | undefined;
}

export type BoundedFetch = (url: string, request: BoundedRequest) => Promise<Response>;

export function createBoundedFetch({ clock, hosts, caPem, timeoutMs }: BoundedFetchOptions): BoundedFetch {
  const tls = caPem === null ? {} : { tls: { ca: [...authorities(), caPem] } };
  return async (url, { method = "GET", headers: sent = {}, body: given }) => {
    const { host } = new URL(url);
    if (!hosts.has(host)) throw new DirectoryFault(`The provider refers to ${host}, which is not among its hosts.`);
    const deadline = startDeadline(timeoutMs, { clock });
    const controller = new AbortController();
    const cancel = deadline.onPassed(() => controller.abort());
    try {
      const request = { method, headers: sent, ...(given !== undefined && { body: given as BodyInit | null }) };
      const response = await fetch(url, { ...request, ...tls, redirect: "manual", signal: controller.signal });
      const body = await bytesOf(response);
      const { status, headers } = response;
      return new Response(status === 204 || status === 304 ? null : body, { status, headers: plain(headers) });
    } catch (error) {
      if (error instanceof DirectoryFault) throw error;
      throw new DirectoryFault(
        controller.signal.aborted ? `${host} did not answer in time.` : `${host} cannot be reached.`,
        { cause: error },
      );
    } finally {
      cancel();
    }
  };
}

function authorities(): string[] {
  const system = getCACertificates("system");
  return system.length > 0 ? system : getCACertificates("bundled");
}

/** The body is decoded already. */
function plain(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-encoding");
  kept.delete("content-length");
  return kept;
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MOST_BYTES) throw new DirectoryFault("The provider's answer is too long.");
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
