// HTTP POST to user-supplied URLs with SSRF protection: https only, every address checked and pinned, certificates
// always verified, no redirects, limited response size, and a hard deadline.
import { SECOND_MS, stopwatch, systemClock } from "../../core/clock.ts";
import { invalidField, messageOf } from "../../core/errors.ts";
import { formatIp } from "../../net/addresses.ts";
import type { Bytes } from "../../core/hmac.ts";
import { lazily } from "../../core/lazily.ts";
import { deliveryHeaders, type ToSign } from "../signing.ts";
import { parseAllowList } from "./allow-list.ts";
import { openConnection } from "../../net/http/open-connection.ts";
import { trustedBy } from "../../net/tls.ts";
import { startDeadline, type Deadline } from "../../net/deadline.ts";
import { NoAnswer, requestBytes, type Connection } from "../../net/http/connection.ts";
import { excerptOf } from "./excerpt.ts";
import { NetFailure } from "../../net/failure.ts";
import { createIdlePool } from "../../net/http/idle-pool.ts";
import { throughProxy } from "../../net/http/proxy.ts";
import { systemResolve } from "../../net/dns.ts";
import type { HttpUrl } from "../../net/http-url.ts";
import { checkedAddresses } from "./checked-addresses.ts";
import { exchangeForStart, type AnswerStart } from "../../net/http/answer-start.ts";
import { readTarget, UrlFault } from "./url-check.ts";

export { parseAllowList } from "./allow-list.ts";

/** A delivery is signed on the thread that posts it, not on the thread that serves requests and calls. */
export type PostRequest = {
  url: string;
  /** Text is sent as UTF-8. It is cheaper to transfer to another thread than bytes. */
  body: Bytes;
  /** From the start of the DNS lookup to the last byte of the response. */
  timeoutMs: number;
  /**
   * At most `atOnce` posts of one line are in flight; the next waits briefly for a place. Ignored unless `keepsPlaces`
   * is set.
   */
  line?: string;
  atOnce?: number;
} & ({ headers: Record<string, string> } | { toSign: ToSign });

export function headersOf(request: PostRequest): Record<string, string> {
  return "toSign" in request ? deliveryHeaders(request.toSign, request.body) : request.headers;
}

export type PostResult =
  /** `excerpt`: at most 1,000 characters of the response without control characters. `retryAfter`: the raw header. */
  | { kind: "answered"; status: number; excerpt: string; durationMs: number; retryAfter?: string | null }
  | { kind: "timeout" | "unreachable" | "blocked" | "our_fault"; detail: string; durationMs: number }
  /** For a post with `atOnce`: no place became free in time, and nothing was sent. */
  | { kind: "not_begun"; detail: string; durationMs: number };

export interface SafePost {
  /**
   * Checks a URL at registration: throws AppError VALIDATION_ERROR on field "url" if it can never be sent to. No DNS.
   */
  checkUrl(url: string): void;
  /** Never throws. */
  post(request: PostRequest): Promise<PostResult>;
  /** Posts may be handed over before a place is free (waiting-line.ts). */
  keepsPlaces?: true;
  /** Starts the resources for posting in advance, in case clients exhaust the file descriptors later. Never throws. */
  ready?(): Promise<void>;
}

export interface SafePostOptions {
  /** Host names, addresses and CIDRs of allowed private, loopback and unique-local receivers. */
  allow: readonly string[];
  /** CA certificates trusted in addition to the system's. */
  caPem: string | null;
  /** `http://host:port`. Proxies from the environment are ignored. */
  proxyUrl: string | null;
  resolve?: (host: string) => Promise<string[]>;
}

/** Each step has its own timeout. This is the backstop, because a shutdown waits for attempts in flight. */
const BACKSTOP_MS = 2_000;
/**
 * Twice the concurrency limit of one endpoint (pace.ts), because two endpoints may share a host. Node servers close an
 * idle connection after 5 s, others later.
 */
const IDLE = { mostPerOrigin: 64, mostInAll: 256, longestRestMs: 4 * SECOND_MS };
/** Cache size of parsed URLs; parsing one takes as long as a small exchange. */
const MOST_TARGETS = 1_000;

export function createSafePost(options: SafePostOptions): SafePost {
  const allow = parseAllowList(options.allow);
  // The system's CA certificates are slow to load and are loaded on first use; an invalid file is reported immediately.
  const trust = lazily(() => trustedBy(options.caPem));
  if (options.caPem !== null) trust();
  const openTunnel = options.proxyUrl === null ? null : throughProxy(options.proxyUrl);
  const resolve = options.resolve ?? systemResolve;
  const idle = createIdlePool(IDLE);
  const targets = new Map<string, HttpUrl>();

  /** The parsed URL and the allow-list never change, so they are cached. DNS is resolved every time. */
  function targetOf(url: string): HttpUrl {
    const known = targets.get(url);
    if (known) return known;
    const target = readTarget(url, allow);
    if (targets.size >= MOST_TARGETS) targets.clear();
    targets.set(url, target);
    return target;
  }

  async function answerTo(request: PostRequest, deadline: Deadline): Promise<AnswerStart> {
    const target = targetOf(request.url);
    const bytes = requestBytes(target, headersOf(request), request.body);
    const addresses = await checkedAddresses(target, allow, resolve, deadline);
    const origin = `${target.host} ${target.port}`;
    const exchangeOver = async (connection: Connection) => {
      const answer = await exchangeForStart(connection, bytes, deadline);
      if (answer.isReusable) idle.put(origin, connection);
      return answer;
    };

    const waiting = idle.take(origin, addresses.map(formatIp));
    if (waiting) {
      try {
        return await exchangeOver(waiting);
      } catch (error) {
        // Deliveries are at-least-once and carry an event id, so the same bytes may be sent again.
        if (!(error instanceof NoAnswer)) throw error;
      }
    }
    return exchangeOver(await openConnection(target, addresses, trust(), openTunnel, deadline));
  }

  return {
    checkUrl(url) {
      try {
        readTarget(url, allow);
      } catch (error) {
        throw error instanceof UrlFault ? invalidField("url", error.message) : error;
      }
    },
    async post(request) {
      const elapsedMs = stopwatch();
      try {
        const deadline = startDeadline(request.timeoutMs);
        const answer = await withBackstop(deadline, answerTo(request, deadline));
        return {
          kind: "answered",
          status: answer.status,
          excerpt: excerptOf(answer),
          retryAfter: answer.retryAfter,
          durationMs: Math.round(elapsedMs()),
        };
      } catch (error) {
        return { ...failureOf(error), durationMs: Math.round(elapsedMs()) };
      }
    },
  };
}

function withBackstop(deadline: Deadline, attempt: Promise<AnswerStart>): Promise<AnswerStart> {
  return new Promise((resolve, reject) => {
    let cancelBackstop = () => {};
    const neverEnded = () => reject(new NetFailure("our_fault", "The attempt did not end at its deadline."));
    const cancel = deadline.onPassed(() => {
      cancelBackstop = systemClock.after(BACKSTOP_MS, neverEnded);
    });
    const ending =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        cancel();
        cancelBackstop();
        settle(value);
      };
    attempt.then(ending(resolve), ending(reject));
  });
}

function failureOf(error: unknown): { kind: NetFailure["kind"]; detail: string } {
  if (error instanceof NetFailure) return { kind: error.kind, detail: error.message };
  if (error instanceof UrlFault) return { kind: "blocked", detail: error.message };
  return { kind: "our_fault", detail: messageOf(error) };
}
