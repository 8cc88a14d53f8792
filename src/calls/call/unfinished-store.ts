// Queries for calls that are pending or live.
import { prepared } from "../../db/prepared.ts";
import type { Executor } from "../../db/tables.ts";

const selectUnfinished = prepared<{ organisationId: string; number: string }>()((db, { organisationId, number }) =>
  db
    .selectFrom("calls")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where("finished_at", "is", null),
);

/** Whether a call to the contact is pending or live; `besides` excludes one call. */
export async function hasUnfinishedCall(
  executor: Executor,
  organisationId: string,
  number: string,
  besides?: string,
): Promise<boolean> {
  return (await selectUnfinished(executor, { organisationId, number })).some(({ id }) => id !== besides);
}

export async function hasUnfinishedCalls(
  executor: Executor,
  organisationId: string,
  agentId: string,
): Promise<boolean> {
  const row = await executor
    .selectFrom("calls")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("organisation_id", "=", organisationId)
    .where("finished_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
