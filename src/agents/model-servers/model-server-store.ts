// Store of model servers and of the agents' choices.
import { prepared } from "../../db/prepared.ts";
import { modelServerMeaning, type ModelServer } from "../records.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

export async function insertModelServer(tx: Tx, row: ModelServer): Promise<void> {
  await tx.insertInto("model_servers").values(modelServerMeaning.write(row)).execute();
}

export async function updateModelServer(
  tx: Tx,
  id: string,
  change: Partial<Omit<ModelServer, "id" | "organisation_id" | "created_at">>,
): Promise<void> {
  await tx.updateTable("model_servers").set(modelServerMeaning.write(change)).where("id", "=", id).execute();
}

/** Agents that chose it return to the default. */
export async function deleteModelServer(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("agent_model_servers").where("server_id", "=", id).execute();
  await tx.deleteFrom("model_servers").where("id", "=", id).execute();
}

const selectServers = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db.selectFrom("model_servers").selectAll().where("organisation_id", "=", organisationId).orderBy("name"),
);

/** Read at every dial. */
export async function modelServersOf(executor: Executor, organisationId: string): Promise<ModelServer[]> {
  return modelServerMeaning.readAll(await selectServers(executor, { organisationId }));
}

/** Of all organisations. */
export async function allModelServers(executor: Executor): Promise<ModelServer[]> {
  return modelServerMeaning.readAll(await executor.selectFrom("model_servers").selectAll().orderBy("id").execute());
}

const selectChoices = prepared<{ agentId: string }>()((db, { agentId }) =>
  db.selectFrom("agent_model_servers").selectAll().where("agent_id", "=", agentId),
);

/** Read at every dial. */
export function choicesOf(executor: Executor, agentId: string): Promise<Row<"agent_model_servers">[]> {
  return selectChoices(executor, { agentId });
}

export async function putChoice(tx: Tx, row: Row<"agent_model_servers">): Promise<void> {
  const { server_id } = row;
  await tx
    .insertInto("agent_model_servers")
    .values(row)
    .onConflict((conflict) => conflict.columns(["agent_id", "role"]).doUpdateSet({ server_id }))
    .execute();
}

export async function deleteChoice(
  tx: Tx,
  { agent_id, role }: Omit<Row<"agent_model_servers">, "server_id">,
): Promise<void> {
  await tx.deleteFrom("agent_model_servers").where("agent_id", "=", agent_id).where("role", "=", role).execute();
}
