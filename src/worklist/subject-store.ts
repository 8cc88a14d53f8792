// Reads the subjects of worklist items, for a whole page at once.
import { appointmentWithin, callWithin } from "../accounts/reach-store.ts";
import { callMeaning, type Call } from "../calls/call/records.ts";
import type { Reach } from "../core/reach.ts";
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
  reach?: Reach,
): Promise<Pick<Call, "id" | "contact_number" | "scheduled_at">[]> {
  if (numbers.length === 0) return [];
  const query = executor
    .selectFrom("calls")
    .select(["id", "contact_number", "scheduled_at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where("finished_at", "is", null);
  return (reach ? query.where(callWithin(reach)) : query).execute();
}

/** The next appointment of each of these numbers from a date on, and the appointments named by calls. */
export async function appointmentsOf(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
  from: string,
  reach?: Reach,
) {
  if (numbers.length === 0) return [];
  const query = executor
    .selectFrom("appointments")
    .select(["contact_number", "branch_id", "date", "change_requested_at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where("date", ">=", from)
    .where("status", "=", "confirmed")
    .orderBy("date")
    .orderBy("start_time");
  return (reach ? query.where(appointmentWithin(reach)) : query).execute();
}

/** Appointments with a wish, each with the name of its source. */
export async function wishesNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor
    .selectFrom("appointments")
    .innerJoin("sources", "sources.id", "appointments.source_id")
    .select([
      "appointments.id",
      "appointments.branch_id",
      "appointments.date",
      "appointments.start_time",
      "appointments.contact_name",
      "appointments.contact_number",
      "appointments.external_id",
      "appointments.wish",
      "appointments.wish_text",
      "sources.name as source_name",
    ])
    .where("appointments.id", "in", ids)
    .where("appointments.wish", "is not", null)
    .$narrowType<{ wish: "cancel" | "move" }>()
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
