// The overview, the checklist, and the change stream.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SessionService } from "../../accounts/session-service.ts";
import type { ChangeFeed } from "../change-feed.ts";
import type { Overview } from "../overview.ts";
import { sessionTokenOf } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface OverviewRouteDeps {
  guard: SessionGuard;
  overview: Overview;
  feed: ChangeFeed;
  sessions: SessionService;
}

export function overviewRoutes({ guard, overview, feed, sessions }: OverviewRouteDeps) {
  return new Elysia({ name: "dashboard-overview" })
    .use(guard)
    .get(
      "/dashboard/api/overview",
      ({ session, query }) => overview.numbers(session.organisationId, Number(query.days ?? "14")),
      {
        role: "viewer",
        query: Type.Object({
          days: Type.Optional(Type.String({ pattern: "^(7|14|30|90)$", allowed: "7, 14, 30 or 90" })),
        }),
      },
    )
    .get("/dashboard/api/figures", ({ session }) => overview.figures(session.organisationId), { role: "viewer" })
    .get("/dashboard/api/checklist", ({ session }) => overview.checklist(session.organisationId), { role: "viewer" })
    .get(
      "/dashboard/api/changes",
      async ({ session, request }) => {
        const body = await feed.open({
          organisationId: session.organisationId,
          personId: session.personId,
          reach: session.reach,
          boundsKey: session.boundsKey ?? "",
          session: sessions.fingerprintOf(sessionTokenOf(request) ?? ""),
          // The browser sends the id of the last event on reconnect.
          lastEventId: request.headers.get("last-event-id"),
        });
        return new Response(body, {
          headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
        });
      },
      { role: "viewer" },
    );
}
