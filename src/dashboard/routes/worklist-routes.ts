// Today: what is live, open items of the worklist, and marking them as done.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { oneOf } from "../../core/schema.ts";
import { WORKLIST_KINDS } from "../../worklist/kinds.ts";
import type { WorklistView } from "../../worklist/worklist-view.ts";
import type { Worklist } from "../../worklist/worklist.ts";
import type { Now } from "../now.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface WorklistRouteDeps {
  guard: SessionGuard;
  worklist: Worklist;
  worklistView: WorklistView;
  now: Now;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function worklistRoutes({ guard, worklist, worklistView, now }: WorklistRouteDeps) {
  return new Elysia({ name: "dashboard-worklist" })
    .use(guard)
    .get(
      "/dashboard/api/worklist",
      ({ session, actor, query }) => worklistView.page(session.organisationId, query, actor),
      {
        role: "viewer",
        query: Type.Object({
          kind: Type.Optional(oneOf(WORKLIST_KINDS)),
          cursor: Type.Optional(Type.String({ maxLength: 200 })),
        }),
      },
    )
    .get("/dashboard/api/now", ({ session, actor }) => now.look(session.organisationId, actor), { role: "viewer" })
    .get("/dashboard/api/worklist/count", ({ session }) => worklistView.count(session.organisationId, session.reach), {
      role: "viewer",
    })
    .post(
      "/dashboard/api/worklist/:id/done",
      async ({ session, actor, params }) => {
        await worklist.done(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    )
    .post(
      "/dashboard/api/worklist/:id/undo",
      async ({ session, actor, params }) => {
        await worklist.undo(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    );
}
