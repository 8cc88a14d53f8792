// Deliveries and their attempts in the database.
import { sql } from "kysely";
import { preparedList } from "../db/prepared-list.ts";
import { prepared, preparedRows } from "../db/prepared.ts";
import type { Executor, Row, Tables, Tx } from "../db/tables.ts";
import type { ExpressionBuilder } from "kysely";
import { deliveryMeaning, endpointMeaning, eventMeaning, type Delivery, type StoredEvent } from "./records.ts";

/** A literal, because SQLite does not use the partial index on heads with a parameter. */
const HEAD = sql.lit(1);

const headTime = (eb: ExpressionBuilder<Tables, "webhook_endpoints">, direction: "asc" | "desc") =>
  eb
    .selectFrom("deliveries")
    .select("deliveries.next_at")
    .where("deliveries.is_head", "=", HEAD)
    .whereRef("deliveries.endpoint_id", "=", "webhook_endpoints.id")
    .orderBy("deliveries.next_at", direction)
    .orderBy("deliveries.id", direction)
    .limit(sql.lit(1));

const selectEndpointsToVisit = prepared<object>()((db) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["id", "enabled", "is_settling", "outage_since", "next_probe_at"])
    .select((eb) => [headTime(eb, "asc").as("earliest_at"), headTime(eb, "desc").as("latest_at")])
    .where((eb) => eb.or([eb("enabled", "=", 1), eb("is_settling", "=", 1)])),
);

export type EndpointToVisit = Awaited<ReturnType<typeof endpointsToVisit>>[number];

/**
 * Endpoints that are enabled or still settling, with the due times of the first and the last head: two index probes
 * each.
 */
export async function endpointsToVisit(executor: Executor) {
  return endpointMeaning.readAll(await selectEndpointsToVisit(executor, {}));
}

interface DueQuestion {
  endpointId: string;
  now: number;
  limit: number;
}

const selectDue = prepared<DueQuestion>()((db, { endpointId, now, limit }) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("is_head", "=", HEAD)
    .where("endpoint_id", "=", endpointId)
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit),
);

/** Literals, because SQLite does not use the partial index on retries with parameters. */
const selectDueRetries = prepared<DueQuestion>()((db, { endpointId, now, limit }) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("is_head", "=", HEAD)
    .where("attempts", ">", sql.lit(0))
    .where("endpoint_id", "=", endpointId)
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit),
);

/** Delivery ids, the longest due first. */
export async function dueDeliveries(executor: Executor, question: DueQuestion): Promise<string[]> {
  return (await selectDue(executor, question)).map(({ id }) => id);
}

/** Due deliveries that were attempted before: their retry times are guaranteed. */
export async function dueRetries(executor: Executor, question: DueQuestion): Promise<string[]> {
  return (await selectDueRetries(executor, question)).map(({ id }) => id);
}

const selectToSend = preparedList<{ now: number }>()((db, ids, { now }) =>
  db
    .selectFrom("deliveries")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .select([
      "events.id",
      "events.organisation_id",
      "events.type",
      "events.call_id",
      "events.has_recording",
      "events.has_transcript",
      "events.created_at",
      "events.data",
      "deliveries.id as delivery_id",
      "deliveries.endpoint_id",
      "deliveries.order_key",
      "deliveries.next_at",
      "deliveries.attempts",
      "deliveries.created_at as made_at",
      "deliveries.updated_at as changed_at",
    ])
    .where("deliveries.id", "in", ids)
    .where("deliveries.is_head", "=", HEAD)
    .where("deliveries.next_at", "<=", now),
);

/** An event and its delivery: order, due time and number of attempts. */
export type DueEvent = Awaited<ReturnType<typeof eventsToSend>>[number];

/** Events of deliveries that are still due. Omits those erased, held or sent since they were found. */
export async function eventsToSend(executor: Executor, ids: readonly string[], now: number) {
  const rows = await selectToSend(executor, ids, { now });
  const places = new Map(ids.map((id, i) => [id, i]));
  return eventMeaning
    .readAll(rows)
    .toSorted((a, b) => (places.get(a.delivery_id) ?? 0) - (places.get(b.delivery_id) ?? 0));
}

const selectNextAfter = prepared<{ endpointId: string; now: number }>()((db, { endpointId, now }) =>
  db
    .selectFrom("deliveries")
    .select("next_at")
    .where("is_head", "=", HEAD)
    .where("endpoint_id", "=", endpointId)
    .where("next_at", ">", now)
    .orderBy("next_at")
    .orderBy("id")
    .limit(sql.lit(1)),
);

/** The earliest due time after `now`, regardless of deliveries that are due or in flight. */
export async function nextDueAfter(executor: Executor, endpointId: string, now: number): Promise<number | null> {
  const [row] = await selectNextAfter(executor, { endpointId, now });
  return row?.next_at ?? null;
}

const selectEvent = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("events").selectAll().where("id", "=", id),
);

export async function eventById(executor: Executor, id: string): Promise<StoredEvent | undefined> {
  const [row] = await selectEvent(executor, { id });
  return row && eventMeaning.read(row);
}

export async function deliveryOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<Delivery | undefined> {
  const row = await executor.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
  return row?.organisation_id === organisationId ? deliveryMeaning.read(row) : undefined;
}

const selectDelivery = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("deliveries").selectAll().where("id", "=", id),
);

export async function deliveryById(executor: Executor, id: string): Promise<Delivery | undefined> {
  const [row] = await selectDelivery(executor, { id });
  return row && deliveryMeaning.read(row);
}

type NewAttempt = Omit<Row<"delivery_attempts">, "id">;

/** Field by field, because a prepared insert gets placeholders instead of a row. */
const attemptValues = (p: NewAttempt) => ({
  delivery_id: p.delivery_id,
  at: p.at,
  duration_ms: p.duration_ms,
  status: p.status,
  outcome: p.outcome,
  detail: p.detail,
  response: p.response,
});

/** Largest batch first. */
const INSERTS = [32, 8, 1].map((count) => ({
  count,
  insert: preparedRows<NewAttempt>(count)((db, rows) =>
    db.insertInto("delivery_attempts").values(rows.map(attemptValues)),
  ),
}));

export async function insertAttempts(tx: Tx, rows: readonly NewAttempt[]): Promise<void> {
  let done = 0;
  for (const { count, insert } of INSERTS)
    for (; done + count <= rows.length; done += count) await insert(tx, rows.slice(done, done + count));
}

export async function attemptsOf(executor: Executor, deliveryId: string) {
  return executor
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .orderBy("id")
    .execute();
}

const selectAttemptBeyond = prepared<{ deliveryId: string; kept: number }>()((db, { deliveryId, kept }) =>
  db
    .selectFrom("delivery_attempts")
    .select("id")
    .where("delivery_id", "=", deliveryId)
    .orderBy("id", "desc")
    .limit(sql.lit(1))
    .offset(kept),
);

/** Keeps the latest attempts of a delivery. Only repeated replays produce more. */
export async function trimAttempts(tx: Tx, deliveryId: string, kept: number): Promise<void> {
  const [beyond] = await selectAttemptBeyond(tx, { deliveryId, kept });
  if (!beyond) return;
  await tx.deleteFrom("delivery_attempts").where("delivery_id", "=", deliveryId).where("id", "<=", beyond.id).execute();
}

/** Keeps only the latest internal fault of a single delivery. */
export async function dropOurFaults(tx: Tx, deliveryId: string): Promise<void> {
  await tx
    .deleteFrom("delivery_attempts")
    .where("delivery_id", "=", deliveryId)
    .where("outcome", "=", "our_fault")
    .execute();
}
