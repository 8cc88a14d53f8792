// Reads that a booking form makes before it queries slots.
import { organisationById } from "../accounts/organisation-store.ts";
import type { Config } from "../config/schema.ts";
import type { Database } from "../db/database.ts";
import { APPOINTMENT_STATUSES } from "./appointment-state.ts";
import { MOST_DAYS, SESSIONS } from "./days.ts";
import { appointmentTypesOf, branchesOf } from "./directory-store.ts";
import { sessionHours } from "./window-service.ts";

export function createConfigurationReads(db: Database, config: Config) {
  return {
    async configuration(organisationId: string) {
      const zone = (await organisationById(db.reader, organisationId))?.time_zone ?? "UTC";
      const branches = await branchesOf(db.reader, organisationId);
      return {
        time_zone: zone,
        branches: branches.map(({ id, name, time_zone }) => ({ branch_id: id, name, time_zone: time_zone ?? zone })),
        sessions: SESSIONS.map((session) => {
          const [start_time, end_time] = sessionHours(config, session);
          return { session, start_time, end_time };
        }),
        statuses: [...APPOINTMENT_STATUSES],
        max_query_days: MOST_DAYS,
      };
    },

    async services(organisationId: string) {
      const types = await appointmentTypesOf(db.reader, organisationId);
      return types.map(({ id, name }) => ({ appointment_type_id: id, appointment_type_name: name }));
    },
  };
}

export type ConfigurationReads = ReturnType<typeof createConfigurationReads>;
