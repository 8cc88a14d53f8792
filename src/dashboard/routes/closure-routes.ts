// Holiday routes for staff: preview, close and reopen days.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ClosureScopeSchema, CloseSchema, ReopenSchema } from "../../calendar/closure-model.ts";
import type { ClosureService } from "../../calendar/closure-service.ts";
import { isOfReach } from "../../core/reach.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface ClosureRouteDeps {
  guard: SessionGuard;
  closures: ClosureService;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function closureRoutes({ guard, closures }: ClosureRouteDeps) {
  return new Elysia({ name: "dashboard-closures" })
    .use(guard)
    .get(
      "/dashboard/api/calendar/closures",
      async ({ session: { organisationId, reach } }) =>
        (await closures.list(organisationId)).filter(({ branch_ids }) =>
          branch_ids.every((id) => isOfReach(reach, id)),
        ),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/calendar/closures/preview",
      ({ session, actor, body }) => closures.preview(session.organisationId, body, actor),
      { role: "staff", body: ClosureScopeSchema },
    )
    .post(
      "/dashboard/api/calendar/closures",
      ({ session, actor, body }) => closures.close(session.organisationId, body, actor),
      { role: "staff", body: CloseSchema },
    )
    .get(
      "/dashboard/api/calendar/closures/:id/refused",
      ({ session, actor, params }) => closures.refused(session.organisationId, params.id, actor),
      { role: "viewer", params: id },
    )
    .post(
      "/dashboard/api/calendar/closures/:id/reopen",
      ({ session, actor, params, body }) => closures.reopen(session.organisationId, params.id, actor, body),
      { role: "staff", params: id, body: ReopenSchema },
    );
}
