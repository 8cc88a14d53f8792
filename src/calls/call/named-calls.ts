// Calls that a request names by their ids.
import { callWithin } from "../../accounts/reach-store.ts";
import type { Reach } from "../../core/reach.ts";
import type { Executor } from "../../db/tables.ts";
import { callMeaning } from "./records.ts";
import { OF_AGENT } from "./store.ts";

/** The calls among these ids that belong to the organisation. */
export async function callsAmong(executor: Executor, organisationId: string, ids: readonly string[], reach?: Reach) {
  if (ids.length === 0) return [];
  const query = executor
    .selectFrom("calls")
    .innerJoin("agents", "agents.id", "calls.agent_id")
    .selectAll("calls")
    .select(OF_AGENT)
    .where("calls.organisation_id", "=", organisationId)
    .where("calls.id", "in", ids);
  return callMeaning.readAll(await (reach ? query.where(callWithin(reach)) : query).execute());
}

/** For people with a reach: other calls are treated like unknown ones. */
export async function isCallWithin(executor: Executor, id: string, reach: Reach): Promise<boolean> {
  const query = executor.selectFrom("calls").select("id").where("id", "=", id).where(callWithin(reach));
  return (await query.executeTakeFirst()) !== undefined;
}
