// Which delivery of an order is next. Deliveries with the same endpoint and order key go out one after the other, so
// only the first unfinished one may be found due: it is the head, and `is_head` says so. Every change of a delivery's
// state goes through here, because each one may make another delivery the head.
import { sql, type ExpressionBuilder } from "kysely";
import { preparedList } from "../db/prepared-list.ts";
import { prepared, preparedChange } from "../db/prepared.ts";
import type { Row, Tables, Tx } from "../db/tables.ts";
import { deliveryMeaning, type Delivery } from "./records.ts";

export type Order = Pick<Delivery, "endpoint_id" | "order_key">;
export type DeliveryChange = Partial<Pick<Delivery, "state" | "attempts" | "next_at">> & { updated_at: number };

/** Literals, so that SQLite can use the partial indexes. */
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
 * Makes the first unfinished delivery of the order its head, and no other. A held one is nobody's turn: it waits first.
 * Answers when the head is due. `hasNoHead`: that is known, because the head has just left.
 */
async function settleOrder(tx: Tx, order: Order, hasNoHead = false): Promise<number | null> {
  const [pending] = await firstPending(tx, order);
  if (!pending) return null;
  const [held] = await firstHeld(tx, order);
  const headId = held && held.id < pending.id ? null : pending.id;
  // Replaying an earlier event, or holding one, takes the turn away from a later one.
  if (!hasNoHead) await dropOtherHeads(tx, { ...order, headId: headId ?? "" });
  if (headId === null) return null;
  if (pending.is_head === 0) await setHead(tx, { id: headId, is_head: 1 });
  return pending.next_at;
}

/** Whether a delivery that is made now has another of its order before it. Later ids sort later (core/ids.ts). */
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

/** Changes one delivery, and whose turn it is with it. */
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

/** The same for one whose row has just been read in this transaction. Answers when the head of its order is due now. */
export async function changeReadDelivery(tx: Tx, delivery: Delivery, change: DeliveryChange): Promise<number | null> {
  const isHead = delivery.is_head;
  const changed = { ...delivery, ...change };
  const staysPending = changed.state === "pending";
  await setDelivery(tx, deliveryMeaning.write({ ...changed, is_head: isHead && staysPending }));
  // The first of its order stays the first while it is pending.
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

/** For orders that have no head: it has just left. */
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

/** The head of an order at one endpoint. `isAlone`: the key is its own, so there is nobody behind it. */
export interface Head extends Pick<Delivery, "id" | "order_key"> {
  isAlone: boolean;
}

/**
 * Heads of one endpoint that are delivered, many at once, and those behind them promoted. Answers for each that was
 * still a head when the next of its order is due; those that were not are left as they are.
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

/** The same change to many, in one statement. */
export async function changeDeliveries(
  tx: Tx,
  deliveries: readonly (Order & Pick<Delivery, "id">)[],
  change: DeliveryChange,
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx
    .updateTable("deliveries")
    // What is no longer pending is no head; settleOrder makes those heads that are.
    .set(change.state === undefined || change.state === "pending" ? change : { ...change, is_head: 0 })
    .where(
      "id",
      "in",
      deliveries.map(({ id }) => id),
    )
    .execute();
  await settleOrders(tx, deliveries);
}

/** Takes deliveries out for good, with their attempts and every event that no other delivery is left of. */
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

/** Erasure: every event about this call or appointment, with its deliveries and their attempts. */
export async function deleteEventsAbout(
  tx: Tx,
  subject: { callId: string } | { appointmentIds: readonly string[] },
): Promise<void> {
  if ("appointmentIds" in subject && subject.appointmentIds.length === 0) return;
  const events =
    "callId" in subject
      ? tx.selectFrom("events").select("id").where("call_id", "=", subject.callId)
      : tx.selectFrom("events").select("id").where("appointment_id", "in", subject.appointmentIds);
  const eventIds = (await events.execute()).map(({ id }) => id);
  if (eventIds.length === 0) return;
  const deliveries = await tx
    .selectFrom("deliveries")
    .select(["id", "event_id", "endpoint_id", "order_key"])
    .where("event_id", "in", eventIds)
    .execute();
  await deleteDeliveries(tx, deliveries);
  await tx.deleteFrom("events").where("id", "in", eventIds).execute();
}
