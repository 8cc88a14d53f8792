// Calendar routes for staff: windows, dates, appointments, branches and services.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AppointmentService } from "../../calendar/appointment-service.ts";
import type { ConfigurationReads } from "../../calendar/configuration-reads.ts";
import {
  CreateAppointmentSchema,
  CreateWindowSchema,
  DateQuerySchema,
  ListAppointmentsQuery,
  PatchAppointmentSchema,
  PatchTrackingSchema,
  PatchWindowSchema,
  RegenerateSchema,
} from "../../calendar/model.ts";
import type { DirectoryService } from "../../calendar/directory-service.ts";
import type { TrackingService } from "../../calendar/tracking-service.ts";
import type { WindowService } from "../../calendar/window-service.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import { datedSlotOf } from "../../calendar/slot-id.ts";
import { closedAmong } from "../../calendar/closed-people.ts";
import type { Database } from "../../db/database.ts";
import { versioned } from "../../core/entity-tag.ts";
import { isOfReach } from "../../core/reach.ts";
import { nullable } from "../../core/schema.ts";
import type { SessionGuard } from "../session-guard.ts";
import { callsField } from "./plan-routes.ts";

export interface DashboardCalendarDeps {
  guard: SessionGuard;
  windows: WindowService;
  tracking: TrackingService;
  appointments: AppointmentService;
  directory: DirectoryService;
  reads: ConfigurationReads;
  db: Database;
}

const slotId = Type.Object({ slot_id: Type.String({ maxLength: 150 }) });
const id = Type.Object({ id: Type.String({ maxLength: 64 }) });
const name = Type.String({ minLength: 1, maxLength: 200 });
/** The user confirmed a second booking of the same person in this window. */
const twiceField = Type.Object({ twice: Type.Optional(Type.Boolean()) });
const bookedOf = ({ appointment_id: id, slot_id, date, status }: Appointment) => ({
  id,
  window_id: slot_id === null ? null : datedSlotOf(slot_id).calendarId,
  date,
  status,
});
const twiceOf = (twice: boolean | undefined) => (twice === true ? "allowed" : "asked-first");

export function dashboardCalendarRoutes({
  guard,
  windows,
  tracking,
  appointments,
  directory,
  reads,
  db,
}: DashboardCalendarDeps) {
  return new Elysia({ name: "dashboard-calendar" })
    .use(guard)
    .get(
      "/dashboard/api/calendar/configuration",
      async ({ session }) => {
        const configuration = await reads.configuration(session.organisationId);
        const own = new Map(
          (await directory.branches(session.organisationId)).map(({ id, time_zone }) => [id, time_zone]),
        );
        const seen = configuration.branches.filter(({ branch_id }) => isOfReach(session.reach, branch_id));
        const branches = seen.map((branch) => ({
          ...branch,
          own_time_zone: own.get(branch.branch_id) ?? null,
        }));
        return { ...configuration, branches };
      },
      { role: "viewer" },
    )
    .get("/dashboard/api/calendar/services", ({ session }) => reads.services(session.organisationId), {
      role: "viewer",
    })
    .put(
      "/dashboard/api/calendar/branches/:id",
      async ({ session, actor, params, body }) => {
        const { name: branchName, time_zone } = body;
        await directory.setBranch(
          session.organisationId,
          params.id,
          {
            ...(branchName === undefined ? {} : { name: branchName }),
            ...(time_zone === undefined ? {} : { timeZone: time_zone }),
          },
          actor,
        );
        return { ok: true };
      },
      {
        role: "staff",
        params: id,
        body: Type.Object({
          name: Type.Optional(name),
          time_zone: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
        }),
      },
    )
    .post(
      "/dashboard/api/calendar/branches/:id/archive",
      async ({ session, actor, params }) => {
        await directory.archiveBranch(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    )
    .put(
      "/dashboard/api/calendar/services/:id",
      async ({ session, actor, params, body }) => {
        await directory.setService(session.organisationId, params.id, body.name, actor);
        return { ok: true };
      },
      { role: "staff", params: id, body: Type.Object({ name }) },
    )
    .get(
      "/dashboard/api/calendar/windows",
      async ({ session, query }) => (await windows.list(session.organisationId, query.branch_id)).map(versioned),
      {
        role: "viewer",
        query: Type.Pick(DateQuerySchema, ["branch_id"]),
      },
    )
    .post(
      "/dashboard/api/calendar/windows",
      async ({ session, actor, body: { calls_waiting_list: callsWaitingList, ...body } }) =>
        versioned(await windows.create(session.organisationId, body, actor, undefined, { callsWaitingList })),
      {
        role: "staff",
        body: Type.Composite([CreateWindowSchema, callsField]),
      },
    )
    .patch(
      "/dashboard/api/calendar/windows/:slot_id",
      async ({ session, actor, params, body }) =>
        versioned(await windows.update(session.organisationId, params.slot_id, body, actor)),
      { role: "staff", params: slotId, body: PatchWindowSchema },
    )
    .get(
      "/dashboard/api/calendar/windows/:slot_id/booked",
      ({ session, params }) => windows.booked(session.organisationId, params.slot_id),
      { role: "viewer", params: slotId },
    )
    .post(
      "/dashboard/api/calendar/windows/:slot_id/disable",
      ({ session, actor, params }) => windows.disable(session.organisationId, params.slot_id, actor),
      { role: "staff", params: slotId },
    )
    .get("/dashboard/api/calendar/tracking", ({ session, query }) => tracking.tracking(session.organisationId, query), {
      role: "viewer",
      query: DateQuerySchema,
    })
    .patch(
      "/dashboard/api/calendar/tracking/:slot_id",
      ({ session, actor, params, body }) => tracking.override(session.organisationId, params.slot_id, body, actor),
      { role: "staff", params: slotId, body: PatchTrackingSchema },
    )
    .post(
      "/dashboard/api/calendar/regenerate",
      ({ session, actor, body }) => tracking.regenerate(session.organisationId, body, actor),
      {
        role: "staff",
        body: RegenerateSchema,
      },
    )
    .get(
      "/dashboard/api/calendar/availability",
      ({ session, query }) => tracking.availability(session.organisationId, query),
      {
        role: "viewer",
        query: DateQuerySchema,
      },
    )
    .get(
      "/dashboard/api/appointments",
      async ({ session, actor, query }) => {
        const page = await appointments.list(session.organisationId, query, actor);
        const closed = await closedAmong(db.reader, session.organisationId, page.data.map(bookedOf));
        const rows = page.data.map((row) => ({
          ...versioned(row),
          closed_for: closed.get(row.appointment_id) ?? null,
        }));
        return { ...page, data: rows };
      },
      {
        role: "viewer",
        query: ListAppointmentsQuery,
      },
    )
    .post(
      "/dashboard/api/appointments",
      ({ session, actor, body: { twice, ...body } }) =>
        appointments.create(session.organisationId, body, "dashboard", actor, { twice: twiceOf(twice) }),
      {
        role: "staff",
        body: Type.Composite([CreateAppointmentSchema, twiceField]),
      },
    )
    .patch(
      "/dashboard/api/appointments/:id",
      ({ session, actor, params, body: { twice, ...body } }) =>
        appointments.update(session.organisationId, params.id, body, actor, twiceOf(twice)),
      {
        role: "staff",
        params: id,
        body: Type.Composite([PatchAppointmentSchema, twiceField]),
      },
    );
}
