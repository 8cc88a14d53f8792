// Old events in the database: which have served, and taking them out.
import type { Executor, Tx } from "../db/tables.ts";
import { deleteDeliveries } from "./order-store.ts";

/** Where a walk through the events stands. */
export interface Position {
  created_at: number;
  id: string;
}

/**
 * Events of before `until`, oldest first, from behind `after`. `is_kept`: one of its deliveries waits or is held, or
 * was still worked on since `until`.
 */
export async function eventsBefore(executor: Executor, until: number, after: Position | null, limit: number) {
  let query = executor
    .selectFrom("events")
    .select(["id", "created_at"])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("deliveries")
            .select("deliveries.id")
            .whereRef("deliveries.event_id", "=", "events.id")
            .where((or) =>
              or.or([or("deliveries.state", "in", ["pending", "held"]), or("deliveries.updated_at", ">=", until)]),
            ),
        )
        .as("is_kept"),
    )
    .where("created_at", ">=", after?.created_at ?? 0)
    .where("created_at", "<", until);
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb("created_at", ">", after.created_at),
        eb.and([eb("created_at", "=", after.created_at), eb("id", ">", after.id)]),
      ]),
    );
  }
  const rows = await query.orderBy("created_at").orderBy("id").limit(limit).execute();
  return rows.map(({ is_kept, ...position }) => ({ ...position, isKept: Boolean(is_kept) }));
}

/**
 * With their deliveries and attempts. One that somebody has replayed since it was looked at stays. Answers how many
 * went.
 */
export async function deleteOldEvents(tx: Tx, ids: readonly string[], until: number): Promise<number> {
  const deliveries = await tx
    .selectFrom("deliveries")
    .select(["id", "event_id", "endpoint_id", "order_key", "state", "updated_at"])
    .where("event_id", "in", ids)
    .execute();
  const kept = new Set(
    deliveries
      .filter(({ state, updated_at }) => state === "pending" || state === "held" || updated_at >= until)
      .map(({ event_id }) => event_id),
  );
  const gone = ids.filter((id) => !kept.has(id));
  if (gone.length === 0) return 0;
  await deleteDeliveries(
    tx,
    deliveries.filter(({ event_id }) => !kept.has(event_id)),
  );
  // Those without a delivery, too.
  await tx.deleteFrom("events").where("id", "in", gone).execute();
  return gone.length;
}
