// Store of agent versions.
import type { Executor, Row, Tx } from "../../db/tables.ts";

export async function insertVersion(tx: Tx, row: Row<"agent_versions">): Promise<void> {
  await tx.insertInto("agent_versions").values(row).execute();
}

export async function versionOf(
  executor: Executor,
  agentId: string,
  version: number,
): Promise<Row<"agent_versions"> | undefined> {
  return executor
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .executeTakeFirst();
}

export async function newestVersion(executor: Executor, agentId: string): Promise<Row<"agent_versions"> | undefined> {
  return executor
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Newest first, with the author's name if the author belongs to this organisation. */
export async function versionsOf(executor: Executor, agentId: string) {
  return executor
    .selectFrom("agent_versions")
    .leftJoin("people", "people.id", "agent_versions.actor_id")
    .select([
      "agent_versions.version",
      "agent_versions.at",
      "agent_versions.actor_kind",
      "agent_versions.restored_from",
      "agent_versions.changed",
      "people.name as actor_name",
    ])
    .where("agent_versions.agent_id", "=", agentId)
    .orderBy("agent_versions.version", "desc")
    .execute();
}

export async function deleteVersionsUpTo(tx: Tx, agentId: string, version: number): Promise<void> {
  await tx.deleteFrom("agent_versions").where("agent_id", "=", agentId).where("version", "<=", version).execute();
}
