// All HTTP routes: the API, the dashboard, the documentation and the shared pages.
import { Elysia } from "elysia";
import { accountRoutes } from "../accounts/routes.ts";
import { appointmentRoutes } from "../calendar/appointment-routes.ts";
import { waitingListRoutes } from "../waiting-list/routes.ts";
import { createConfigurationReads } from "../calendar/configuration-reads.ts";
import { feedRoutes } from "../calendar/ical/feed-routes.ts";
import { slotRoutes, WINDOW_FAULTS } from "../calendar/slot-routes.ts";
import type { Calling } from "./calls.ts";
import { sharedCall } from "../calls/life/shared-call.ts";
import { callRoutes } from "../calls/routes.ts";
import { reminderApiRoutes } from "../reminders/routes.ts";
import { campaignRoutes } from "../campaigns/routes.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS } from "../core/clock.ts";
import { lazily } from "../core/lazily.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { DemoRouteDeps } from "../dashboard/routes/demo-routes.ts";
import { dashboardPages } from "../dashboard/web-routes.ts";
import { verifierRoutes } from "../events/verifier-routes.ts";
import { webhookDocs } from "../events/webhook-docs.ts";
import { handbookRoutes } from "../handbook/routes.ts";
import { HOOK_FAULTS, hookRoutes } from "../hooks/routes.ts";
import { createRouteSchemas, type RouteWithHooks } from "../http/body-schemas.ts";
import { buildDocument, type OpenApiDocument } from "../http/docs/document.ts";
import { API_DESCRIPTION, API_TAGS } from "../http/docs/introduction.ts";
import { docsRoutes } from "../http/docs/routes.ts";
import { markRoutes } from "../http/mark.ts";
import { createFaults } from "../http/faults.ts";
import { createCreates } from "../http/creating-routes.ts";
import { createGuard } from "../http/guard.ts";
import { createHandler, isBelow } from "../http/handler.ts";
import { createReadiness, healthRoutes, type HealthDeps } from "../http/health.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { createInFlight } from "../http/in-flight.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { publicRoutes } from "../media/public-routes.ts";
import { mediaRoutes } from "../media/routes.ts";
import { createDashboard } from "./dashboard.ts";
import type { ServiceDeps, Services } from "./services.ts";
import { testNumberTable } from "../telephony/simulator/test-numbers.ts";

export interface ServingDeps extends Pick<ServiceDeps, "config" | "db" | "clock" | "logger"> {
  services: Services;
  calling: Calling;
  metrics: Metrics;
  idempotency: Idempotency;
  schedulerBeatAtElapsedMs: HealthDeps["schedulerBeatAtElapsedMs"];
  /** Reasons why the appliance is not ready, in words. */
  notes: HealthDeps["notes"];
  /** The owner of the demo hospital, if this is a demo: one click signs in. */
  demoEmail: string | null;
  demo: DemoRouteDeps["demo"];
}

const FAULT_FORMS = [HOOK_FAULTS, WINDOW_FAULTS];

export function createServing(deps: ServingDeps) {
  const { config, db, clock, logger, services, calling, metrics, idempotency } = deps;
  const { keys, calls, erasure, hooks, windows, tracking, appointments, shares, links, linkReads } = services;
  const requestTimeoutMs = requestTimeoutMsOf(config);
  const health = healthOf(deps, () => dashboard.note());
  const configurationReads = createConfigurationReads(db, config);
  const inFlight = createInFlight();
  const guard = createGuard({
    inFlight,
    limiter: createRateLimiter(clock),
    clock,
    requestTimeoutMs,
    schemasOf: createRouteSchemas(() => routes.routes),
    creates: createCreates(() => routes.routes),
    idempotency,
  });
  const document = (): OpenApiDocument =>
    buildDocument(routes, {
      description: API_DESCRIPTION,
      tags: API_TAGS,
      webhooks: webhookDocs(),
      // The path only, because the appliance may be reached under any host name.
      serverPath: new URL(config.base_url).pathname,
      faultForms: FAULT_FORMS,
    });
  const readiness = createReadiness(health);
  const dashboard = createDashboard({ ...deps, readiness, reads: configurationReads, inFlight, requestTimeoutMs });
  const { mediaOf } = calling;
  const appointmentsOf = async (callId: string) => {
    const appointment = await appointments.ofCall(db.reader, callId);
    return appointment ? [appointment] : [];
  };

  const routes = newRoutes(logger)
    .use(healthRoutes(health, readiness))
    .use(markRoutes())
    .use(docsRoutes(document))
    .use(verifierRoutes())
    .use(handbookRoutes())
    .use(accountRoutes(guard, services.organisations))
    .use(callRoutes({ guard, calls, erasure, testNumbers: testNumberTable() }))
    .use(campaignRoutes(guard, services.campaigns))
    .use(hookRoutes({ hooks, calls, erasure, idempotency, clock, requestTimeoutMs }))
    .use(slotRoutes(guard, windows, tracking))
    .use(appointmentRoutes(guard, appointments, tracking, configurationReads))
    .use(reminderApiRoutes(guard, services.reminders))
    .use(waitingListRoutes(guard, services.waitingList))
    .use(feedRoutes(services.feeds, createRateLimiter(clock)))
    .use(mediaRoutes({ links, mediaOf, reads: linkReads }))
    .use(dashboardPages())
    .use(
      publicRoutes({
        shares,
        sharedCall: (callId) => sharedCall(db.reader, callId, appointmentsOf),
        mediaOf,
        reads: linkReads,
      }),
    );

  // More than half of all routes. Built lazily to speed up the start: they are not needed until a user opens a page.
  const dashboardRoutes = lazily(() => newRoutes(logger).use(dashboard.routes));
  const inner = (request: Request) => (isBelow("/dashboard/api/", request) ? dashboardRoutes() : routes).fetch(request);

  return {
    handle: createHandler({
      inner,
      keys,
      ids: services.ids,
      logger,
      metrics,
      slashedBelow: HOOK_FAULTS.under,
      isTls: config.server.tls_cert_file !== "",
      loggedShare: config.log.requests,
    }),
    document,
    routes: (): readonly RouteWithHooks[] => [...routes.routes, ...dashboardRoutes().routes],
    readiness,
    stop: dashboard.stop,
  };
}

function healthOf(deps: ServingDeps, changes: () => string | null): HealthDeps {
  const { config, db, clock, logger, metrics, services, schedulerBeatAtElapsedMs } = deps;
  return {
    db,
    clock,
    ids: services.ids,
    logger,
    metrics,
    dataDir: config.data.dir,
    minFreeMb: config.data.min_free_mb,
    metricsToken: config.metrics.token,
    schedulerBeatAtElapsedMs,
    notes: () => ({ ...deps.notes(), changes: changes() }),
  };
}

/** An app without routes, with the error handlers. */
function newRoutes(logger: Logger) {
  const app = new Elysia({
    strictPath: true,
    // Elysia's default normaliser would turn "text" into { 0: "t", … } before the schema sees it.
    normalize: "typebox",
  });
  return app.use(createFaults(logger, () => app.routes, FAULT_FORMS));
}

function requestTimeoutMsOf({ server }: Config): number {
  return server.request_timeout_seconds * SECOND_MS;
}
