// Reads the subjects of worklist items, for a whole page at once.
import { callMeaning, type Call } from "../calls/call/records.ts";
import type { Executor } from "../db/tables.ts";

export async function callsNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await executor
    .selectFrom("calls")
    .innerJoin("agents", "agents.id", "calls.agent_id")
    .selectAll("calls")
    .select("agents.name as agent_name")
    .where("calls.id", "in", ids)
    .execute();
  return callMeaning.readAll(rows);
}

/** Pending and live calls to any of these numbers. */
export async function unfinishedCallsTo(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<Pick<Call, "id" | "contact_number" | "scheduled_at">[]> {
  if (numbers.length === 0) return [];
  return executor
    .selectFrom("calls")
    .select(["id", "contact_number", "scheduled_at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where("finished_at", "is", null)
    .execute();
}

/** The next appointment of each of these numbers from a date on, and the appointments named by calls. */
export async function appointmentsOf(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
  from: string,
) {
  if (numbers.length === 0) return [];
  return executor
    .selectFrom("appointments")
    .select(["contact_number", "branch_id", "date", "change_requested_at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where("date", ">=", from)
    .where("status", "=", "confirmed")
    .orderBy("date")
    .orderBy("start_time")
    .execute();
}

export async function trunksNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor
    .selectFrom("trunks")
    .leftJoin("trunk_states", "trunk_states.trunk_id", "trunks.id")
    .select(["trunks.id", "trunks.name", "trunk_states.last_error as fault"])
    .where("trunks.id", "in", ids)
    .execute();
}

export async function endpointsNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "disabled_reason", "outage_reason"])
    .where("id", "in", ids)
    .execute();
}

export async function campaignsNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor.selectFrom("campaigns").select(["id", "name", "row_count"]).where("id", "in", ids).execute();
}
