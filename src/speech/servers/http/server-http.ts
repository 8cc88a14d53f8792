// Requests to one model server: pinned to its verified addresses, bounded in time and size, without redirects, each one
// recorded. Content is never logged.
// Certificates are checked against the URL's host name, never the address; proxies of the environment are ignored.
import type { Clock } from "../../../core/clock.ts";
import { ServerFault, type NoteSent, type ServerAddress, type ServerRole } from "../port.ts";
import { formatIp, parseZonedIp } from "../../../net/addresses.ts";
import { startDeadline } from "../../../net/deadline.ts";
import { NetFailure } from "../../../net/failure.ts";
import { readServerUrl, type HttpUrl } from "../../../net/http-url.ts";
import type { Connection } from "../../../net/http/connection.ts";
import { createIdlePool } from "../../../net/http/idle-pool.ts";
import { openConnection } from "../../../net/http/open-connection.ts";
import { keptTrust } from "../../../net/tls.ts";
import { exchange, faultOf, type Answer, type Over } from "./exchange.ts";

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

/** A conversation sends one request at a time, or two clauses while the next question warms up; pauses are long. */
const IDLE = { mostPerOrigin: 4, mostInAll: 4, longestRestMs: null };
const UNSENDABLE = /[^\x21-\x7e]/;
const NEVER = new AbortController().signal;

export function createServerHttp({ clock, address, role, note }: ServerHttpOptions): ServerHttp {
  const url = readServerUrl(address.baseUrl);
  const { send, warm, close } = createSender(clock, address, url);

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
    warm,
    close,
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

/** What a request goes over: connections to the verified addresses, kept for the next request. */
function createSender(clock: Clock, address: ServerAddress, url: HttpUrl) {
  const addresses = address.addresses.flatMap((text) => parseZonedIp(text) ?? []);
  const idle = createIdlePool(IDLE);
  const limits = (request: HttpRequest) => ({
    firstMs: address.firstMs,
    totalMs: address.totalMs,
    mostBytes: request.mostBytes,
  });

  /** Always a new connection. Throws a ServerFault. */
  const open = async (signal: AbortSignal): Promise<Connection> => {
    const deadline = startDeadline(address.firstMs, { clock, signal });
    try {
      return await openConnection(url, addresses, url.isTls ? keptTrust(address.caPem) : null, null, deadline);
    } catch (error) {
      if (signal.aborted) throw new ServerFault("aborted");
      throw error instanceof NetFailure ? faultOf(error) : new ServerFault("refused");
    }
  };

  const send = async (request: HttpRequest, bytes: Buffer, signal: AbortSignal, onOver: (over: Over) => void) => {
    const over = (connection: Connection) => (outcome: Over) => {
      if (outcome.isReusable) idle.put(url.host, connection);
      onOver(outcome);
    };
    const kept = idle.take(url.host, addresses.map(formatIp));
    if (kept) {
      // A server may close an idle connection at any time. These requests are safe to repeat.
      const isLost = (outcome: Over) => outcome.fault?.kind === "refused" && outcome.bytesIn === 0;
      const first = await exchange(clock, kept, bytes, limits(request), signal, (outcome) => {
        if (!isLost(outcome)) over(kept)(outcome);
      });
      if (first) return first;
    }
    const fresh = await open(signal);
    const answer = await exchange(clock, fresh, bytes, limits(request), signal, over(fresh));
    if (answer) return answer;
    throw new ServerFault("refused");
  };

  return {
    send,
    warm() {
      open(NEVER).then(
        (connection) => idle.put(url.host, connection),
        () => {},
      );
    },
    close: () => idle.close(),
  };
}
