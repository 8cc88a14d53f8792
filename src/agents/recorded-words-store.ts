// Store of recorded phrases.
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { RecordedKind } from "../payloads/recorded-words.ts";
import { phraseMeaning, type RecordedPhrase } from "./records.ts";

export async function putRecordedWords(tx: Tx, row: RecordedPhrase): Promise<void> {
  const stored = phraseMeaning.write(row);
  const { agent_id: _agent, kind: _kind, ...change } = stored;
  await tx
    .insertInto("agent_prompts")
    .values(stored)
    .onConflict((conflict) => conflict.columns(["agent_id", "kind"]).doUpdateSet(change))
    .execute();
}

/** Returns whether it existed. */
export async function deleteRecordedWords(tx: Tx, agentId: string, kind: RecordedKind): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("agent_prompts")
    .where("agent_id", "=", agentId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function allRecordedWords(
  executor: Executor,
  agentId: string,
): Promise<Omit<RecordedPhrase, "samples">[]> {
  const rows = await executor
    .selectFrom("agent_prompts")
    .select(["agent_id", "kind", "file_name", "seconds", "digest", "created_at", "is_outdated"])
    .where("agent_id", "=", agentId)
    .execute();
  return phraseMeaning.readAll(rows);
}

export async function recordedWords(
  executor: Executor,
  agentId: string,
  kind: RecordedKind,
): Promise<RecordedPhrase | undefined> {
  const row = await executor
    .selectFrom("agent_prompts")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row && phraseMeaning.read(row);
}

const selectDigests = prepared<{ agentId: string }>()((db, { agentId }) =>
  db.selectFrom("agent_prompts").select(["kind", "digest"]).where("agent_id", "=", agentId),
);

/** Without the audio; read at every dial. */
export async function recordedDigests(
  executor: Executor,
  agentId: string,
): Promise<Pick<RecordedPhrase, "kind" | "digest">[]> {
  return selectDigests(executor, { agentId });
}
