// Naming branches and services, and giving a branch its own time zone.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import type { Clock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";
import { isTimeZone } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import {
  appointmentTypesOf,
  branchesOf,
  registerAppointmentType,
  registerBranch,
  updateAppointmentType,
  updateBranch,
} from "./directory-store.ts";

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

    /** A zone of null follows the organisation's. A change of zone moves no booking: dates and times are local. */
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
          ...(change.name === undefined ? {} : { name: checkedName(change.name) }),
          ...(change.timeZone === undefined ? {} : { time_zone: change.timeZone }),
          updated_at: now,
        });
        await audit.record(tx, { organisationId, actor, action: "branch.changed", subjectId: branchId });
        if (change.timeZone !== undefined) for (const watch of zoneWatchers) await watch(tx, organisationId);
      });
    },

    async setService(organisationId: string, id: string, name: string, actor: Actor): Promise<void> {
      const serviceId = checkedUuid("appointment_type_id", id);
      await db.write(async (tx) => {
        const now = clock.now();
        await registerAppointmentType(tx, organisationId, serviceId, now);
        await updateAppointmentType(tx, organisationId, serviceId, { name: checkedName(name), updated_at: now });
        await audit.record(tx, { organisationId, actor, action: "service.changed", subjectId: serviceId });
      });
    },
  };
}

export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** Stored in lower case: one UUID has one spelling. */
function checkedUuid(field: string, text: string): string {
  if (!isUuid(text)) throw invalidField(field, `${field} must be a UUID.`);
  return text.toLowerCase();
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > 200) throw invalidField("name", "name must have 1 to 200 characters.");
  return trimmed;
}
