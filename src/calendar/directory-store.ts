// Branches and services, registered on first use because the hospital's own system owns their ids.
import type { Position } from "../core/pages.ts";
import { prepared, remembered } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { AppointmentType, Branch } from "./records.ts";

export async function registerBranch(tx: Tx, organisationId: string, id: string, now: number): Promise<void> {
  await tx
    .insertInto("branches")
    .values({ organisation_id: organisationId, id, name: null, time_zone: null, created_at: now, updated_at: now })
    // Using an archived branch restores it.
    .onConflict((conflict) =>
      conflict
        .columns(["organisation_id", "id"])
        .doUpdateSet({ archived_at: null, updated_at: now })
        .where("branches.archived_at", "is not", null),
    )
    .execute();
}

export async function registerAppointmentType(tx: Tx, organisationId: string, id: string, now: number): Promise<void> {
  await tx
    .insertInto("appointment_types")
    .values({ organisation_id: organisationId, id, name: null, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(["organisation_id", "id"]).doNothing())
    .execute();
}

const selectZone = remembered<{ organisationId: string; branchId: string }>(["organisations", "branches"])(
  (db, { organisationId, branchId }) =>
    db
      .selectFrom("organisations")
      .leftJoin("branches", (join) =>
        join.onRef("branches.organisation_id", "=", "organisations.id").on("branches.id", "=", branchId),
      )
      .select(["organisations.time_zone as organisation_zone", "branches.time_zone as branch_zone"])
      .where("organisations.id", "=", organisationId),
);

/** The branch's own zone, or the organisation's. */
export async function zoneOf(executor: Executor, organisationId: string, branchId: string): Promise<string> {
  const [row] = await selectZone(executor, { organisationId, branchId });
  return row?.branch_zone ?? row?.organisation_zone ?? "UTC";
}

const selectBranchName = remembered<{ organisationId: string; id: string }>(["branches"])(
  (db, { organisationId, id }) =>
    db.selectFrom("branches").select("name").where("organisation_id", "=", organisationId).where("id", "=", id),
);

/** Null if it has no name. */
export async function branchNameOf(executor: Executor, organisationId: string, id: string): Promise<string | null> {
  const [row] = await selectBranchName(executor, { organisationId, id });
  return row?.name ?? null;
}

export async function branchesOf(executor: Executor, organisationId: string): Promise<Branch[]> {
  return executor
    .selectFrom("branches")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("archived_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function appointmentTypesOf(executor: Executor, organisationId: string): Promise<AppointmentType[]> {
  return executor
    .selectFrom("appointment_types")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Branches that were not removed, oldest first. */
export async function pageOfBranches(
  executor: Executor,
  organisationId: string,
  after: Position | undefined,
  limit: number,
): Promise<Branch[]> {
  let query = executor
    .selectFrom("branches")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("archived_at", "is", null);
  if (after) query = query.where((eb) => eb(eb.refTuple("created_at", "id"), ">", eb.tuple(after.createdAt, after.id)));
  return query.orderBy("created_at").orderBy("id").limit(limit).execute();
}

/** Services, oldest first. */
export async function pageOfAppointmentTypes(
  executor: Executor,
  organisationId: string,
  after: Position | undefined,
  limit: number,
): Promise<AppointmentType[]> {
  let query = executor.selectFrom("appointment_types").selectAll().where("organisation_id", "=", organisationId);
  if (after) query = query.where((eb) => eb(eb.refTuple("created_at", "id"), ">", eb.tuple(after.createdAt, after.id)));
  return query.orderBy("created_at").orderBy("id").limit(limit).execute();
}

/** Undefined if it was removed. */
export async function branchOf(executor: Executor, organisationId: string, id: string): Promise<Branch | undefined> {
  return executor
    .selectFrom("branches")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .where("archived_at", "is", null)
    .executeTakeFirst();
}

export async function appointmentTypeOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<AppointmentType | undefined> {
  return executor
    .selectFrom("appointment_types")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

const selectTypeName = prepared<{ organisationId: string; id: string }>()((db, { organisationId, id }) =>
  db.selectFrom("appointment_types").select("name").where("organisation_id", "=", organisationId).where("id", "=", id),
);

export async function appointmentTypeName(
  executor: Executor,
  organisationId: string,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  const [row] = await selectTypeName(executor, { organisationId, id });
  return row?.name ?? null;
}

export async function updateBranch(
  tx: Tx,
  organisationId: string,
  id: string,
  change: { name?: string | null; time_zone?: string | null; archived_at?: number | null; updated_at: number },
): Promise<void> {
  await tx
    .updateTable("branches")
    .set(change)
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

export async function updateAppointmentType(
  tx: Tx,
  organisationId: string,
  id: string,
  change: { name: string | null; updated_at: number },
): Promise<void> {
  await tx
    .updateTable("appointment_types")
    .set(change)
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

export type BranchUse = "agent" | "window" | "appointment";

/** Active uses of a branch: an agent that books for it, an open window, an appointment on `today` or later. */
export async function useOfBranch(
  executor: Executor,
  organisationId: string,
  id: string,
  today: string,
): Promise<BranchUse | null> {
  const agent = await executor
    .selectFrom("agents")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("branch_id", "=", id)
    .where("archived_at", "is", null)
    .executeTakeFirst();
  if (agent) return "agent";
  const window = await executor
    .selectFrom("windows")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("branch_id", "=", id)
    .where("status", "=", "OPEN")
    .executeTakeFirst();
  if (window) return "window";
  const appointment = await executor
    .selectFrom("appointments")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("branch_id", "=", id)
    .where("date", ">=", today)
    .where("status", "=", "confirmed")
    .executeTakeFirst();
  return appointment ? "appointment" : null;
}
