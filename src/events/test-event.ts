// Sample event, marked `test`, for one endpoint only.
import type { Ids } from "../core/ids.ts";
import type { Tx } from "../db/tables.ts";
import type { EventType } from "./catalogue.ts";
import { insertDelivery, insertEvent } from "./outbox-store.ts";
import type { Endpoint } from "./records.ts";
import { SAMPLE_DATA } from "./samples.ts";

/** Uses a type the endpoint subscribes to. Returns the delivery's id. */
export async function insertTestEvent(tx: Tx, endpoint: Endpoint, ids: Ids, now: number): Promise<string> {
  const eventId = ids.next("evt");
  const deliveryId = ids.next("dlv");
  const type = endpoint.event_types[0] as EventType;
  await insertEvent(tx, {
    id: eventId,
    organisation_id: endpoint.organisation_id,
    type,
    call_id: null,
    appointment_id: null,
    contact_number: null,
    has_recording: false,
    has_transcript: false,
    created_at: now,
    data: JSON.stringify({ ...SAMPLE_DATA[type], test: true }),
  });
  const delivery = {
    id: deliveryId,
    organisation_id: endpoint.organisation_id,
    event_id: eventId,
    endpoint_id: endpoint.id,
    order_key: eventId,
    state: "pending",
    attempts: 0,
    next_at: now,
    created_at: now,
    updated_at: now,
  } as const;
  await insertDelivery(tx, delivery, true);
  return deliveryId;
}
