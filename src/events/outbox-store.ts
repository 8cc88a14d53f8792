// Inserts events and their deliveries in the transaction that changes the state.
import { sql } from "kysely";
import { prepared, preparedWrite } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import { hasUnfinished } from "./order-store.ts";
import {
  deliveryMeaning,
  endpointMeaning,
  eventMeaning,
  type Delivery,
  type Endpoint,
  type StoredEvent,
} from "./records.ts";

/** Endpoints of kind hl7 receive only what is published to them by name. */
const selectEndpoints = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["id", "event_types", "enabled"])
    .where("organisation_id", "=", organisationId)
    .where("kind", "=", sql.lit("webhook" as const)),
);

export type Subscriber = Pick<Endpoint, "id" | "event_types" | "enabled">;

export async function endpointsToAsk(executor: Executor, organisationId: string): Promise<Subscriber[]> {
  return endpointMeaning.readAll(await selectEndpoints(executor, { organisationId }));
}

const insertEventQuery = prepared<Row<"events">>()((db, p) =>
  db.insertInto("events").values({
    id: p.id,
    organisation_id: p.organisation_id,
    type: p.type,
    call_id: p.call_id,
    appointment_id: p.appointment_id,
    contact_number: p.contact_number,
    has_recording: p.has_recording,
    has_transcript: p.has_transcript,
    created_at: p.created_at,
    data: p.data,
  }),
);

export async function insertEvent(tx: Tx, row: StoredEvent): Promise<void> {
  await insertEventQuery(tx, eventMeaning.write(row));
}

const insertDeliveryQuery = prepared<Row<"deliveries">>()((db, p) =>
  db.insertInto("deliveries").values({ ...columnsOf(p), is_head: p.is_head }),
);

/** Field by field, because a prepared statement gets placeholders without fields to copy. */
const columnsOf = (p: NewDelivery): NewDelivery => ({
  id: p.id,
  organisation_id: p.organisation_id,
  event_id: p.event_id,
  endpoint_id: p.endpoint_id,
  order_key: p.order_key,
  state: p.state,
  attempts: p.attempts,
  next_at: p.next_at,
  created_at: p.created_at,
  updated_at: p.updated_at,
});

/** Determines within the statement whether it is the first of its order, which saves a query. */
const insertOrdered = preparedWrite<NewDelivery>()((db, p) =>
  db.insertInto("deliveries").values((eb) => ({
    ...columnsOf(p),
    is_head: eb.case().when(hasUnfinished(eb, p)).then(sql.lit(0)).else(sql.lit(1)).end(),
  })),
);

export type NewDelivery = Omit<Delivery, "is_head">;

/** Queues it behind unfinished deliveries of its order. `isAlone`: the order key is unique to it, so there are none. */
export async function insertDelivery(tx: Tx, row: NewDelivery, isAlone: boolean): Promise<void> {
  if (row.state === "pending" && !isAlone) await insertOrdered(tx, row);
  else await insertDeliveryQuery(tx, deliveryMeaning.write({ ...row, is_head: row.state === "pending" }));
}
