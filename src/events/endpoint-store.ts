// Webhook endpoints in the database.
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx, WebhookEndpointRow } from "../db/tables.ts";

export async function insertEndpoint(tx: Tx, row: WebhookEndpointRow): Promise<void> {
  await tx.insertInto("webhook_endpoints").values(row).execute();
}

const selectEndpoint = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id),
);

export async function endpointById(executor: Executor, id: string): Promise<WebhookEndpointRow | undefined> {
  const [row] = await selectEndpoint(executor, { id });
  return row;
}

export async function endpointOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<WebhookEndpointRow | undefined> {
  const row = await endpointById(executor, id);
  return row?.organisation_id === organisationId ? row : undefined;
}

export async function endpointsOf(executor: Executor, organisationId: string): Promise<WebhookEndpointRow[]> {
  return executor
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export type EndpointChange = Partial<Omit<WebhookEndpointRow, "id" | "organisation_id" | "created_at">>;

export async function updateEndpoint(tx: Tx, id: string, change: EndpointChange): Promise<void> {
  await tx.updateTable("webhook_endpoints").set(change).where("id", "=", id).execute();
}

/** With everything that was to go there. Events that no other endpoint waits for go too. */
export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  const deliveries = tx.selectFrom("deliveries").select("id").where("endpoint_id", "=", id);
  await tx.deleteFrom("delivery_attempts").where("delivery_id", "in", deliveries).execute();
  await tx.deleteFrom("deliveries").where("endpoint_id", "=", id).execute();
  await tx.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
  await tx
    .deleteFrom("events")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.event_id", "=", "events.id"),
        ),
      ),
    )
    .execute();
}
