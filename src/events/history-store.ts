// Retention queries of events: finds old events and deletes them.
import type { Executor, Tx } from "../db/tables.ts";
import { deleteDeliveries } from "./order-store.ts";

/** Cursor of a scan through the events. */
export interface Position {
  created_at: number;
  id: string;
}

/** What an event is about. */
export interface EventSubject {
  id: string;
  organisationId: string;
  callId: string | null;
  number: string | null;
}

/** With the number of the person called, of the person with the appointment, or of the consent. */
export async function subjectsOfEvents(executor: Executor, ids: readonly string[]): Promise<EventSubject[]> {
  const rows = await executor
    .selectFrom("events")
    .leftJoin("calls", "calls.id", "events.call_id")
    .leftJoin("appointments", "appointments.id", "events.appointment_id")
    .select([
      "events.id",
      "events.organisation_id",
      "events.call_id",
      "appointments.call_id as booked_by",
      "calls.contact_number as called",
      "appointments.contact_number as booked",
      "events.contact_number as named",
    ])
    .where("events.id", "in", ids)
    .execute();
  return rows.map(({ id, organisation_id, call_id, booked_by, called, booked, named }) => ({
    id,
    organisationId: organisation_id,
    callId: call_id ?? booked_by,
    number: called ?? booked ?? named,
  }));
}

/**
 * Events created before `until`, oldest first, after `after`. `is_kept`: a delivery is pending, held, or was updated
 * since `until`.
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
 * Deletes events with their deliveries and attempts. Skips events replayed since they were read. Returns how many were
 * deleted.
 */
export async function deleteOldEvents(tx: Tx, ids: readonly string[], until: number): Promise<number> {
  if (ids.length === 0) return 0;
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
  // Includes events without a delivery.
  await tx.deleteFrom("events").where("id", "in", gone).execute();
  return gone.length;
}
