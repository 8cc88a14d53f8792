// Many deliveries of one endpoint at once, a bounded number in a transaction: with 100,000 waiting, every other write
// would stand still for seconds.
import { sql } from "kysely";
import type { Executor, Tx } from "../db/tables.ts";
import { updateEndpoint } from "./endpoint-store.ts";
import { changeDeliveries, deleteDeliveries } from "./order-store.ts";
import type { Delivery, Endpoint } from "./records.ts";

/** About 25 ms of the writer on two cores. */
export const DELIVERIES_PER_BATCH = 500;

const COLUMNS = ["id", "event_id", "endpoint_id", "order_key"] as const;

function someOf(executor: Executor, endpointId: string, state: "pending" | "held") {
  return (
    executor
      .selectFrom("deliveries")
      .select(COLUMNS)
      // A literal, so that SQLite can use the partial indexes.
      .where("state", "=", sql.lit(state))
      .where("endpoint_id", "=", endpointId)
      .orderBy("order_key")
      .orderBy("id")
      .limit(DELIVERIES_PER_BATCH)
      .execute()
  );
}

/**
 * Deliveries follow the endpoint's switch: off, pending ones become held; on, held ones start their five attempts
 * afresh. One batch; `is_settling` on the endpoint says whether the delivery loop has to go on.
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
 * Makes due what was planned for later than any schedule allows: a clock that was ahead for a while would otherwise
 * hold it back until its wrong time has come. One batch.
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

/** Gives up one batch of what waits in these states. Answers how many; fewer than a batch means that none are left. */
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

/** Exhausted deliveries of a time range, oldest first, a batch from behind `after`. */
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

/** Deletes one batch of an endpoint's deliveries. Answers whether any may be left. */
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
