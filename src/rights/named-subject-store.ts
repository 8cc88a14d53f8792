// Patients and agents that audit entries are about.
import type { Executor } from "../db/tables.ts";

export interface AboutPatient {
  id: string;
  contact_name: string | null;
  contact_number: string | null;
}

/** Tables with one row for each subject, by the prefix of its id. */
const TABLES = { call_: "calls", apt_: "appointments", wtl_: "waiting_list" } as const;

export async function patientsOf(executor: Executor, organisationId: string, ids: readonly string[]) {
  const found: AboutPatient[] = [];
  for (const [prefix, table] of Object.entries(TABLES)) {
    const wanted = ids.filter((id) => id.startsWith(prefix));
    if (wanted.length === 0) continue;
    const rows = await executor
      .selectFrom(table)
      .select(["id", "contact_name", "contact_number"])
      .where("organisation_id", "=", organisationId)
      .where("id", "in", wanted)
      .execute();
    found.push(...rows);
  }
  return found;
}

export async function agentNamesOf(executor: Executor, organisationId: string, ids: readonly string[]) {
  const wanted = ids.filter((id) => id.startsWith("agt_"));
  if (wanted.length === 0) return [];
  return executor
    .selectFrom("agents")
    .select(["id", "name"])
    .where("organisation_id", "=", organisationId)
    .where("id", "in", wanted)
    .execute();
}
