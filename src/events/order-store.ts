// Ordered delivery. Deliveries with the same endpoint and order key are sent one after the other, so only the first
// unfinished one, the head, may be found due; `is_head` marks it. Every change of a delivery's state goes through this
// file, because it may make another delivery the head.
import { sql, type ExpressionBuilder } from "kysely";
import { preparedList } from "../db/prepared-list.ts";
import { prepared, preparedChange } from "../db/prepared.ts";
import type { Row, Tables, Tx } from "../db/tables.ts";
import { deliveryMeaning, type Delivery } from "./records.ts";

export type Order = Pick<Delivery, "endpoint_id" | "order_key">;
export type DeliveryChange = Partial<Pick<Delivery, "state" | "attempts" | "next_at">> & { updated_at: number };

/** Literals, because SQLite does not use the partial indexes with parameters. */
const firstOf = (state: "pending" | "held") =>
  prepared<Order>()((db, { endpoint_id, order_key }) =>
    db
      .selectFrom("deliveries")
      .select(["id", "is_head", "next_at"])
      .where("state", "=", sql.lit(state))
      .where("endpoint_id", "=", endpoint_id)
      .where("order_key", "=", order_key)
      .orderBy("id")
      .limit(sql.lit(1)),
  );
const firstPending = firstOf("pending");
const firstHeld = firstOf("held");

const setHead = preparedChange<{ id: string; is_head: number }>()((db, { id, is_head }) =>
  db.updateTable("deliveries").set({ is_head }).where("id", "=", id),
);

const dropOtherHeads = preparedChange<Order & { headId: string }>()((db, { endpoint_id, order_key, headId }) =>
  db
    .updateTable("deliveries")
    .set({ is_head: sql.lit(0) })
    .where("state", "=", sql.lit("pending" as const))
    .where("endpoint_id", "=", endpoint_id)
    .where("order_key", "=", order_key)
    .where("is_head", "=", sql.lit(1))
    .where("id", "!=", headId),
);

/**
 * Makes the first unfinished delivery of the order its only head. A held delivery blocks the order and is not a head.
 * Returns when the head is due. `hasNoHead`: the head has just left, so there is none to unset.
 */
async function settleOrder(tx: Tx, order: Order, hasNoHead = false): Promise<number | null> {
  const [pending] = await firstPending(tx, order);
  if (!pending) return null;
  const [held] = await firstHeld(tx, order);
  const headId = held && held.id < pending.id ? null : pending.id;
  // Replaying or holding an earlier event takes the turn from a later one.
  if (!hasNoHead) await dropOtherHeads(tx, { ...order, headId: headId ?? "" });
  if (headId === null) return null;
  if (pending.is_head === 0) await setHead(tx, { id: headId, is_head: 1 });
  return pending.next_at;
}

/** Whether a new delivery has an unfinished predecessor in its order. Ids are time-ordered (core/ids.ts). */
export function hasUnfinished(eb: ExpressionBuilder<Tables, "deliveries">, { endpoint_id, order_key }: Order) {
  const hasOne = (state: "pending" | "held") =>
    eb.exists(
      eb
        .selectFrom("deliveries as earlier")
        .select("earlier.id")
        .where("earlier.state", "=", sql.lit(state))
        .where("earlier.endpoint_id", "=", endpoint_id)
        .where("earlier.order_key", "=", order_key),
    );
  return eb.or([hasOne("pending"), hasOne("held")]);
}

/** Changes one delivery and updates the head of its order. */
export async function changeDelivery(
  tx: Tx,
  delivery: Order & Pick<Delivery, "id">,
  change: DeliveryChange,
): Promise<void> {
  await changeDeliveries(tx, [delivery], change);
}

const setDelivery = preparedChange<
  Pick<Row<"deliveries">, "id" | "state" | "attempts" | "next_at" | "is_head" | "updated_at">
>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({
      state: p.state,
      attempts: p.attempts,
      next_at: p.next_at,
      is_head: p.is_head,
      updated_at: p.updated_at,
    })
    .where("id", "=", p.id),
);

/** Same for a row just read in this transaction. Returns when the head of its order is due. */
export async function changeReadDelivery(tx: Tx, delivery: Delivery, change: DeliveryChange): Promise<number | null> {
  const isHead = delivery.is_head;
  const changed = { ...delivery, ...change };
  const staysPending = changed.state === "pending";
  await setDelivery(tx, deliveryMeaning.write({ ...changed, is_head: isHead && staysPending }));
  // The head stays the head while it is pending.
  if (isHead && staysPending) return changed.next_at;
  return settleOrder(tx, delivery, isHead);
}

const deliverHeads = preparedList<{ now: number }>()((db, ids, { now }) =>
  db
    .updateTable("deliveries")
    .set((eb) => ({ state: "delivered", attempts: eb("attempts", "+", 1), is_head: 0, updated_at: now }))
    .where("id", "in", ids)
    .where("is_head", "=", 1)
    .returning("id"),
);

/** For orders whose head has just left. */
const promoteFirsts = preparedList<{ endpointId: string }>()((db, orderKeys, { endpointId }) =>
  db
    .updateTable("deliveries")
    .set({ is_head: 1 })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("deliveries as waiting")
        .select(({ fn }) => fn.min("waiting.id").as("id"))
        .where("waiting.state", "=", sql.lit("pending" as const))
        .where("waiting.endpoint_id", "=", endpointId)
        .where("waiting.order_key", "in", orderKeys)
        .groupBy("waiting.order_key"),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("deliveries as held")
            .select("held.id")
            .where("held.state", "=", sql.lit("held" as const))
            .where("held.endpoint_id", "=", endpointId)
            .whereRef("held.order_key", "=", "deliveries.order_key")
            .whereRef("held.id", "<", "deliveries.id"),
        ),
      ),
    )
    .returning(["order_key", "next_at"]),
);

/** The head of an order at one endpoint. `isAlone`: the order key is unique to it, so it has no successors. */
export interface Head extends Pick<Delivery, "id" | "order_key"> {
  isAlone: boolean;
}

/**
 * Marks many heads of one endpoint as delivered and promotes their successors. For each that was still a head, returns
 * when the next of its order is due; the others stay unchanged.
 */
export async function finishHeads(
  tx: Tx,
  endpointId: string,
  heads: readonly Head[],
  now: number,
): Promise<Map<string, number | null>> {
  const finished = new Set(
    (
      await deliverHeads(
        tx,
        heads.map(({ id }) => id),
        { now },
      )
    ).map(({ id }) => id),
  );
  const left = heads.filter(({ id }) => finished.has(id));
  const orderKeys = left.filter(({ isAlone }) => !isAlone).map(({ order_key }) => order_key);
  const next = new Map(
    (await promoteFirsts(tx, orderKeys, { endpointId })).map(({ order_key, next_at }) => [order_key, next_at]),
  );
  return new Map(left.map(({ id, order_key }) => [id, next.get(order_key) ?? null]));
}

/** Applies one change to many deliveries in one statement. */
export async function changeDeliveries(
  tx: Tx,
  deliveries: readonly (Order & Pick<Delivery, "id">)[],
  change: DeliveryChange,
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx
    .updateTable("deliveries")
    // A delivery that is no longer pending is not a head; settleOrder sets the new heads.
    .set(change.state === undefined || change.state === "pending" ? change : { ...change, is_head: 0 })
    .where(
      "id",
      "in",
      deliveries.map(({ id }) => id),
    )
    .execute();
  await settleOrders(tx, deliveries);
}

/** Deletes deliveries with their attempts, and every event without remaining deliveries. */
export async function deleteDeliveries(
  tx: Tx,
  deliveries: readonly (Order & Pick<Delivery, "id" | "event_id">)[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  const eventIds = [...new Set(deliveries.map(({ event_id }) => event_id))];
  await tx.deleteFrom("delivery_attempts").where("delivery_id", "in", ids).execute();
  await tx.deleteFrom("deliveries").where("id", "in", ids).execute();
  await tx
    .deleteFrom("events")
    .where("id", "in", eventIds)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.event_id", "=", "events.id"),
        ),
      ),
    )
    .execute();
  await settleOrders(tx, deliveries);
}

async function settleOrders(tx: Tx, orders: readonly Order[]): Promise<void> {
  const distinct = new Map(orders.map((order) => [`${order.endpoint_id} ${order.order_key}`, order]));
  for (const { endpoint_id, order_key } of distinct.values()) await settleOrder(tx, { endpoint_id, order_key });
}

/** Erasure: deletes every event about this call or appointment, with its deliveries and their attempts. */
export async function deleteEventsAbout(
  tx: Tx,
  subject:
    | { callId: string }
    | { appointmentIds: readonly string[] }
    | { organisationId: string; contactNumber: string },
): Promise<void> {
  if ("appointmentIds" in subject && subject.appointmentIds.length === 0) return;
  const events = tx.selectFrom("events").select("id");
  const about =
    "callId" in subject
      ? events.where("call_id", "=", subject.callId)
      : "appointmentIds" in subject
        ? events.where("appointment_id", "in", subject.appointmentIds)
        : events
            .where("organisation_id", "=", subject.organisationId)
            .where("contact_number", "=", subject.contactNumber);
  const eventIds = (await about.execute()).map(({ id }) => id);
  if (eventIds.length === 0) return;
  const deliveries = await tx
    .selectFrom("deliveries")
    .select(["id", "event_id", "endpoint_id", "order_key"])
    .where("event_id", "in", eventIds)
    .execute();
  await deleteDeliveries(tx, deliveries);
  await tx.deleteFrom("events").where("id", "in", eventIds).execute();
}
