// Store of agent versions.
import { remembered } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { versionMeaning, type AgentVersion } from "./records.ts";

export async function insertVersion(tx: Tx, row: AgentVersion): Promise<void> {
  await tx.insertInto("agent_versions").values(versionMeaning.write(row)).execute();
}

export async function versionOf(
  executor: Executor,
  agentId: string,
  version: number,
): Promise<AgentVersion | undefined> {
  const row = await executor
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row && versionMeaning.read(row);
}

export async function newestVersion(executor: Executor, agentId: string): Promise<AgentVersion | undefined> {
  const row = await executor
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && versionMeaning.read(row);
}

/** Newest first. */
const selectVersionTimes = remembered<{ agentId: string }>(["agent_versions"])((db, { agentId }) =>
  db.selectFrom("agent_versions").select(["version", "at"]).where("agent_id", "=", agentId).orderBy("version", "desc"),
);

/** The version in use at a time; null if it is not kept any more. Reads each agent once. */
export function agentVersionsIn(executor: Executor): (agentId: string, at: number) => Promise<number | null> {
  const known = new Map<string, { version: number; at: number }[]>();
  return async (agentId, at) => {
    const versions = known.get(agentId) ?? (await selectVersionTimes(executor, { agentId }));
    known.set(agentId, versions);
    return versions.find((version) => version.at <= at)?.version ?? null;
  };
}

/** Newest first, with the author's name if the author belongs to this organisation. */
export async function versionsOf(executor: Executor, agentId: string) {
  const rows = await executor
    .selectFrom("agent_versions")
    .leftJoin("people", "people.id", "agent_versions.actor_id")
    .select([
      "agent_versions.version",
      "agent_versions.at",
      "agent_versions.actor_kind",
      "agent_versions.actor_id",
      "agent_versions.restored_from",
      "agent_versions.changed",
      "people.name as actor_name",
    ])
    .where("agent_versions.agent_id", "=", agentId)
    .orderBy("agent_versions.version", "desc")
    .execute();
  return versionMeaning.readAll(rows);
}

export async function deleteVersionsUpTo(tx: Tx, agentId: string, version: number): Promise<void> {
  await tx.deleteFrom("agent_versions").where("agent_id", "=", agentId).where("version", "<=", version).execute();
}
