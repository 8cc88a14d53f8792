// Waiting list routes for staff.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { SESSIONS } from "../../calendar/days.ts";
import type { DialAheadQuestion } from "../../calls/dial-ahead.ts";
import { nullable, oneOf } from "../../core/schema.ts";
import { DAYS } from "../../payloads/slot.ts";
import type { AwaitedPlaces } from "../../waiting-list/awaited.ts";
import { CreateWaitingSchema, ListWaitingQuery, PatchWaitingSchema } from "../../waiting-list/model.ts";
import type { WaitingListService } from "../../waiting-list/service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DashboardWaitingDeps {
  guard: SessionGuard;
  waitingList: WaitingListService;
  awaitedPlaces: AwaitedPlaces;
  dialAhead: DialAheadQuestion;
}

const branchId = Type.String({ maxLength: 36 });
const AwaitedBody = Type.Object({
  branch_id: branchId,
  /** Windows that are to be created; without them, those of the branch. */
  windows: Type.Optional(
    Type.Array(
      Type.Object({
        day: oneOf(DAYS),
        session: oneOf(SESSIONS),
        appointment_type_id: nullable(Type.String({ maxLength: 36 })),
      }),
      { maxItems: 250 },
    ),
  ),
});
/** People of a long list who are asked about; the first are called first. */
const MOST_ASKED = 100;
const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function dashboardWaitingRoutes({ guard, waitingList, awaitedPlaces, dialAhead }: DashboardWaitingDeps) {
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
    .post(
      "/dashboard/api/waiting-list/awaited",
      async ({ session: { organisationId }, actor, body }) => {
        const people = await awaitedPlaces.peopleFor(organisationId, body.branch_id, body.windows);
        const ahead = await dialAhead(organisationId, people.slice(0, MOST_ASKED), undefined, actor);
        return { people: people.length, ahead };
      },
      { role: "staff", body: AwaitedBody },
    )
    .post(
      "/dashboard/api/waiting-list/call-all",
      ({ session, actor, body }) => awaitedPlaces.callAll(session.organisationId, body.branch_id, actor),
      { role: "staff", body: Type.Object({ branch_id: branchId }) },
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
