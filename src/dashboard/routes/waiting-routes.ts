// Waiting list routes for staff.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CreateWaitingSchema, ListWaitingQuery, PatchWaitingSchema } from "../../waiting-list/model.ts";
import type { WaitingListService } from "../../waiting-list/service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DashboardWaitingDeps {
  guard: SessionGuard;
  waitingList: WaitingListService;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function dashboardWaitingRoutes({ guard, waitingList }: DashboardWaitingDeps) {
  return new Elysia({ name: "dashboard-waiting" })
    .use(guard)
    .get(
      "/dashboard/api/waiting-list",
      ({ session, actor, query }) => waitingList.list(session.organisationId, query, actor),
      { role: "viewer", query: ListWaitingQuery },
    )
    .post(
      "/dashboard/api/waiting-list",
      ({ session, actor, body }) => waitingList.add(session.organisationId, body, "dashboard", actor),
      { role: "staff", body: CreateWaitingSchema },
    )
    .patch(
      "/dashboard/api/waiting-list/:id",
      ({ session, actor, params, body }) => waitingList.change(session.organisationId, params.id, body, actor),
      { role: "staff", params: id, body: PatchWaitingSchema },
    )
    .delete(
      "/dashboard/api/waiting-list/:id",
      ({ session, actor, params }) => waitingList.remove(session.organisationId, params.id, actor),
      { role: "staff", params: id },
    )
    .post(
      "/dashboard/api/waiting-list/:id/call",
      ({ session, actor, params }) => waitingList.callNow(session.organisationId, params.id, actor),
      { role: "staff", params: id },
    );
}
