// Sends what is due, endpoint by endpoint: a few at once for each, in order within a call, so that a slow receiver
// delays nobody but itself. Every attempt is written down before the next one is planned.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Counter, Metrics } from "../core/metrics.ts";
import type { Database } from "../db/database.ts";
import type { DeliveryRow } from "../db/tables.ts";
import { recordAttempt, type Attempt, type Consequence } from "./attempt-record.ts";
import { pullForward, settleBacklog } from "./backlog-store.ts";
import { attemptDelivery, type AttemptDeps } from "./delivery-attempt.ts";
import { dueDeliveries, endpointsToVisit, eventById, nextDueAfter, type EndpointToVisit } from "./delivery-store.ts";
import { endpointById } from "./endpoint-store.ts";
import { probeDueAt } from "./outage.ts";
import { LONGEST_DELAY_MS, probePauseMs } from "./retry-schedule.ts";

/** Enough to keep a receiver 100 ms away busy with 80 events a second, few enough not to knock it over. */
const CONCURRENT_PER_ENDPOINT = 8;
/** A full disk is not asked more often whether it still is. */
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND_MS;

export interface DeliveryDeps extends AttemptDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  wake: () => void;
}

export interface DeliveryLoop extends DueSource {
  /** Lets attempts under way end; none begins. */
  stop(): Promise<void>;
}

class Deliveries implements DeliveryLoop {
  readonly name = "webhook deliveries";
  readonly #underWay = new Map<string, Map<string, Promise<void>>>();
  readonly #pauses = new Set<() => void>();
  readonly #attempts: Counter;
  #stopped = false;

  constructor(private readonly deps: DeliveryDeps) {
    this.#attempts = deps.metrics.counter("ringward_webhook_attempts_total", "Delivery attempts, by outcome.");
  }

  async runDue(): Promise<number | null> {
    const { db, clock, logger } = this.deps;
    if (this.#stopped) return null;
    const now = clock.now();
    let nextAt = Infinity;
    for (const endpoint of await endpointsToVisit(db.reader)) {
      const visitAt = await this.#visit(endpoint, now).catch((error: unknown) => {
        logger.error("A webhook endpoint could not be served; that is tried again.", {
          endpoint_id: endpoint.id,
          error: messageOf(error),
        });
        return now + PAUSE_AFTER_FAILURE_MS;
      });
      nextAt = Math.min(nextAt, visitAt);
    }
    return nextAt === Infinity ? null : nextAt;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const end of this.#pauses) end();
    await Promise.all([...this.#underWay.values()].flatMap((busy) => [...busy.values()]));
  }

  /** Starts what is due and answers when this endpoint is to be looked at again; what is under way wakes the loop itself. */
  async #visit(endpoint: EndpointToVisit, now: number): Promise<number> {
    const { db } = this.deps;
    const isSettling = endpoint.is_settling === 1;
    if (isSettling) await db.write((tx) => settleBacklog(tx, endpoint, now));
    const latest = now + LONGEST_DELAY_MS;
    const isTooLate = (endpoint.latest_at ?? 0) > latest;
    if (isTooLate) await db.write((tx) => pullForward(tx, endpoint.id, latest, now));
    const again = isSettling || isTooLate ? now : Infinity;
    if (endpoint.enabled === 0 || endpoint.earliest_at === null) return again;
    if (endpoint.earliest_at > now) return Math.min(again, endpoint.earliest_at);
    const busy = this.#underWay.get(endpoint.id)?.size ?? 0;
    if (endpoint.outage_since !== null) {
      const probeAt = probeDueAt(endpoint, now);
      if (probeAt > now) return Math.min(again, probeAt);
      if (busy === 0) this.#startDue(endpoint.id, await dueDeliveries(db.reader, endpoint.id, now, 1));
      return again;
    }
    // What is under way is still the head of its order in the database, so it comes back in the answer and is passed over.
    this.#startDue(endpoint.id, await dueDeliveries(db.reader, endpoint.id, now, CONCURRENT_PER_ENDPOINT + busy));
    return Math.min(again, (await nextDueAfter(db.reader, endpoint.id, now)) ?? Infinity);
  }

  #startDue(endpointId: string, due: readonly DeliveryRow[]): void {
    const { logger, wake } = this.deps;
    const busy = this.#underWay.get(endpointId) ?? new Map<string, Promise<void>>();
    this.#underWay.set(endpointId, busy);
    for (const delivery of due) {
      if (this.#stopped || busy.size >= CONCURRENT_PER_ENDPOINT) return;
      if (busy.has(delivery.id)) continue;
      const ending = this.#deliver(delivery)
        .catch((error: unknown) => {
          logger.error("A delivery attempt could not be made; it is made again.", {
            delivery_id: delivery.id,
            error: messageOf(error),
          });
          return this.#pause(SECOND_MS);
        })
        .finally(() => {
          busy.delete(delivery.id);
          wake();
        });
      busy.set(delivery.id, ending);
    }
  }

  async #deliver(delivery: DeliveryRow): Promise<void> {
    const { db, clock } = this.deps;
    const event = await eventById(db.reader, delivery.event_id);
    const endpoint = await endpointById(db.reader, delivery.endpoint_id);
    // Erased, or switched off, since it was found due.
    if (!event || endpoint?.enabled !== 1) return;
    const attempt = await attemptDelivery(this.deps, clock.now(), event, endpoint);
    this.#attempts.add({ outcome: attempt.outcome });
    const consequence = await this.#stored(delivery.id, attempt);
    if (consequence) this.#tell(consequence, endpoint.id, attempt);
  }

  /**
   * The receiver has had the event, so it is not sent again because the disk is full: the attempt is kept in mind and
   * written down when there is room. It holds its place among those under way, so at most eight an endpoint wait here.
   */
  async #stored(deliveryId: string, attempt: Attempt): Promise<Consequence> {
    const { db, clock, logger } = this.deps;
    for (let tries = 1; ; tries++) {
      try {
        return await db.write((tx) => recordAttempt(tx, deliveryId, attempt, clock.now()));
      } catch (error) {
        if (this.#stopped) throw error;
        logger.error("A delivery attempt could not be written down; that is tried again.", {
          delivery_id: deliveryId,
          error: messageOf(error),
        });
        await this.#pause(probePauseMs(tries));
      }
    }
  }

  #tell(consequence: NonNullable<Consequence>, endpointId: string, { detail, isOfThisEvent }: Attempt): void {
    const { logger } = this.deps;
    const about = { endpoint_id: endpointId };
    if (consequence === "disabled") logger.warn("A webhook endpoint was switched off after too many failures.", about);
    else if (consequence === "outage ended") logger.info("Deliveries to a webhook endpoint go out again.", about);
    else
      logger.warn("Deliveries to a webhook endpoint wait, because our own side is at fault.", {
        ...about,
        // What went wrong with one event may quote it.
        reason: isOfThisEvent === true ? "An event could not be prepared for sending." : detail,
      });
  }

  /** Ends early when the loop is stopped. */
  #pause(ms: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = this.deps.clock.after(ms, end);
      this.#pauses.add(end);
    });
  }
}

export const createDeliveryLoop = (deps: DeliveryDeps): DeliveryLoop => new Deliveries(deps);
