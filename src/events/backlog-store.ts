// Bulk changes of one endpoint's deliveries, in bounded batches: changing 100,000 in one transaction would block every
// other write for seconds.
import { sql } from "kysely";
import type { Executor, Tx } from "../db/tables.ts";
import { updateEndpoint } from "./endpoint-store.ts";
import { changeDeliveries, deleteDeliveries } from "./order-store.ts";
import type { Delivery, Endpoint } from "./records.ts";

/** About 25 ms of writer time on two cores. */
export const DELIVERIES_PER_BATCH = 500;

const COLUMNS = ["id", "event_id", "endpoint_id", "order_key"] as const;

function someOf(executor: Executor, endpointId: string, state: "pending" | "held") {
  return (
    executor
      .selectFrom("deliveries")
      .select(COLUMNS)
      // A literal, because SQLite does not use the partial indexes with a parameter.
      .where("state", "=", sql.lit(state))
      .where("endpoint_id", "=", endpointId)
      .orderBy("order_key")
      .orderBy("id")
      .limit(DELIVERIES_PER_BATCH)
      .execute()
  );
}

/**
 * Applies the endpoint's switch to its deliveries: when disabled, pending ones become held; when enabled, held ones
 * restart with five attempts. Handles one batch; `is_settling` on the endpoint tells the delivery loop to continue.
 */
export async function settleBacklog(tx: Tx, endpoint: Pick<Endpoint, "id" | "enabled">, now: number): Promise<void> {
  const isOn = endpoint.enabled;
  const batch = await someOf(tx, endpoint.id, isOn ? "held" : "pending");
  await changeDeliveries(
    tx,
    batch,
    isOn ? { state: "pending", attempts: 0, next_at: now, updated_at: now } : { state: "held", updated_at: now },
  );
  await updateEndpoint(tx, endpoint.id, { is_settling: batch.length === DELIVERIES_PER_BATCH });
}

/**
 * Makes deliveries due that are scheduled later than any retry delay allows. A clock that was ahead would otherwise
 * delay them until its wrong time. Handles one batch.
 */
export async function pullForward(tx: Tx, endpointId: string, latest: number, now: number): Promise<void> {
  const late = await tx
    .selectFrom("deliveries")
    .select(COLUMNS)
    .where("is_head", "=", sql.lit(1))
    .where("endpoint_id", "=", endpointId)
    .where("next_at", ">", latest)
    .limit(DELIVERIES_PER_BATCH)
    .execute();
  await changeDeliveries(tx, late, { next_at: now, updated_at: now });
}

/** Gives up one batch of deliveries in these states. Returns how many; fewer than a batch means that none are left. */
export async function giveUpSome(
  tx: Tx,
  endpointId: string,
  states: readonly ("pending" | "held")[],
  now: number,
): Promise<number> {
  for (const state of states) {
    const batch = await someOf(tx, endpointId, state);
    await changeDeliveries(tx, batch, { state: "exhausted", updated_at: now });
    if (batch.length > 0) return batch.length;
  }
  return 0;
}

export async function countUnfinished(executor: Executor, endpointId: string): Promise<number> {
  let count = 0;
  for (const state of ["pending", "held"] as const) {
    const row = await executor
      .selectFrom("deliveries")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("state", "=", sql.lit(state))
      .where("endpoint_id", "=", endpointId)
      .executeTakeFirstOrThrow();
    count += row.count;
  }
  return count;
}

export type Position = Pick<Delivery, "created_at" | "id">;

/** Exhausted deliveries of a time range, oldest first, one batch after `after`. */
export async function exhaustedBetween(
  executor: Executor,
  endpointId: string,
  range: { from: number; to: number },
  after: Position | null,
) {
  let query = executor
    .selectFrom("deliveries")
    .select([...COLUMNS, "created_at"])
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "exhausted")
    .where("created_at", ">=", after?.created_at ?? range.from)
    .where("created_at", "<", range.to);
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb("created_at", ">", after.created_at),
        eb.and([eb("created_at", "=", after.created_at), eb("id", ">", after.id)]),
      ]),
    );
  }
  return query.orderBy("created_at").orderBy("id").limit(DELIVERIES_PER_BATCH).execute();
}

/** Deletes one batch of an endpoint's deliveries. Returns whether any may be left. */
export async function deleteSome(tx: Tx, endpointId: string): Promise<boolean> {
  const batch = await tx
    .selectFrom("deliveries")
    .select(COLUMNS)
    .where("endpoint_id", "=", endpointId)
    .limit(DELIVERIES_PER_BATCH)
    .execute();
  await deleteDeliveries(tx, batch);
  return batch.length === DELIVERIES_PER_BATCH;
}
