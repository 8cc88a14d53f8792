// Calls for ward staff: list with search, one call with everything about it, new, cancel, delete, share.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AppointmentService } from "../../calendar/appointment-service.ts";
import { callTimeline } from "../../calls/timeline.ts";
import type { Erasure } from "../../calls/erasure.ts";
import { CreateCallSchema, ListCallsQuery } from "../../calls/model.ts";
import type { CallService } from "../../calls/service.ts";
import type { Database } from "../../db/database.ts";
import type { DeliveryService } from "../../events/delivery-service.ts";
import type { ShareService } from "../../media/share-service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DashboardCallDeps {
  guard: SessionGuard;
  db: Database;
  calls: CallService;
  erasure: Erasure;
  appointments: AppointmentService;
  deliveries: DeliveryService;
  shares: ShareService;
}

const callId = Type.Object({ call_id: Type.String({ maxLength: 64 }) });
const MOST_DELIVERIES = 100;

export function dashboardCallRoutes({ guard, db, calls, erasure, appointments, deliveries, shares }: DashboardCallDeps) {
  return new Elysia({ name: "dashboard-calls" })
    .use(guard)
    .get("/dashboard/api/calls", ({ session, actor, query }) => calls.list(session.organisationId, query, actor), {
      role: "viewer",
      query: Type.Composite([ListCallsQuery, Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) })]),
    })
    .get(
      "/dashboard/api/calls/:call_id",
      async ({ session, actor, params }) => {
        const { organisationId } = session;
        const call = await calls.get(organisationId, params.call_id, actor);
        const token = call.status === "completed" ? await shares.tokenFor(organisationId, call.call_id) : null;
        return {
          call,
          timeline: await callTimeline(db.reader, organisationId, params.call_id),
          appointment: await appointments.ofCall(db.reader, params.call_id),
          deliveries: await deliveries.list({ organisationId, callId: params.call_id, limit: MOST_DELIVERIES }),
          share_url: token === null ? null : shares.detailsUrl(call.call_id, token),
        };
      },
      { role: "viewer", params: callId },
    )
    .post("/dashboard/api/calls", ({ session, actor, body }) => calls.create(session.organisationId, body, "dashboard", actor), {
      role: "staff",
      body: CreateCallSchema,
    })
    .post("/dashboard/api/calls/dry-run", ({ session, body }) => calls.dryRun(session.organisationId, body), {
      role: "staff",
      body: CreateCallSchema,
    })
    .post("/dashboard/api/calls/:call_id/cancel", ({ session, actor, params }) => calls.cancel(session.organisationId, params.call_id, actor), {
      role: "staff",
      params: callId,
    })
    .delete(
      "/dashboard/api/calls/:call_id",
      async ({ session, actor, params }) => {
        await erasure.erase(session.organisationId, params.call_id, actor);
        return { deleted: true };
      },
      { role: "staff", params: callId },
    );
}
