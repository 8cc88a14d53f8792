// Looking at deliveries and sending them again: the same event, under the same event_id.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { DeliveryAttempt, DeliveryRow, Tx, WebhookEndpointRow } from "../db/tables.ts";
import { DELIVERIES_PER_BATCH, exhaustedBetween, type Place } from "./backlog-store.ts";
import type { EventType } from "./catalogue.ts";
import { attemptsOf, deliveryOf, eventById } from "./delivery-store.ts";
import { countByStateBetween, listDeliveries, type DeliveryFilter } from "./delivery-list-store.ts";
import { endpointOf } from "./endpoint-store.ts";
import { changeDeliveries, changeDelivery } from "./order-store.ts";
import { outageView } from "./outage.ts";
import { insertDelivery, insertEvent, type NewDelivery } from "./outbox-store.ts";
import { SAMPLE_DATA } from "./samples.ts";

export function createDeliveryService(deps: {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  wake: () => void;
}) {
  const { db, clock, ids, audit, readNotes, wake } = deps;

  async function mustFindEndpoint(tx: Tx, organisationId: string, id: string): Promise<WebhookEndpointRow> {
    const row = await endpointOf(tx, organisationId, id);
    if (!row) throw new AppError("NOT_FOUND", "There is no webhook endpoint with this id.");
    return row;
  }

  return {
    async list(filter: DeliveryFilter) {
      const rows = await listDeliveries(db.reader, filter);
      return rows.map((row) => ({
        delivery_id: row.id,
        endpoint_id: row.endpoint_id,
        event_id: row.event_id,
        event_type: row.event_type,
        call_id: row.call_id,
        state: row.state,
        attempts: row.attempts,
        next_attempt_at: nextAttemptAt(row),
        created_at: toIso(row.created_at),
        updated_at: toIso(row.updated_at),
      }));
    },

    /** What a receiver answered may quote what it was sent. */
    async attempts(organisationId: string, deliveryId: string, actor: Actor) {
      if (!(await deliveryOf(db.reader, organisationId, deliveryId)))
        throw new AppError("NOT_FOUND", "There is no delivery with this id.");
      const rows = await attemptsOf(db.reader, deliveryId);
      readNotes.note({ organisationId, actor, action: "delivery.read", subjectId: deliveryId });
      return rows.map(attemptView);
    },

    /** One delivery with what is sent and how each attempt went. The body is shown without media links: those are signed per attempt. */
    async inspect(organisationId: string, deliveryId: string, actor: Actor) {
      const delivery = await deliveryOf(db.reader, organisationId, deliveryId);
      const event = delivery && (await eventById(db.reader, delivery.event_id));
      if (!delivery || !event) throw new AppError("NOT_FOUND", "There is no delivery with this id.");
      const attempts = await attemptsOf(db.reader, deliveryId);
      const endpoint = await endpointOf(db.reader, organisationId, delivery.endpoint_id);
      readNotes.note({ organisationId, actor, action: "delivery.read", subjectId: deliveryId });
      return {
        delivery_id: delivery.id,
        endpoint_id: delivery.endpoint_id,
        state: delivery.state,
        call_id: event.call_id,
        next_attempt_at: nextAttemptAt(delivery),
        /** What keeps it from going out on our own side, if anything does. */
        outage: endpoint && delivery.state === "pending" ? outageView(endpoint, clock.now()) : null,
        created_at: toIso(delivery.created_at),
        request: {
          event_id: event.id,
          event_type: event.type,
          created_at: toIso(event.created_at),
          data: JSON.parse(event.data) as Record<string, unknown>,
        },
        attempts: attempts.map(attemptView),
      };
    },

    /** One delivery again, whatever became of it. */
    async replay(organisationId: string, deliveryId: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        const delivery = await deliveryOf(tx, organisationId, deliveryId);
        if (!delivery) throw new AppError("NOT_FOUND", "There is no delivery with this id.");
        const endpoint = await mustFindEndpoint(tx, organisationId, delivery.endpoint_id);
        const now = clock.now();
        await changeDelivery(tx, delivery, {
          state: endpoint.enabled === 1 ? "pending" : "held",
          attempts: 0,
          next_at: now,
          updated_at: now,
        });
        await audit.record(tx, { organisationId, actor, action: "delivery.replayed", subjectId: deliveryId });
      });
      wake();
    },

    /** Every exhausted delivery of an endpoint from a time range. Answers how many. */
    async replayRange(
      organisationId: string,
      endpointId: string,
      range: { from: number; to: number },
      actor: Actor,
    ): Promise<number> {
      if (range.from >= range.to) throw invalidField("to", "to must lie after from.");
      let count = 0;
      let after: Place | null = null;
      for (let isMore = true; isMore;) {
        isMore = await db.write(async (tx) => {
          const endpoint = await mustFindEndpoint(tx, organisationId, endpointId);
          const now = clock.now();
          const batch = await exhaustedBetween(tx, endpointId, range, after);
          await changeDeliveries(tx, batch, {
            state: endpoint.enabled === 1 ? "pending" : "held",
            attempts: 0,
            next_at: now,
            updated_at: now,
          });
          count += batch.length;
          after = batch.at(-1) ?? null;
          if (batch.length === DELIVERIES_PER_BATCH) return true;
          await audit.record(tx, {
            organisationId,
            actor,
            action: "deliveries.replayed",
            subjectId: endpointId,
            detail: { count },
          });
          return false;
        });
        wake();
      }
      return count;
    },

    /** How the deliveries of a time range stand, by state: what a replay would send, and how one gets on. */
    async countRange(
      organisationId: string,
      endpointId: string,
      range: { from: number; to: number },
    ): Promise<Record<string, number>> {
      if (range.from >= range.to) throw invalidField("to", "to must lie after from.");
      if (!(await endpointOf(db.reader, organisationId, endpointId)))
        throw new AppError("NOT_FOUND", "There is no webhook endpoint with this id.");
      return countByStateBetween(db.reader, endpointId, range);
    },

    /** An invented event of a kind the endpoint listens to, marked `test`, to that endpoint alone. */
    async sendTest(organisationId: string, endpointId: string, actor: Actor): Promise<string> {
      const deliveryId = ids.next("dlv");
      await db.write(async (tx) => {
        const endpoint = await mustFindEndpoint(tx, organisationId, endpointId);
        if (endpoint.enabled === 0) throw new AppError("CONFLICT", "This endpoint is switched off. Enable it first.");
        const now = clock.now();
        const eventId = ids.next("evt");
        const type = endpoint.event_types.split(" ")[0] as EventType;
        await insertEvent(tx, {
          id: eventId,
          organisation_id: organisationId,
          type,
          call_id: null,
          appointment_id: null,
          has_recording: 0,
          has_transcript: 0,
          created_at: now,
          data: JSON.stringify({ ...SAMPLE_DATA[type], test: true }),
        });
        const delivery: NewDelivery = {
          id: deliveryId,
          organisation_id: organisationId,
          event_id: eventId,
          endpoint_id: endpointId,
          order_key: eventId,
          state: "pending",
          attempts: 0,
          next_at: now,
          created_at: now,
          updated_at: now,
        };
        await insertDelivery(tx, delivery, true);
        await audit.record(tx, { organisationId, actor, action: "endpoint.tested", subjectId: endpointId });
      });
      wake();
      return deliveryId;
    },
  };
}

/** What waits behind another event of its call has no time of its own. */
function nextAttemptAt({ is_head, next_at }: Pick<DeliveryRow, "is_head" | "next_at">): string | null {
  return is_head === 1 ? toIso(next_at) : null;
}

function attemptView({ at, duration_ms, status, outcome, detail, response }: DeliveryAttempt) {
  return { at: toIso(at), duration_ms, status, outcome, detail, response };
}

export type DeliveryService = ReturnType<typeof createDeliveryService>;
