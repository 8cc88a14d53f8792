// Transactional outbox: stores the event and one delivery per subscribed endpoint, in the caller's transaction.
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Tx } from "../db/tables.ts";
import type { EventType } from "./catalogue.ts";
import { endpointsToAsk, insertDelivery, insertEvent, type NewDelivery, type Subscriber } from "./outbox-store.ts";

export interface NewEvent {
  organisationId: string;
  type: EventType;
  /** The payload without media links, which are signed for each attempt. */
  data: object;
  callId?: string;
  appointmentId?: string;
  /** For erasure with the person, if the event belongs to no appointment. */
  contactNumber?: string;
  hasRecording?: boolean;
  hasTranscript?: boolean;
  /** Events with the same key reach an endpoint in the order of publication. Without a key the event is unordered. */
  orderKey?: string;
}

export interface Outbox {
  /** Queries the endpoints of an organisation, so it can run together with other queries. */
  subscribersOf(tx: Tx, organisationId: string): Promise<Subscriber[]>;
  publish(tx: Tx, event: NewEvent, subscribers?: readonly Subscriber[]): Promise<void>;
}

export function createOutbox(clock: Clock, ids: Ids): Outbox {
  return {
    subscribersOf: endpointsToAsk,

    /** Stores nothing without subscribers, to keep no unneeded data. */
    async publish(tx, event, asked) {
      const { organisationId, type } = event;
      const subscribers = (asked ?? (await endpointsToAsk(tx, organisationId))).filter((endpoint) =>
        endpoint.event_types.includes(type),
      );
      if (subscribers.length === 0) return;
      const now = clock.now();
      const eventId = ids.next("evt");
      await insertEvent(tx, {
        id: eventId,
        organisation_id: organisationId,
        type,
        call_id: event.callId ?? null,
        appointment_id: event.appointmentId ?? null,
        contact_number: event.contactNumber ?? null,
        has_recording: event.hasRecording ?? false,
        has_transcript: event.hasTranscript ?? false,
        created_at: now,
        data: JSON.stringify(event.data),
      });
      for (const endpoint of subscribers) {
        const delivery: NewDelivery = {
          id: ids.next("dlv"),
          organisation_id: organisationId,
          event_id: eventId,
          endpoint_id: endpoint.id,
          order_key: event.orderKey ?? eventId,
          state: endpoint.enabled ? "pending" : "held",
          attempts: 0,
          next_at: now,
          created_at: now,
          updated_at: now,
        };
        await insertDelivery(tx, delivery, event.orderKey === undefined);
      }
    },
  };
}
