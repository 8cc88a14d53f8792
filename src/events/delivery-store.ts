// Deliveries and their attempts in the database.
import { sql } from "kysely";
import { prepared } from "../db/prepared.ts";
import type { DeliveryAttemptRow, DeliveryRow, EventRow, Executor, Tx } from "../db/tables.ts";
import type { Insertable } from "kysely";

/** A literal, so that SQLite can use the partial indexes on pending deliveries. */
const PENDING = sql.lit("pending" as const);

const selectEndpointsWithWork = prepared<object>()((db) =>
  db
    .selectFrom("webhook_endpoints")
    .select("id")
    .select((eb) =>
      eb
        .selectFrom("deliveries")
        .select("deliveries.next_at")
        .where("deliveries.state", "=", PENDING)
        .whereRef("deliveries.endpoint_id", "=", "webhook_endpoints.id")
        .orderBy("deliveries.next_at")
        .orderBy("deliveries.id")
        .limit(sql.lit(1))
        .as("earliest_at"),
    )
    .where("enabled", "=", 1),
);

/** Enabled endpoints with pending deliveries, and when the first of each is due: one index probe an endpoint. */
export async function endpointsWithWork(executor: Executor): Promise<{ id: string; earliest_at: number }[]> {
  const rows = await selectEndpointsWithWork(executor, {});
  return rows.flatMap(({ id, earliest_at }) => (earliest_at === null ? [] : [{ id, earliest_at }]));
}

const selectDue = prepared<{ endpointId: string; now: number; limit: number }>()((db, { endpointId, now, limit }) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("state", "=", PENDING)
    .where("endpoint_id", "=", endpointId)
    .where("next_at", "<=", now)
    // Of one order key only the oldest pending delivery may go.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("deliveries as earlier")
            .select("earlier.id")
            .where("earlier.state", "=", PENDING)
            .whereRef("earlier.endpoint_id", "=", "deliveries.endpoint_id")
            .whereRef("earlier.order_key", "=", "deliveries.order_key")
            .whereRef("earlier.id", "<", "deliveries.id"),
        ),
      ),
    )
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit),
);

export async function dueDeliveries(
  executor: Executor,
  endpointId: string,
  now: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return selectDue(executor, { endpointId, now, limit });
}

const selectEvent = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("events").selectAll().where("id", "=", id),
);

export async function eventById(executor: Executor, id: string): Promise<EventRow | undefined> {
  const [row] = await selectEvent(executor, { id });
  return row;
}

export async function deliveryOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const row = await executor.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
  return row?.organisation_id === organisationId ? row : undefined;
}

export async function deliveryById(executor: Executor, id: string): Promise<DeliveryRow | undefined> {
  return executor.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
}

export type DeliveryChange = Partial<Pick<DeliveryRow, "state" | "attempts" | "next_at">> & { updated_at: number };

export async function updateDelivery(tx: Tx, id: string, change: DeliveryChange): Promise<void> {
  await tx.updateTable("deliveries").set(change).where("id", "=", id).execute();
}

export async function insertAttempt(tx: Tx, row: Insertable<DeliveryAttemptRow>): Promise<void> {
  await tx.insertInto("delivery_attempts").values(row).execute();
}

export async function attemptsOf(executor: Executor, deliveryId: string) {
  return executor
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .orderBy("id")
    .execute();
}

/** Pending ones wait while the endpoint is off, and go out again when it is on. */
export async function holdPending(tx: Tx, endpointId: string, now: number): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ state: "held", updated_at: now })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "pending")
    .execute();
}

/** Held deliveries start their five attempts afresh, in their order. Answers how many there were. */
export async function releaseHeld(tx: Tx, endpointId: string, now: number): Promise<number> {
  const result = await tx
    .updateTable("deliveries")
    .set({ state: "pending", attempts: 0, next_at: now, updated_at: now })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "held")
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export async function exhaustHeld(tx: Tx, endpointId: string, now: number): Promise<number> {
  const result = await tx
    .updateTable("deliveries")
    .set({ state: "exhausted", updated_at: now })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "held")
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Exhausted deliveries of events from a time range go out again, under the same event ids. */
export async function replayExhausted(
  tx: Tx,
  endpointId: string,
  range: { from: number; to: number },
  state: "pending" | "held",
  now: number,
): Promise<number> {
  const result = await tx
    .updateTable("deliveries")
    .set({ state, attempts: 0, next_at: now, updated_at: now })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "exhausted")
    .where("created_at", ">=", range.from)
    .where("created_at", "<", range.to)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export interface DeliveryFilter {
  organisationId: string;
  endpointId?: string | undefined;
  callId?: string | undefined;
  state?: DeliveryRow["state"] | undefined;
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** Newest first, with what each is about. */
export async function listDeliveries(executor: Executor, filter: DeliveryFilter) {
  const { endpointId, callId, state, before } = filter;
  let query = executor
    .selectFrom("deliveries")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .selectAll("deliveries")
    .select(["events.type as event_type", "events.call_id"])
    .where("deliveries.organisation_id", "=", filter.organisationId);
  if (endpointId !== undefined) query = query.where("deliveries.endpoint_id", "=", endpointId);
  if (callId !== undefined) query = query.where("events.call_id", "=", callId);
  if (state !== undefined) query = query.where("deliveries.state", "=", state);
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("deliveries.created_at", "<", before.createdAt),
        eb.and([eb("deliveries.created_at", "=", before.createdAt), eb("deliveries.id", "<", before.id)]),
      ]),
    );
  }
  return query.orderBy("deliveries.created_at", "desc").orderBy("deliveries.id", "desc").limit(filter.limit).execute();
}

export async function countByState(
  executor: Executor,
  endpointId: string,
  range?: { from: number; to: number },
): Promise<Record<string, number>> {
  let query = executor
    .selectFrom("deliveries")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("endpoint_id", "=", endpointId);
  if (range) query = query.where("created_at", ">=", range.from).where("created_at", "<", range.to);
  const rows = await query.groupBy("state").execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
