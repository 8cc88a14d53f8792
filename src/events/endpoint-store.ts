// Webhook endpoints in the database.
import { sql } from "kysely";
import { MAYBE_DELIVERED } from "../db/backup/hold-due-calls.ts";
import { prepared, preparedChange, remembered } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { endpointMeaning, type Endpoint } from "./records.ts";

export async function insertEndpoint(tx: Tx, row: Endpoint): Promise<void> {
  await tx.insertInto("webhook_endpoints").values(endpointMeaning.write(row)).execute();
}

const selectEndpoint = remembered<{ id: string }>(["webhook_endpoints"])(
  (db, { id }) => db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id),
  (row) => endpointMeaning.read(row),
);

export async function endpointById(executor: Executor, id: string): Promise<Endpoint | undefined> {
  const [row] = await selectEndpoint(executor, { id });
  return row;
}

const selectOfSource = prepared<{ sourceId: string }>()((db, { sourceId }) =>
  db.selectFrom("webhook_endpoints").selectAll().where("source_id", "=", sourceId),
);

/** The endpoint over which a source is told. */
export async function endpointOfSource(executor: Executor, sourceId: string): Promise<Endpoint | undefined> {
  const [row] = await selectOfSource(executor, { sourceId });
  return row && endpointMeaning.read(row);
}

export async function endpointOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<Endpoint | undefined> {
  const row = await endpointById(executor, id);
  return row?.organisation_id === organisationId ? row : undefined;
}

export async function endpointsOf(executor: Executor, organisationId: string): Promise<Endpoint[]> {
  const rows = await executor
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return endpointMeaning.readAll(rows);
}

/** Of all organisations. */
export async function enabledEndpoints(executor: Executor): Promise<Endpoint[]> {
  const query = executor.selectFrom("webhook_endpoints").selectAll().where("enabled", "=", 1);
  return endpointMeaning.readAll(await query.orderBy("id").execute());
}

/** Enabled endpoints with pending deliveries. */
export async function endpointsWithPending(executor: Executor, organisationId: string): Promise<Endpoint[]> {
  const rows = await executor
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("enabled", "=", 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("deliveries")
          .select("deliveries.id")
          .whereRef("deliveries.endpoint_id", "=", "webhook_endpoints.id")
          .where("deliveries.state", "=", sql.lit("pending" as const)),
      ),
    )
    .execute();
  return endpointMeaning.readAll(rows);
}

/** Endpoints disabled because their pending deliveries may have been delivered already. */
export async function countMaybeDelivered(executor: Executor): Promise<number> {
  const { count } = await executor
    .selectFrom("webhook_endpoints")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("enabled", "=", 0)
    .where("disabled_reason", "=", MAYBE_DELIVERED)
    .executeTakeFirstOrThrow();
  return count;
}

export type EndpointChange = Partial<Omit<Endpoint, "id" | "organisation_id" | "created_at">>;

export async function updateEndpoint(tx: Tx, id: string, change: EndpointChange): Promise<void> {
  await tx.updateTable("webhook_endpoints").set(endpointMeaning.write(change)).where("id", "=", id).execute();
}

const setFailuresQuery = preparedChange<Pick<Endpoint, "id" | "consecutive_failures">>()(
  (db, { id, consecutive_failures }) =>
    db.updateTable("webhook_endpoints").set({ consecutive_failures }).where("id", "=", id),
);

export async function setFailures(tx: Tx, change: Pick<Endpoint, "id" | "consecutive_failures">): Promise<void> {
  await setFailuresQuery(tx, change);
}

/** Its deliveries are deleted first (backlog-store.ts). */
export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
}
