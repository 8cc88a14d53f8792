// Planning routes for staff: windows for several days, copying another branch's week, holiday import, calendar links.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { FeedService } from "../../calendar/ical/feed-service.ts";
import { MOST_HOLIDAY_BYTES } from "../../calendar/ical/holiday-days.ts";
import { holidaysJob } from "../../calendar/ical/holidays-job.ts";
import { CopyPlanSchema, CreateWindowsSchema, PlanQuery } from "../../calendar/plan-model.ts";
import type { PlanService } from "../../calendar/plan-service.ts";
import { toIso, type Clock } from "../../core/clock.ts";
import type { Files } from "../../core/file-job.ts";
import { isOfReach } from "../../core/reach.ts";
import { oneOf } from "../../core/schema.ts";
import { addDays } from "../../core/zones.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface PlanRouteDeps {
  guard: SessionGuard;
  plans: PlanService;
  feeds: FeedService;
  clock: Clock;
  files: Files;
}

/** False: the waiting list is not called about the new places. */
export const callsField = Type.Object({ calls_waiting_list: Type.Optional(Type.Boolean()) });
const id = Type.Object({ id: Type.String({ maxLength: 64 }) });
/** The same limit as for closing days. */
const HOLIDAYS_AHEAD_DAYS = 730;

export function planRoutes({ guard, plans, feeds, clock, files }: PlanRouteDeps) {
  return new Elysia({ name: "dashboard-plans" })
    .use(guard)
    .post(
      "/dashboard/api/calendar/windows/many",
      ({ session, actor, body: { calls_waiting_list: callsWaitingList, ...body } }) =>
        plans.createWindows(session.organisationId, body, actor, { callsWaitingList }),
      { role: "staff", body: Type.Composite([CreateWindowsSchema, callsField]) },
    )
    .get(
      "/dashboard/api/calendar/plan",
      ({ session, query }) => plans.preview(session.organisationId, query.from_branch, query.to_branch),
      { role: "viewer", query: PlanQuery },
    )
    .post(
      "/dashboard/api/calendar/plan",
      ({ session, actor, body: { calls_waiting_list: callsWaitingList, ...body } }) =>
        plans.copy(session.organisationId, body, actor, { callsWaitingList }),
      { role: "staff", body: Type.Composite([CopyPlanSchema, callsField]) },
    )
    .post(
      "/dashboard/api/calendar/holidays/read",
      async ({ session, body }) => {
        const from = toIso(clock.now()).slice(0, 10);
        const sent = { bytes: body as Uint8Array, from, to: addDays(from, HOLIDAYS_AHEAD_DAYS) };
        const { holidays, unread } = await files.read(session.organisationId, holidaysJob, sent, {});
        return { holidays, unread };
      },
      { upload: { role: "staff", mostBytes: MOST_HOLIDAY_BYTES, types: ["text/calendar"] } },
    )
    .get(
      "/dashboard/api/calendar/feeds",
      async ({ session: { organisationId, reach } }) =>
        (await feeds.list(organisationId)).filter(({ branch_id }) => isOfReach(reach, branch_id)),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/calendar/feeds",
      ({ session, actor, body }) => feeds.create(session.organisationId, body, actor),
      {
        role: "owner",
        body: Type.Object({
          branch_id: Type.String({ maxLength: 36 }),
          people: oneOf(["none", "initials", "names"]),
        }),
      },
    )
    .delete(
      "/dashboard/api/calendar/feeds/:id",
      ({ session, actor, params }) => feeds.revoke(session.organisationId, params.id, actor),
      { role: "owner", params: id },
    );
}
