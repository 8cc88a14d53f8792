// Call routes for staff: list with search, one call with all its data, create, cancel, hang up, delete. Other actions
// are in call-work-routes.ts.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Audit } from "../../accounts/audit.ts";
import type { Erasure } from "../../calls/life/erasure.ts";
import { createHangUp } from "../../calls/life/hang-up.ts";
import type { LineService } from "../../calls/life/line-service.ts";
import type { ProofService } from "../../rules/proof/proof-service.ts";
import { CreateCallSchema } from "../../calls/model.ts";
import { callListRow, createCallPage, type CallPageDeps } from "../call-page.ts";
import { CallQuery, questionOf } from "../call-question.ts";
import { lineRoutes } from "./line-routes.ts";
import { dashboardProofRoutes } from "./proof-routes.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DashboardCallDeps extends CallPageDeps {
  guard: SessionGuard;
  erasure: Erasure;
  audit: Audit;
  lines: LineService;
  proofs: ProofService;
  /** Provided by the carrier. */
  hangUp: (callId: string) => void;
}

const callId = Type.Object({ call_id: Type.String({ maxLength: 64 }) });

export function dashboardCallRoutes(deps: DashboardCallDeps) {
  const { guard, calls, erasure } = deps;
  const callPage = createCallPage(deps);
  const hangUp = createHangUp(deps);
  return new Elysia({ name: "dashboard-calls" })
    .use(guard)
    .use(lineRoutes(guard, deps.lines))
    .use(dashboardProofRoutes(guard, deps.proofs))
    .get(
      "/dashboard/api/calls",
      async ({ session, actor, query }) => {
        const page = await calls.list(session.organisationId, questionOf(query), actor);
        return { data: page.data.map(callListRow), next_cursor: page.next_cursor };
      },
      {
        role: "viewer",
        query: CallQuery,
      },
    )
    .get(
      "/dashboard/api/calls/:call_id",
      ({ session, actor, params }) => callPage(session.organisationId, params.call_id, actor),
      {
        role: "viewer",
        params: callId,
      },
    )
    .post(
      "/dashboard/api/calls",
      ({ session, actor, body }) => calls.create(session.organisationId, body, "dashboard", actor),
      {
        role: "staff",
        body: CreateCallSchema,
      },
    )
    .post(
      "/dashboard/api/calls/dry-run",
      ({ session, actor, body }) => calls.dryRun(session.organisationId, body, actor),
      {
        role: "staff",
        body: CreateCallSchema,
      },
    )
    .post(
      "/dashboard/api/calls/:call_id/cancel",
      ({ session, actor, params }) => calls.cancel(session.organisationId, params.call_id, actor),
      {
        role: "staff",
        params: callId,
      },
    )
    .post(
      "/dashboard/api/calls/:call_id/hang-up",
      async ({ session, actor, params }) => {
        await hangUp(session.organisationId, params.call_id, actor);
        return { ok: true };
      },
      { role: "staff", params: callId },
    )
    .delete(
      "/dashboard/api/calls/:call_id",
      async ({ session, actor, params }) => {
        await erasure.erase(session.organisationId, params.call_id, actor);
        return { deleted: true };
      },
      { role: "staff", params: callId },
    );
}
