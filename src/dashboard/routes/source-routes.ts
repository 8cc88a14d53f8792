// The hospital's own systems: list, add, change, remove; and their answers to wishes, given by staff.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AppointmentService } from "../../calendar/appointment-service.ts";
import { AnswerWishSchema } from "../../calendar/model.ts";
import {
  CreateSourceSchema,
  PatchSourceSchema,
  RemoveSourceQuery,
  type SourceView,
} from "../../exchange/sources/model.ts";
import type { SourceService } from "../../exchange/sources/service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface SourceRouteDeps {
  guard: SessionGuard;
  sources: SourceService;
  appointments: AppointmentService;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function dashboardSourceRoutes({ guard, sources, appointments }: SourceRouteDeps) {
  return new Elysia({ name: "dashboard-sources" })
    .use(guard)
    .get("/dashboard/api/sources", async ({ session }): Promise<SourceView[]> => sources.all(session.organisationId), {
      role: "viewer",
    })
    .post("/dashboard/api/sources", ({ session, actor, body }) => sources.create(session.organisationId, body, actor), {
      role: "owner",
      body: CreateSourceSchema,
    })
    .patch(
      "/dashboard/api/sources/:id",
      ({ session, actor, params, body }) => sources.change(session.organisationId, params.id, body, actor),
      { role: "owner", params: id, body: PatchSourceSchema },
    )
    .delete(
      "/dashboard/api/sources/:id",
      ({ session, actor, params, query }) =>
        sources.remove(session.organisationId, params.id, query.release === "true", actor),
      { role: "owner", params: id, query: RemoveSourceQuery },
    )
    .post(
      "/dashboard/api/appointments/:id/wish",
      ({ session, actor, params, body }) =>
        appointments.answerWish(session.organisationId, params.id, body.state, actor),
      { role: "staff", params: id, body: AnswerWishSchema },
    );
}
