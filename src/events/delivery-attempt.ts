// One delivery attempt: builds, signs and sends the body, and converts the result to an attempt record.
import { SECOND_MS, stopwatch } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Attempt } from "./attempt-record.ts";
import { buildBody, type EventToSend } from "./body.ts";
import type { EndpointService } from "./endpoint-service.ts";
import type { LinksOf } from "./media-port.ts";
import type { Endpoint } from "./records.ts";
import { redacted } from "./redact.ts";
import { ATTEMPT_TIMEOUT_MS } from "./retry-schedule.ts";
import type { PostResult, SafePost } from "./safe-post/safe-post.ts";
import { pauseMs } from "./pace.ts";

export interface AttemptDeps {
  endpoints: Pick<EndpointService, "signingSecrets">;
  safePost: SafePost;
  linksOf: LinksOf;
}

/** Null if it waited too long for a free place: nothing was sent. */
export async function attemptDelivery(
  { endpoints, safePost, linksOf }: AttemptDeps,
  at: number,
  event: EventToSend & { attempts: number },
  endpoint: Endpoint,
  atOnce: number,
): Promise<Attempt | null> {
  const elapsedMs = stopwatch();
  let isBuilt = false;
  try {
    const secrets = endpoints.signingSecrets(endpoint);
    const body = await buildBody(event, linksOf);
    isBuilt = true;
    const { id: eventId, attempts } = event;
    const toSign = { eventId, unixSeconds: Math.floor(at / SECOND_MS), attempts, secrets };
    const { id: line, url } = endpoint;
    const result = await safePost.post({ url, toSign, body, timeoutMs: ATTEMPT_TIMEOUT_MS, line, atOnce });
    return result.kind === "not_begun" ? null : attemptOf(at, result);
  } catch (error) {
    const result = { kind: "our_fault", detail: messageOf(error), durationMs: elapsedMs() } as const;
    // A full disk while issuing a link is not a fault of the event.
    const isOfThisEvent = !isBuilt && !(error instanceof AppError && error.code === "UNAVAILABLE");
    return { ...attemptOf(at, result), isOfThisEvent };
  }
}

function attemptOf(at: number, result: Exclude<PostResult, { kind: "not_begun" }>): Attempt {
  const durationMs = Math.round(result.durationMs);
  if (result.kind !== "answered") {
    return { at, durationMs, status: null, outcome: result.kind, detail: result.detail, response: "" };
  }
  const delivered = result.status >= 200 && result.status < 300;
  return {
    at,
    durationMs,
    status: result.status,
    outcome: delivered ? "delivered" : "refused",
    detail: delivered ? "" : `Answered ${result.status}.`,
    response: result.excerpt === "" ? "" : redacted(result.excerpt),
    pauseMs: result.status === 429 || result.status === 503 ? pauseMs(result.retryAfter, at) : null,
  };
}
