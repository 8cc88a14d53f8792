// Names of branches and services, and the time zone of a branch.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedName } from "../core/names.ts";
import { isUuid } from "../core/ids.ts";
import { isTimeZone, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import {
  appointmentTypesOf,
  branchesOf,
  registerAppointmentType,
  registerBranch,
  updateAppointmentType,
  updateBranch,
  useOfBranch,
  zoneOf,
  type BranchUse,
} from "./directory-store.ts";

const IN_USE: Readonly<Record<BranchUse, string>> = {
  agent: "An agent books for this branch. Choose another branch for it first.",
  window: "This branch has open windows. Close them first.",
  appointment: "People are booked at this branch. Move or cancel their appointments first.",
};

export function createDirectoryService(deps: {
  db: Database;
  clock: Clock;
  audit: Audit;
  zoneWatchers: readonly ZoneWatcher[];
}) {
  const { db, clock, audit, zoneWatchers } = deps;
  return {
    branches: (organisationId: string) => branchesOf(db.reader, organisationId),
    services: (organisationId: string) => appointmentTypesOf(db.reader, organisationId),

    /** A null zone follows the organisation's. A change of zone moves no booking, because dates and times are local. */
    async setBranch(
      organisationId: string,
      id: string,
      change: { name?: string; timeZone?: string | null },
      actor: Actor,
    ): Promise<void> {
      const branchId = checkedUuid("branch_id", id);
      if (change.timeZone && !isTimeZone(change.timeZone))
        throw invalidField("time_zone", "time_zone must be an IANA name.");
      await db.write(async (tx) => {
        const now = clock.now();
        await registerBranch(tx, organisationId, branchId, now);
        await updateBranch(tx, organisationId, branchId, {
          ...(change.name === undefined ? {} : { name: checkedName("name", change.name, 200) }),
          ...(change.timeZone === undefined ? {} : { time_zone: change.timeZone }),
          updated_at: now,
        });
        await audit.record(tx, { organisationId, actor, action: "branch.changed", subjectId: branchId });
        if (change.timeZone !== undefined) for (const watch of zoneWatchers) await watch(tx, organisationId);
      });
    },

    /** Hides the branch from all lists; using its id again restores it. */
    async archiveBranch(organisationId: string, id: string, actor: Actor): Promise<void> {
      const branchId = checkedUuid("branch_id", id);
      await db.write(async (tx) => {
        const now = clock.now();
        const known = (await branchesOf(tx, organisationId)).some((branch) => branch.id === branchId);
        if (!known) throw new AppError("NOT_FOUND", "There is no branch with this id.");
        const today = wallTime(now, await zoneOf(tx, organisationId, branchId)).date;
        const use = await useOfBranch(tx, organisationId, branchId, today);
        if (use !== null) throw new AppError("CONFLICT", IN_USE[use]);
        await updateBranch(tx, organisationId, branchId, { archived_at: now, updated_at: now });
        await audit.record(tx, { organisationId, actor, action: "branch.archived", subjectId: branchId });
      });
    },

    async setService(organisationId: string, id: string, name: string, actor: Actor): Promise<void> {
      const serviceId = checkedUuid("appointment_type_id", id);
      await db.write(async (tx) => {
        const now = clock.now();
        await registerAppointmentType(tx, organisationId, serviceId, now);
        await updateAppointmentType(tx, organisationId, serviceId, {
          name: checkedName("name", name, 200),
          updated_at: now,
        });
        await audit.record(tx, { organisationId, actor, action: "service.changed", subjectId: serviceId });
      });
    },
  };
}

export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** Stored in lower case, so one UUID has one spelling. */
function checkedUuid(field: string, text: string): string {
  if (!isUuid(text)) throw invalidField(field, `${field} must be a UUID.`);
  return text.toLowerCase();
}
