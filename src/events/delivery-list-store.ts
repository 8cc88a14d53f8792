// Delivery lists and counts for the dashboard. Each query is answered from an index, endpoint by endpoint: an
// organisation has a few endpoints and may have millions of deliveries.
import { sql } from "kysely";
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";
import { endpointsOf } from "./endpoint-store.ts";
import { DELIVERY_STATES, deliveryMeaning, type Delivery } from "./records.ts";

export interface DeliveryFilter {
  organisationId: string;
  endpointId?: string | undefined;
  callId?: string | undefined;
  state?: Delivery["state"] | undefined;
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

type Position = Pick<Delivery, "created_at" | "id">;

const newestFirst = (a: Position, b: Position) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1);

/** Newest first, with the subject of each. */
export async function listDeliveries(executor: Executor, filter: DeliveryFilter) {
  if (filter.callId !== undefined) return listOfCall(executor, { ...filter, callId: filter.callId });
  const own = await endpointsOf(executor, filter.organisationId);
  const asked = own.filter(({ id }) => filter.endpointId === undefined || id === filter.endpointId);
  const lists = await Promise.all(asked.map(({ id }) => newestOf(executor, id, filter).execute()));
  return deliveryMeaning.readAll(lists.flat().toSorted(newestFirst).slice(0, filter.limit));
}

function deliveriesWithEvents(executor: Executor) {
  return executor
    .selectFrom("deliveries")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .selectAll("deliveries")
    .select(["events.type as event_type", "events.call_id"]);
}

function newestOf(executor: Executor, endpointId: string, { state, before, limit }: DeliveryFilter) {
  let query = deliveriesWithEvents(executor).where("deliveries.endpoint_id", "=", endpointId);
  if (state !== undefined) query = query.where(isIn(state));
  if (before !== undefined) {
    // The first condition lets an index start there; the second excludes the rest of that millisecond.
    query = query
      .where("deliveries.created_at", "<=", before.createdAt)
      .where((eb) => eb.or([eb("deliveries.created_at", "<", before.createdAt), eb("deliveries.id", "<", before.id)]));
  }
  return query.orderBy("deliveries.created_at", "desc").orderBy("deliveries.id", "desc").limit(limit);
}

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>[number];

/** Literals as in the partial indexes: SQLite does not consider parameter values when it chooses an index. */
function isIn(state: Delivery["state"]) {
  if (state === "pending") return sql<boolean>`deliveries.state = 'pending'`;
  return sql<boolean>`deliveries.state = ${state} and deliveries.state <> 'pending'`;
}

/** A call has few events, so all of them are read. */
async function listOfCall(executor: Executor, filter: DeliveryFilter & { callId: string }) {
  const { organisationId, endpointId, state, before, limit } = filter;
  const rows = await deliveriesWithEvents(executor).where("events.call_id", "=", filter.callId).execute();
  const mark = before && { created_at: before.createdAt, id: before.id };
  return deliveryMeaning
    .readAll(rows)
    .filter((row) => row.organisation_id === organisationId)
    .filter((row) => endpointId === undefined || row.endpoint_id === endpointId)
    .filter((row) => state === undefined || row.state === state)
    .filter((row) => mark === undefined || newestFirst(mark, row) < 0)
    .toSorted(newestFirst)
    .slice(0, limit);
}

const selectCounts = prepared<{ endpointId: string }>()((db, { endpointId }) =>
  db.selectFrom("delivery_counts").select(["state", "count"]).where("endpoint_id", "=", endpointId),
);

export async function countByState(executor: Executor, endpointId: string): Promise<Record<string, number>> {
  return named(await selectCounts(executor, { endpointId }));
}

export async function countByStateBetween(
  executor: Executor,
  endpointId: string,
  range: { from: number; to: number },
): Promise<Record<string, number>> {
  const counts = await Promise.all(
    DELIVERY_STATES.map(async (state) => {
      const { count } = await executor
        .selectFrom("deliveries")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("endpoint_id", "=", endpointId)
        .where(isIn(state))
        .where("created_at", ">=", range.from)
        .where("created_at", "<", range.to)
        .executeTakeFirstOrThrow();
      return { state, count };
    }),
  );
  return named(counts);
}

/** Omits states with a count of zero. */
function named(rows: readonly { state: string; count: number }[]): Record<string, number> {
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]));
}
