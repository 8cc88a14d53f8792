// Every route that the dashboard's pages call, as one typed app: the browser's client is made from its type.
import { Elysia } from "elysia";
import type { AgentService } from "../agents/service.ts";
import type { Clock } from "../core/clock.ts";
import { dashboardAgentRoutes } from "./routes/agent-routes.ts";
import { authRoutes, type AuthRouteDeps } from "./routes/auth-routes.ts";
import { dashboardCalendarRoutes, type DashboardCalendarDeps } from "./routes/calendar-routes.ts";
import { dashboardCallRoutes, type DashboardCallDeps } from "./routes/call-routes.ts";
import { developerRoutes, type DeveloperRouteDeps } from "./routes/developer-routes.ts";
import { overviewRoutes } from "./routes/overview-routes.ts";
import { settingsRoutes, type SettingsRouteDeps } from "./routes/settings-routes.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Overview } from "./overview.ts";
import type { SessionGuard } from "./session-guard.ts";

export type DashboardDeps = Omit<
  AuthRouteDeps & DashboardCallDeps & DashboardCalendarDeps & DeveloperRouteDeps & SettingsRouteDeps,
  "guard"
> & { guard: SessionGuard; agents: AgentService; overview: Overview; feed: ChangeFeed; clock: Clock };

export function dashboardApi(deps: DashboardDeps) {
  const { guard, agents, overview, feed, clock } = deps;
  return new Elysia({ name: "dashboard" })
    .use(authRoutes(deps))
    .use(dashboardCallRoutes(deps))
    .use(dashboardCalendarRoutes(deps))
    .use(dashboardAgentRoutes(guard, agents))
    .use(developerRoutes(deps))
    .use(overviewRoutes(guard, overview, feed, clock))
    .use(settingsRoutes(deps));
}

export type DashboardApi = ReturnType<typeof dashboardApi>;
