// One delivery attempt: builds, signs and sends the body, and converts the result to an attempt record. Events of
// endpoints of kind hl7 go over MLLP instead.
import { SECOND_MS, stopwatch } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Attempt } from "./attempt-record.ts";
import { buildBody, type EventToSend } from "./body.ts";
import type { EndpointService } from "./endpoint-service.ts";
import type { Hl7Transport, TellingResult } from "./hl7-port.ts";
import { fhirNotification, isFhir } from "./fhir-channel.ts";
import type { LinksOf } from "./media-port.ts";
import type { Endpoint } from "./records.ts";
import { redacted } from "./redact.ts";
import { ATTEMPT_TIMEOUT_MS } from "./retry-schedule.ts";
import type { PostResult, SafePost } from "./safe-post/safe-post.ts";
import { pauseMs } from "./pace.ts";

export interface AttemptDeps {
  endpoints: Pick<EndpointService, "signingSecrets" | "sealedHeaders">;
  safePost: SafePost;
  /** Absent where no endpoint of kind hl7 can be, such as in a demo's past. */
  hl7?: Pick<Hl7Transport, "tell">;
  linksOf: LinksOf;
}

/** Null if it waited too long for a free place: nothing was sent. */
export async function attemptDelivery(
  { endpoints, safePost, hl7, linksOf }: AttemptDeps,
  at: number,
  event: EventToSend & { attempts: number },
  endpoint: Endpoint,
  atOnce: number,
): Promise<Attempt | null> {
  if (endpoint.kind === "hl7") return toldAttempt(hl7, at, event, endpoint);
  const elapsedMs = stopwatch();
  let isBuilt = false;
  try {
    const content = await contentOf(endpoints, at, event, endpoint, linksOf);
    isBuilt = true;
    const { id: line, url } = endpoint;
    const result = await safePost.post({ url, ...content, timeoutMs: ATTEMPT_TIMEOUT_MS, line, atOnce });
    return result.kind === "not_begun" ? null : attemptOf(at, result);
  } catch (error) {
    const result = { kind: "our_fault", detail: messageOf(error), durationMs: elapsedMs() } as const;
    // A full disk while issuing a link is not a fault of the event.
    const isOfThisEvent = !isBuilt && !(error instanceof AppError && error.code === "UNAVAILABLE");
    return { ...attemptOf(at, result), isOfThisEvent };
  }
}

async function toldAttempt(
  hl7: AttemptDeps["hl7"] | undefined,
  at: number,
  event: EventToSend,
  { url: address, organisation_id: organisationId, source_id }: Endpoint,
): Promise<Attempt> {
  const delivery = { organisationId, sourceId: source_id ?? "", address, event, timeoutMs: ATTEMPT_TIMEOUT_MS };
  const result: TellingResult = hl7
    ? await hl7.tell(delivery)
    : { kind: "blocked", detail: "HL7 is not sent here.", durationMs: 0 };
  const durationMs = Math.round(result.durationMs);
  if (result.kind !== "answered")
    return { at, durationMs, status: null, outcome: result.kind, detail: result.detail, response: "" };
  // CA: the receiver has stored it and answers in enhanced mode.
  const delivered = result.code === "AA" || result.code === "CA";
  const response = redacted(`${result.code} ${result.text}`.trim()).slice(0, LONGEST_RESPONSE);
  const detail = delivered ? "" : `Answered ${result.code.slice(0, 2)}.`;
  return { at, durationMs, status: null, outcome: delivered ? "delivered" : "refused", detail, response };
}

const LONGEST_RESPONSE = 1_000;

async function contentOf(
  endpoints: AttemptDeps["endpoints"],
  at: number,
  event: EventToSend & { attempts: number },
  endpoint: Endpoint,
  linksOf: LinksOf,
) {
  if (isFhir(endpoint)) return fhirNotification(endpoint, event, endpoints.sealedHeaders(endpoint));
  const { id: eventId, attempts } = event;
  const secrets = endpoints.signingSecrets(endpoint);
  const toSign = { eventId, unixSeconds: Math.floor(at / SECOND_MS), attempts, secrets };
  return { body: await buildBody(event, linksOf), toSign };
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
