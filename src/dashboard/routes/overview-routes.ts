// The overview, the checklist, and the stream of changes.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SessionService } from "../../accounts/session-service.ts";
import type { Clock } from "../../core/clock.ts";
import type { ChangeFeed } from "../change-feed.ts";
import type { Overview } from "../overview.ts";
import { sessionTokenOf } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface OverviewRouteDeps {
  guard: SessionGuard;
  overview: Overview;
  feed: ChangeFeed;
  sessions: SessionService;
  clock: Clock;
}

export function overviewRoutes({ guard, overview, feed, sessions, clock }: OverviewRouteDeps) {
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
    .get("/dashboard/api/checklist", ({ session }) => overview.checklist(session.organisationId), { role: "viewer" })
    .get(
      "/dashboard/api/changes",
      ({ session, request }) => {
        // The browser sends back the id of the last event it saw when it connects again.
        const lastSeen = request.headers.get("last-event-id") ?? "";
        const after = /^[0-9]{1,15}$/.test(lastSeen) ? Number(lastSeen) : clock.now();
        const token = sessionTokenOf(request);
        const isAllowed = async () => token !== null && sessions.isLive(token);
        return new Response(feed.stream({ organisationId: session.organisationId, after, isAllowed }), {
          headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
        });
      },
      { role: "viewer" },
    );
}
