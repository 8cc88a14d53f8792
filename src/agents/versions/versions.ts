// Versions of an agent: every state with its author and time.
import type { Actor } from "../../core/actor.ts";
import { toIso } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Agent } from "../records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { agentFields } from "../views.ts";
import { differences, type AgentFields } from "./difference.ts";
import { deleteVersionsUpTo, insertVersion, newestVersion, versionOf, versionsOf } from "./version-store.ts";

/** Older versions are deleted; a prompt may have 32,000 characters. */
export const MOST_VERSIONS = 200;

/** Stores a version if the agent has changed. */
export async function keepVersion(
  tx: Tx,
  row: Agent,
  by: { actor: Actor; at: number; restoredFrom?: number },
): Promise<void> {
  const fields = agentFields(row);
  const last = await newestVersion(tx, row.id);
  const former = last?.fields;
  const known = former && new Set(Object.keys(former));
  const changed = former ? differences(former, fields).map(({ field }) => field) : [];
  // Fields added by a newer release start with their present value.
  const isWider = known !== undefined && Object.keys(fields).some((field) => !known.has(field));
  if (last && changed.length === 0 && !isWider) return;
  const version = (last?.version ?? 0) + 1;
  await insertVersion(tx, {
    agent_id: row.id,
    version,
    at: by.at,
    actor_kind: by.actor.kind,
    actor_id: by.actor.id,
    restored_from: by.restoredFrom ?? null,
    changed,
    fields,
  });
  if (version > MOST_VERSIONS) await deleteVersionsUpTo(tx, row.id, version - MOST_VERSIONS);
}

export async function listVersions(executor: Executor, agentId: string) {
  return (await versionsOf(executor, agentId)).map((row) => ({
    version: row.version,
    at: toIso(row.at),
    by: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    restored_from: row.restored_from,
    changed: [...row.changed],
  }));
}

export async function fieldsOfVersion(executor: Executor, agentId: string, version: number): Promise<AgentFields> {
  const row = await versionOf(executor, agentId, version);
  if (!row) throw new AppError("NOT_FOUND", "The agent has no such version, or it is too old to be kept.");
  return row.fields;
}

/** From `against`, or the previous version, to `version`. Empty for the first. */
export async function versionDifference(executor: Executor, agentId: string, version: number, against?: number) {
  const after = await fieldsOfVersion(executor, agentId, version);
  const earlier = against ?? version - 1;
  const row = await versionOf(executor, agentId, earlier);
  if (!row && against !== undefined) await fieldsOfVersion(executor, agentId, against);
  return {
    version,
    against: row ? earlier : null,
    fields: after,
    differences: row ? differences(row.fields, after) : [],
  };
}
