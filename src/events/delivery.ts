// Sends what is due, endpoint by endpoint: a few at once for each, in order within a call, so that a slow receiver
// delays nobody but itself. Every attempt is written down before the next one is planned.
import { SECOND_MS, stopwatch, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/database.ts";
import type { DeliveryRow } from "../db/tables.ts";
import { recordAttempt, type Attempt } from "./attempt-record.ts";
import { buildBody } from "./body.ts";
import { dueDeliveries, endpointsWithWork, eventById } from "./delivery-store.ts";
import { endpointById } from "./endpoint-store.ts";
import type { EndpointService } from "./endpoint-service.ts";
import type { LinksOf } from "./media-port.ts";
import { redacted } from "./redact.ts";
import { ATTEMPT_TIMEOUT_MS } from "./retry-schedule.ts";
import type { PostResult, SafePost } from "./safe-post/safe-post.ts";
import { deliveryHeaders } from "./signing.ts";

/** Enough to keep a receiver 100 ms away busy with 80 events a second, few enough not to knock it over. */
const CONCURRENT_PER_ENDPOINT = 8;

export interface DeliveryDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  endpoints: EndpointService;
  safePost: SafePost;
  linksOf: LinksOf;
  wake: () => void;
}

export interface DeliveryLoop extends DueSource {
  /** Lets attempts under way end; none begins. */
  stop(): Promise<void>;
}

export function createDeliveryLoop(deps: DeliveryDeps): DeliveryLoop {
  const { db, clock, logger, metrics, endpoints, safePost, linksOf, wake } = deps;
  const underWay = new Map<string, Map<string, Promise<void>>>();
  let stopped = false;
  const attempts = metrics.counter("ringward_webhook_attempts_total", "Delivery attempts, by outcome.");

  function startDue(endpointId: string, due: readonly DeliveryRow[]): void {
    const busy = underWay.get(endpointId) ?? new Map<string, Promise<void>>();
    underWay.set(endpointId, busy);
    for (const delivery of due) {
      if (stopped || busy.size >= CONCURRENT_PER_ENDPOINT) return;
      if (busy.has(delivery.id)) continue;
      const ending = deliver(delivery)
        .catch((error: unknown) => {
          logger.error("A delivery attempt could not be recorded; it is made again.", {
            delivery_id: delivery.id,
            error: messageOf(error),
          });
          return new Promise<void>((resolve) => void clock.after(SECOND_MS, resolve));
        })
        .finally(() => {
          busy.delete(delivery.id);
          wake();
        });
      busy.set(delivery.id, ending);
    }
  }

  async function deliver(delivery: DeliveryRow): Promise<void> {
    const event = await eventById(db.reader, delivery.event_id);
    const endpoint = await endpointById(db.reader, delivery.endpoint_id);
    // Erased, or switched off, since it was found due.
    if (!event || endpoint?.enabled !== 1) return;
    const at = clock.now();
    const elapsedMs = stopwatch();
    let result: PostResult;
    try {
      const body = await buildBody(event, linksOf);
      const headers = deliveryHeaders(event.id, Math.floor(at / SECOND_MS), body, endpoints.signingSecrets(endpoint));
      result = await safePost.post({ url: endpoint.url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS });
    } catch (error) {
      result = { kind: "our_fault", detail: messageOf(error), durationMs: elapsedMs() };
    }
    const attempt = attemptOf(at, result);
    attempts.add({ outcome: attempt.outcome });
    const { disabled } = await db.write((tx) => recordAttempt(tx, delivery.id, attempt, clock.now()));
    if (disabled)
      logger.warn("A webhook endpoint was switched off after too many failures.", { endpoint_id: endpoint.id });
  }

  return {
    name: "webhook deliveries",
    async runDue() {
      if (stopped) return null;
      const now = clock.now();
      const waiting: number[] = [];
      for (const { id, earliest_at } of await endpointsWithWork(db.reader)) {
        if (earliest_at > now) {
          waiting.push(earliest_at);
          continue;
        }
        const busy = underWay.get(id)?.size ?? 0;
        // What is under way is still pending in the database, so it comes back in the answer and is passed over.
        startDue(id, await dueDeliveries(db.reader, id, now, CONCURRENT_PER_ENDPOINT + busy));
      }
      return waiting.length === 0 ? null : Math.min(...waiting);
    },
    async stop() {
      stopped = true;
      await Promise.all([...underWay.values()].flatMap((busy) => [...busy.values()]));
    },
  };
}

function attemptOf(at: number, result: PostResult): Attempt {
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
    response: redacted(result.excerpt),
  };
}
