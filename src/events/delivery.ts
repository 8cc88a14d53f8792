// The delivery loop: sends due deliveries per endpoint, with the concurrency its receiver can handle (pace.ts) and in
// order within a call. A slow receiver delays only its own deliveries. Each attempt is stored before the next delivery
// of its call begins.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/database.ts";
import type { Attempt, Consequence, Recorded } from "./attempt-record.ts";
import { createAttemptRecorder, type AttemptRecorder } from "./attempt-recorder.ts";
import { pullForward, settleBacklog } from "./backlog-store.ts";
import { attemptDelivery, type AttemptDeps } from "./delivery-attempt.ts";
import { createDeliveryMetrics, type DeliveryMetrics } from "./delivery-metrics.ts";
import {
  dueDeliveries,
  dueRetries,
  endpointsToVisit,
  eventsToSend,
  nextDueAfter,
  type DueEvent,
  type EndpointToVisit,
} from "./delivery-store.ts";
import { endpointById } from "./endpoint-store.ts";
import { Lane, MOST_FOUND, type Lanes } from "./lane.ts";
import { probeDueAt } from "./outage.ts";
import type { Endpoint } from "./records.ts";
import { LONGEST_DELAY_MS, probePauseMs } from "./retry-schedule.ts";

/** Retry interval of writes while the disk is full. */
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND_MS;

export interface DeliveryDeps extends AttemptDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** Exposed for inspection. */
  lanes?: Lanes;
  wake: () => void;
}

export interface DeliveryLoop extends DueSource {
  /** Waits for attempts in flight and starts no others. */
  stop(): Promise<void>;
}

class Deliveries implements DeliveryLoop {
  readonly name = "webhook deliveries";
  readonly #lanes: Lanes;
  readonly #pauses = new Set<() => void>();
  readonly #metrics: DeliveryMetrics;
  readonly #recorder: AttemptRecorder;
  /** When the scheduler runs the loop next. */
  #askedNextAt = Infinity;
  /**
   * Attempts that could not be stored. While there are any, no attempt begins, because it could not be stored either.
   */
  #unwritten = 0;
  #stopped = false;

  constructor(private readonly deps: DeliveryDeps) {
    this.#lanes = deps.lanes ?? new Map<string, Lane>();
    this.#metrics = createDeliveryMetrics(deps.metrics, this.#lanes);
    this.#recorder = createAttemptRecorder(deps.db, deps.clock);
  }

  async runDue(): Promise<number | null> {
    const { db, clock, logger } = this.deps;
    if (this.#stopped) return null;
    const now = clock.now();
    let nextAt = Infinity;
    const endpoints = await endpointsToVisit(db.reader);
    for (const endpoint of endpoints) {
      const visitAt = await this.#visit(endpoint, now).catch((error: unknown) => {
        logger.error("A webhook endpoint could not be processed; retrying later.", {
          endpoint_id: endpoint.id,
          error: messageOf(error),
        });
        return now + PAUSE_AFTER_FAILURE_MS;
      });
      nextAt = Math.min(nextAt, visitAt);
    }
    this.#forgetAllBut(endpoints);
    this.#askedNextAt = nextAt;
    return nextAt === Infinity ? null : nextAt;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const end of this.#pauses) end();
    await Promise.all([...this.#lanes.values()].flatMap(({ underWay }) => [...underWay.values()]));
  }

  /** Starts due deliveries and returns when to visit this endpoint again; attempts in flight continue on their own. */
  async #visit(endpoint: EndpointToVisit, now: number): Promise<number> {
    const { db } = this.deps;
    const isSettling = endpoint.is_settling;
    if (isSettling) await db.write((tx) => settleBacklog(tx, endpoint, now));
    const latest = now + LONGEST_DELAY_MS;
    const isTooLate = (endpoint.latest_at ?? 0) > latest;
    if (isTooLate) await db.write((tx) => pullForward(tx, endpoint.id, latest, now));
    const again = isSettling || isTooLate ? now : Infinity;
    if (!endpoint.enabled || endpoint.earliest_at === null) return again;
    if (endpoint.earliest_at > now) return Math.min(again, endpoint.earliest_at);
    const lane = this.#laneOf(endpoint.id);
    lane.lookAgain();
    await this.#fill(lane);
    if (endpoint.outage_since !== null) {
      const probeAt = probeDueAt(endpoint, now);
      return Math.min(again, probeAt > now ? probeAt : Infinity);
    }
    const resumeAt = lane.pausedUntil > now ? lane.pausedUntil : Infinity;
    return Math.min(again, resumeAt, (await nextDueAfter(db.reader, endpoint.id, now)) ?? Infinity);
  }

  /** Fills the free places. Not reentrant, because concurrent runs would find the same deliveries. */
  async #fill(lane: Lane): Promise<void> {
    lane.isToFill = true;
    if (lane.isFilling) return;
    lane.isFilling = true;
    try {
      while (lane.isToFill) {
        lane.isToFill = false;
        await this.#fillPlaces(lane);
      }
    } finally {
      lane.isFilling = false;
    }
  }

  async #fillPlaces(lane: Lane): Promise<void> {
    const { db, clock } = this.deps;
    const endpoint = await endpointById(db.reader, lane.endpointId);
    if (!endpoint?.enabled) {
      lane.forget();
      return;
    }
    const now = clock.now();
    if (endpoint.outage_since !== null) {
      // During an outage, one delivery at a time probes the endpoint.
      lane.forget();
      if (lane.underWay.size === 0 && probeDueAt(endpoint, now) <= now) await this.#beginSome(lane, endpoint, 1);
      return;
    }
    while (!this.#stopped && this.#unwritten === 0 && this.#placesOf(lane) > 0)
      if ((await this.#beginSome(lane, endpoint, this.#placesOf(lane))) === 0) return;
  }

  #placesOf(lane: Lane): number {
    return lane.freePlaces(this.deps.safePost.keepsPlaces === true);
  }

  /** Starts at most `most`. Returns how many were found, including those no longer due. */
  async #beginSome(lane: Lane, endpoint: Endpoint, most: number): Promise<number> {
    const { db, clock } = this.deps;
    const now = clock.now();
    await this.#look(lane, now);
    const ids = lane.take(most, lane.pausedUntil > now);
    for (const event of await eventsToSend(db.reader, ids, now)) this.#begin(lane, event, endpoint, now);
    return ids.length;
  }

  async #look(lane: Lane, now: number): Promise<void> {
    const { reader } = this.deps.db;
    const question = { endpointId: lane.endpointId, now, limit: MOST_FOUND };
    if (lane.isEmpty("retries") && lane.mayHaveMore.retries) lane.found("retries", await dueRetries(reader, question));
    if (lane.isEmpty("others") && lane.mayHaveMore.others) lane.found("others", await dueDeliveries(reader, question));
  }

  #begin(lane: Lane, event: DueEvent, endpoint: Endpoint, now: number): void {
    const { logger } = this.deps;
    const deliveryId = event.delivery_id;
    lane.awaited += 1;
    const ending = this.#deliver(lane, event, endpoint, now)
      .catch((error: unknown) => {
        logger.error("A delivery attempt could not be started; retrying later.", {
          delivery_id: deliveryId,
          error: messageOf(error),
        });
        return this.#pause(SECOND_MS).then(() => lane.lookAgain());
      })
      .finally(() => {
        lane.underWay.delete(deliveryId);
        this.#goOn(lane);
      });
    lane.underWay.set(deliveryId, ending);
  }

  /**
   * Runs in the same turn of the event loop: deferring it saved little, and under load the next turn may be late. On
   * failure the scheduler takes over and logs the reason.
   */
  #goOn(lane: Lane): void {
    // Called twice per delivery; nearly always no place is free.
    if (this.#stopped || (!lane.isFilling && this.#placesOf(lane) === 0)) return;
    this.#fill(lane).catch(() => this.deps.wake());
  }

  async #deliver(lane: Lane, event: DueEvent, endpoint: Endpoint, now: number): Promise<void> {
    let hasPlace = true;
    const leavePlace = () => {
      if (hasPlace) lane.awaited -= 1;
      hasPlace = false;
    };
    try {
      const attempt = await this.#attempt(lane, event, endpoint, now);
      if (!attempt) {
        lane.lookAgain();
        return;
      }
      // An internal fault is likely to affect the next delivery too, so the place stays taken until the attempt is
      // stored.
      const isOurFault = attempt.outcome === "our_fault";
      if (!isOurFault) leavePlace();
      const stored = this.#stored(event, attempt);
      if (!isOurFault) this.#goOn(lane);
      this.#follow(lane, attempt, await stored);
    } finally {
      leavePlace();
    }
  }

  async #attempt(lane: Lane, event: DueEvent, endpoint: Endpoint, now: number): Promise<Attempt | null> {
    const { clock } = this.deps;
    this.#metrics.begun(event.attempts, now - event.next_at);
    const ticket = lane.pace.begin();
    const attempt = await attemptDelivery(this.deps, now, event, endpoint, lane.pace.places);
    if (!attempt) {
      lane.pace.madeWait();
      return null;
    }
    this.#metrics.ended(attempt.outcome);
    lane.pace.end(ticket, attempt, lane.awaited >= lane.pace.places);
    if (attempt.pauseMs) lane.pausedUntil = Math.max(lane.pausedUntil, clock.now() + attempt.pauseMs);
    return attempt;
  }

  /** Wakes the scheduler if the endpoint changed, or if a delivery is due before its next run. */
  #follow(lane: Lane, attempt: Attempt, { consequence, nextAt }: Recorded): void {
    const { clock, wake } = this.deps;
    if (consequence) this.#tell(consequence, lane.endpointId, attempt);
    if (nextAt !== null) lane.mayHaveMore.others = true;
    const isDueLater = nextAt !== null && nextAt > clock.now();
    const isUnexpected = (isDueLater && nextAt < this.#askedNextAt) || lane.pausedUntil > clock.now();
    if (consequence !== null || attempt.outcome === "our_fault" || isUnexpected) wake();
  }

  /**
   * The receiver has the event, so a full disk must not cause a second delivery: the attempt is kept in memory and
   * stored when there is room. It keeps its place among those in flight, which limits how many wait here.
   */
  async #stored(event: DueEvent, attempt: Attempt): Promise<Recorded> {
    const { logger } = this.deps;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#recorder.record(event, attempt);
      } catch (error) {
        if (this.#stopped) throw error;
        logger.error("A delivery attempt could not be stored; retrying later.", {
          delivery_id: event.delivery_id,
          error: messageOf(error),
        });
        this.#unwritten += 1;
        await this.#pause(probePauseMs(tries)).finally(() => {
          this.#unwritten -= 1;
        });
      }
    }
  }

  #tell(consequence: NonNullable<Consequence>, endpointId: string, { detail, isOfThisEvent }: Attempt): void {
    const { logger } = this.deps;
    const about = { endpoint_id: endpointId };
    if (consequence === "disabled") logger.warn("A webhook endpoint was switched off after too many failures.", about);
    else if (consequence === "outage ended") logger.info("Deliveries to a webhook endpoint resumed.", about);
    else
      logger.warn("Deliveries to a webhook endpoint are paused because of a local fault.", {
        ...about,
        // The error message of a single event may quote it.
        reason: isOfThisEvent === true ? "An event could not be prepared for sending." : detail,
      });
  }

  #laneOf(endpointId: string): Lane {
    const known = this.#lanes.get(endpointId);
    if (known) return known;
    const lane = new Lane(endpointId);
    this.#lanes.set(endpointId, lane);
    return lane;
  }

  /** Drops the state of disabled or deleted endpoints: an endpoint that is enabled again starts fresh. */
  #forgetAllBut(endpoints: readonly EndpointToVisit[]): void {
    if (this.#lanes.size === 0) return;
    const kept = new Set(endpoints.filter(({ enabled }) => enabled).map(({ id }) => id));
    for (const [id, { underWay }] of this.#lanes) if (!kept.has(id) && underWay.size === 0) this.#lanes.delete(id);
  }

  /** Ends early when the loop stops. */
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
