// Requests to one model server: pinned to its verified addresses, bounded in time and size, without redirects, each one
// recorded. Content is never logged.
//
// HTTP/1.1 is implemented here because, as with webhooks (events/safe-post/safe-post.ts), `fetch` cannot be pinned to
// an address while keeping the host name, uses the environment's proxies, and reads headers without a limit.
import type { Clock } from "../../../core/clock.ts";
import { ServerFault, type NoteSent, type ServerAddress, type ServerRole } from "../port.ts";
import { createConnections } from "./connections.ts";
import { exchange, type Answer, type Over } from "./exchange.ts";
import { readServerUrl } from "../../../net/http-url.ts";

export interface ServerHttp {
  /** A streamed response with status 200. Throws nothing but a ServerFault. */
  ask(request: HttpRequest, signal: AbortSignal): Promise<GoodAnswer>;
  /** Opens a connection before the first request. Never fails. */
  warm(): void;
  close(): void;
}

export interface GoodAnswer extends Pick<Answer, "contentType" | "next"> {
  /** Call it when the response is no longer needed, with the fault found in it, if any. */
  finish(fault?: ServerFault | null): void;
}

export interface HttpRequest {
  method: "GET" | "POST";
  /** Relative to the base URL, such as /chat/completions. */
  path: string;
  contentType: string;
  body: Uint8Array;
  mostBytes: number;
}

export interface ServerHttpOptions {
  clock: Clock;
  address: ServerAddress;
  role: ServerRole;
  note: NoteSent;
}

const UNSENDABLE = /[^\x21-\x7e]/;
const NEVER = new AbortController().signal;

export function createServerHttp({ clock, address, role, note }: ServerHttpOptions): ServerHttp {
  const url = readServerUrl(address.baseUrl);
  const connections = createConnections(clock, address);
  const limits = (request: HttpRequest) => ({
    firstMs: address.firstMs,
    totalMs: address.totalMs,
    mostBytes: request.mostBytes,
  });

  const send = async (request: HttpRequest, bytes: Buffer, signal: AbortSignal, onOver: (over: Over) => void) => {
    const { socket, wasWaiting } = await connections.take(address.firstMs, signal);
    const over = (kept: typeof socket) => (outcome: Over) => {
      if (outcome.isReusable) connections.put(kept);
      onOver(outcome);
    };
    // A server may close an idle connection at any time. These requests are safe to repeat.
    const isLost = (outcome: Over) => wasWaiting && outcome.fault?.kind === "refused" && outcome.bytesIn === 0;
    const first = await exchange(clock, socket, bytes, limits(request), signal, (outcome) => {
      if (!isLost(outcome)) over(socket)(outcome);
    });
    if (first) return first;
    if (!wasWaiting) throw new ServerFault("refused");
    const fresh = await connections.open(address.firstMs, signal);
    const second = await exchange(clock, fresh, bytes, limits(request), signal, over(fresh));
    if (second) return second;
    throw new ServerFault("refused");
  };

  return {
    async ask(request, signal) {
      const bytes = requestBytes(url.authority, url.path, address.key, request);
      const startedMs = clock.elapsedMs();
      let isNoted = false;
      const over = (bytesIn: number, fault: ServerFault | null) => {
        if (isNoted) return;
        isNoted = true;
        const ms = Math.round(clock.elapsedMs() - startedMs);
        // A cancelled request says nothing about the server.
        const failures = fault === null || fault.kind === "aborted" ? 0 : 1;
        note({
          server: address.id,
          host: url.host,
          role,
          requests: 1,
          bytesOut: bytes.length,
          bytesIn,
          ms,
          failures,
        });
      };
      try {
        const answer = await send(request, bytes, signal, ({ bytesIn, fault }) => {
          if (fault) over(bytesIn, fault);
        });
        const finish = (fault: ServerFault | null = null) => {
          over(answer.bytesIn(), fault);
          answer.finish();
        };
        if (answer.status === 200) return { contentType: answer.contentType, next: answer.next, finish };
        const fault = new ServerFault("status", answer.status);
        finish(fault);
        throw fault;
      } catch (error) {
        const fault = error instanceof ServerFault ? error : new ServerFault("refused");
        over(0, fault);
        throw fault;
      }
    },
    warm() {
      connections.open(address.firstMs, NEVER).then(
        (socket) => connections.put(socket),
        () => {},
      );
    },
    close: () => connections.close(),
  };
}

function requestBytes(authority: string, before: string, key: string | null, request: HttpRequest): Buffer {
  // A key with a line break would inject headers.
  if (key !== null && UNSENDABLE.test(key)) throw new ServerFault("refused");
  const head = [
    `${request.method} ${before}${request.path} HTTP/1.1`,
    `Host: ${authority}`,
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    "Accept: */*",
    "Accept-Encoding: identity",
    ...(request.method === "GET" ? [] : [`Content-Type: ${request.contentType}`]),
    ...(request.method === "GET" ? [] : [`Content-Length: ${request.body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), request.body]);
}
