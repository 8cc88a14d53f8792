// Inspection and replay of deliveries. A replay sends the same event under the same event_id.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { DELIVERIES_PER_BATCH, exhaustedBetween, type Position } from "./backlog-store.ts";
import { attemptsOf, deliveryOf, eventById } from "./delivery-store.ts";
import { countByStateBetween, listDeliveries, type DeliveryFilter } from "./delivery-list-store.ts";
import { attemptView, listedView, nextAttemptAt, requestView } from "./delivery-view.ts";
import type { ListDeliveriesInput } from "./endpoint-model.ts";
import { assertNoSubscription } from "./fhir-channel.ts";
import { endpointOf } from "./endpoint-store.ts";
import { assertWebhook, knownEndpoint } from "./known-endpoint.ts";
import { changeDeliveries, changeDelivery } from "./order-store.ts";
import { outageView } from "./outage.ts";
import type { Endpoint } from "./records.ts";
import { insertTestEvent } from "./test-event.ts";

export interface DeliveryServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  wake: () => void;
}

/** Progress of a bulk replay. */
interface Replayed {
  count: number;
  after: Position | null;
  isMore: boolean;
}

export class DeliveryService {
  constructor(private readonly deps: DeliveryServiceDeps) {}

  async list(filter: DeliveryFilter) {
    return (await listDeliveries(this.deps.db.heavy, filter)).map(listedView);
  }

  /** One page of the deliveries that match, newest first. */
  async page(organisationId: string, query: ListDeliveriesInput) {
    const limit = pageSize(query.limit);
    const rows = await this.list({
      organisationId,
      endpointId: query.endpoint_id,
      callId: query.call_id,
      state: query.state,
      before: query.cursor === undefined ? undefined : decodeCursor(query.cursor, query),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const end = rows.length > limit && last && { createdAt: Date.parse(last.created_at), id: last.delivery_id };
    return { data: page, next_cursor: end ? encodeCursor(end, query) : null };
  }

  /** Audited, because a receiver's response may quote the event. */
  async attempts(organisationId: string, deliveryId: string, actor: Actor) {
    const { db, readNotes } = this.deps;
    if (!(await deliveryOf(db.reader, organisationId, deliveryId)))
      throw new AppError("NOT_FOUND", "There is no delivery with this id.");
    const rows = await attemptsOf(db.reader, deliveryId);
    await readNotes.note({ organisationId, actor, action: "delivery.read", subjectId: deliveryId });
    return rows.map(attemptView);
  }

  /** One delivery with its request and attempts. */
  async inspect(organisationId: string, deliveryId: string, actor: Actor) {
    const { db, clock, readNotes } = this.deps;
    const delivery = await deliveryOf(db.reader, organisationId, deliveryId);
    const event = delivery && (await eventById(db.reader, delivery.event_id));
    if (!delivery || !event) throw new AppError("NOT_FOUND", "There is no delivery with this id.");
    const attempts = await attemptsOf(db.reader, deliveryId);
    const endpoint = await endpointOf(db.reader, organisationId, delivery.endpoint_id);
    await readNotes.note({ organisationId, actor, action: "delivery.read", subjectId: deliveryId });
    return {
      delivery_id: delivery.id,
      endpoint_id: delivery.endpoint_id,
      state: delivery.state,
      call_id: event.call_id,
      next_attempt_at: nextAttemptAt(delivery),
      /** The outage on our side that blocks it, if any. */
      outage: endpoint && delivery.state === "pending" ? outageView(endpoint, clock.now()) : null,
      created_at: toIso(delivery.created_at),
      request: requestView(event),
      attempts: attempts.map(attemptView),
    };
  }

  /** Replays one delivery in any state. */
  async replay(organisationId: string, deliveryId: string, actor: Actor): Promise<void> {
    const { db, clock, audit, wake } = this.deps;
    await db.write(async (tx) => {
      const delivery = await deliveryOf(tx, organisationId, deliveryId);
      if (!delivery) throw new AppError("NOT_FOUND", "There is no delivery with this id.");
      const endpoint = await knownEndpoint(tx, organisationId, delivery.endpoint_id);
      await changeDelivery(tx, delivery, asNew(endpoint, clock.now()));
      await audit.record(tx, { organisationId, actor, action: "delivery.replayed", subjectId: deliveryId });
    });
    wake();
  }

  /** Replays every exhausted delivery of an endpoint from a time range. Returns how many. */
  async replayRange(
    organisationId: string,
    endpointId: string,
    range: { from: number; to: number },
    actor: Actor,
  ): Promise<number> {
    const { db, clock, audit, wake } = this.deps;
    if (range.from >= range.to) throw invalidField("to", "to must lie after from.");
    const step = async (tx: Tx, done: Replayed): Promise<Replayed> => {
      const endpoint = await knownEndpoint(tx, organisationId, endpointId);
      const batch = await exhaustedBetween(tx, endpointId, range, done.after);
      await changeDeliveries(tx, batch, asNew(endpoint, clock.now()));
      const count = done.count + batch.length;
      if (batch.length === DELIVERIES_PER_BATCH) return { count, after: batch.at(-1) ?? null, isMore: true };
      const detail = { count };
      await audit.record(tx, { organisationId, actor, action: "deliveries.replayed", subjectId: endpointId, detail });
      return { count, after: null, isMore: false };
    };
    let done: Replayed = { count: 0, after: null, isMore: true };
    while (done.isMore) {
      const before = done;
      done = await db.write((tx) => step(tx, before));
      wake();
    }
    return done.count;
  }

  /** Counts the deliveries of a time range by state: before a replay, and for its progress. */
  async countRange(
    organisationId: string,
    endpointId: string,
    range: { from: number; to: number },
  ): Promise<Record<string, number>> {
    const { db } = this.deps;
    if (range.from >= range.to) throw invalidField("to", "to must lie after from.");
    await knownEndpoint(db.reader, organisationId, endpointId);
    return countByStateBetween(db.heavy, endpointId, range);
  }

  /** Sends a sample event of a type the endpoint subscribes to, marked `test`, to that endpoint only. */
  async sendTest(organisationId: string, endpointId: string, actor: Actor): Promise<string> {
    const { db, clock, ids, audit, wake } = this.deps;
    const deliveryId = await db.write(async (tx) => {
      const endpoint = await knownEndpoint(tx, organisationId, endpointId);
      assertWebhook(endpoint);
      assertNoSubscription(endpoint);
      if (!endpoint.enabled) throw new AppError("CONFLICT", "This endpoint is switched off. Enable it first.");
      const id = await insertTestEvent(tx, endpoint, ids, clock.now());
      await audit.record(tx, { organisationId, actor, action: "endpoint.tested", subjectId: endpointId });
      return id;
    });
    wake();
    return deliveryId;
  }
}

export const createDeliveryService = (deps: DeliveryServiceDeps): DeliveryService => new DeliveryService(deps);

/** Starts with the full number of attempts; held if its endpoint is disabled. */
function asNew(endpoint: Endpoint, now: number) {
  return {
    state: endpoint.enabled ? "pending" : "held",
    attempts: 0,
    next_at: now,
    updated_at: now,
  } as const;
}
