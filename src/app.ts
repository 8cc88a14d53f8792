// The app: services, carrier, scheduler and routes brought together. start() and stop() are its life.
import { Elysia } from "elysia";
import { SYSTEM_ACTOR } from "./core/actor.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { appointmentRoutes } from "./calendar/appointment-routes.ts";
import { createConfigurationReads } from "./calendar/configuration-reads.ts";
import { createDesk } from "./calendar/desk.ts";
import { slotRoutes } from "./calendar/slot-routes.ts";
import { deleteExpiredHolds, deleteHoldsOfCall } from "./calendar/window-store.ts";
import { createArrivals } from "./calls/life/arrivals.ts";
import { deskCallOf } from "./calls/queue/booking-place.ts";
import { callMedia } from "./calls/life/call-media.ts";
import { createDialPlan } from "./calls/queue/dial-plan.ts";
import { createDispatcher } from "./calls/queue/dispatcher.ts";
import { createCallEvents } from "./calls/life/events.ts";
import { createLifecycle } from "./calls/life/lifecycle.ts";
import { legsKeptSince } from "./calls/life/leg-store.ts";
import { createLineService } from "./calls/life/line-service.ts";
import { releaseHeldByTrunks } from "./calls/queue/queue-store.ts";
import { recoverCalls } from "./calls/life/recovery.ts";
import { callRoutes } from "./calls/routes.ts";
import { sharedCall } from "./calls/life/shared-call.ts";
import { updateCall } from "./calls/store.ts";
import { createTelephony } from "./carriers.ts";
import { MINUTE_MS, SECOND_MS } from "./core/clock.ts";
import { messageOf } from "./core/errors.ts";
import { createMetrics } from "./core/metrics.ts";
import type { LogSink } from "./core/log-sink.ts";
import { dashboardApi } from "./dashboard/api.ts";
import { copyInOwnProcess } from "./dashboard/backup-process.ts";
import { createBackups } from "./dashboard/backups.ts";
import { createChangeFeed } from "./dashboard/change-feed.ts";
import { createPositions } from "./dashboard/change-position.ts";
import { createChangeLog } from "./dashboard/change-store.ts";
import { createOverview } from "./dashboard/overview.ts";
import { createSessionGuard } from "./dashboard/session-guard.ts";
import { dashboardPages } from "./dashboard/web-routes.ts";
import type { AgentRow, CallRow, Tx } from "./db/tables.ts";
import { createDeliveryLoop } from "./events/delivery.ts";
import { verifierRoutes } from "./events/verifier-routes.ts";
import { webhookDocs } from "./events/webhook-docs.ts";
import { hookRoutes } from "./hooks/routes.ts";
import { createBodySchemas } from "./http/body-schemas.ts";
import { buildDocument, type OpenApiDocument } from "./http/docs/document.ts";
import { API_DESCRIPTION, API_TAGS } from "./http/docs/introduction.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import { createFaults } from "./http/faults.ts";
import { createGuard } from "./http/guard.ts";
import { createHandler } from "./http/handler.ts";
import { createReadiness, healthRoutes } from "./http/health.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import type { KnownRoute } from "./http/route-table.ts";
import { createSourceOf } from "./http/source.ts";
import { startServer, type HttpServer } from "./http/server.ts";
import { publicRoutes } from "./media/public-routes.ts";
import { mediaRoutes } from "./media/routes.ts";
import { createSchedulerLoop } from "./scheduler/loop.ts";
import { createRecurring } from "./scheduler/recurring.ts";
import { createTrustedClock } from "./scheduler/trusted-clock.ts";
import type { BookingDesk, CarrierFactory } from "./telephony/port.ts";
import { testNumberTable } from "./telephony/simulator/outcomes.ts";
import { createServices, type ServiceDeps } from "./services.ts";

export interface AppDeps extends ServiceDeps {
  /** The world beyond the trunk; the simulator unless a test brings its own. */
  carrier?: CarrierFactory;
  /** How the log fares. */
  log?: LogSink;
  /** The owner of the demo hospital, where this is a demo: one click signs in. */
  demoEmail?: string | null;
}

export function createApp(deps: AppDeps) {
  const { config, db, clock, logger } = deps;
  const wake = () => scheduler.wake();
  const services = createServices(
    deps,
    wake,
    () => void refreshTrunks(),
    () => carrier,
  );
  const { ids, outbox, safePost, recordings, captures, links, keys, organisations, credits, hooks, calls, erasure } =
    services;
  const { endpoints, shares, windows, tracking, appointments, trunks, prompts, dialFacts } = services;
  const metrics = createMetrics();
  metrics.countedElsewhere("ringward_log_lost_lines_total", "Log lines lost.", () => deps.log?.lostLines() ?? 0);
  const idempotency = createIdempotency({ db, clock, keepHours: config.idempotency.keep_hours });

  const callEvents = createCallEvents(outbox);
  const calendar = { appointmentOf: appointments.ofCall, releaseHolds: deleteHoldsOfCall };
  const { isCaptured } = trunks;
  const dialPlan = createDialPlan({ config, recordings, captures, deskFor, isCaptured, promptsOf: prompts.refsOf });
  const lifecycle = createLifecycle({
    db,
    clock,
    ids,
    config,
    logger,
    events: callEvents,
    credits,
    recordings,
    captures,
    arrivals: createArrivals({ clock, ids, dialPlan, dialFacts, events: callEvents }),
    calendar,
    wake,
  });
  const telephony = createTelephony({
    config,
    clock,
    logger,
    metrics,
    trunks,
    prompts,
    listener: lifecycle,
    released: () => void releaseHeld(),
    given: deps.carrier,
  });
  const { carrier } = telephony;
  const lines = createLineService({ db, readNotes: services.readNotes, captures, live: telephony.traceOf });

  const deliveryLoop = createDeliveryLoop({
    db,
    clock,
    logger,
    metrics,
    endpoints,
    safePost,
    linksOf: shares.linksOf,
    wake,
  });

  const trustedClock = createTrustedClock({ db, clock, logger, metrics });
  const scheduler = createSchedulerLoop({
    clock,
    logger,
    sources: [
      createDispatcher({
        db,
        clock,
        events: callEvents,
        dialPlan,
        dialFacts,
        carrier: () => carrier,
        ended: lifecycle.ended,
      }),
      deliveryLoop,
      trustedClock,
      createRecurring({ clock, logger, trustedNow: trustedClock.trustedNow }, [
        { name: "note when keys were last used", pattern: "* * * * *", run: () => keys.flushLastUsed() },
        {
          name: "forget expired idempotency keys",
          pattern: "7 * * * *",
          isDestructive: true,
          run: (now) => idempotency.forgetExpired(now),
        },
        // A checkpoint that found no reader in its way keeps the WAL from growing through a busy day.
        { name: "empty the WAL", pattern: "*/15 * * * *", run: async () => void db.truncateWal() },
        {
          name: "forget expired sessions",
          pattern: "11 * * * *",
          isDestructive: true,
          run: (now) => services.sessions.forgetExpired(now),
        },
        {
          name: "forget expired holds",
          pattern: "*/5 * * * *",
          isDestructive: true,
          run: (now) => db.write((tx) => deleteExpiredHolds(tx, now)),
        },
        ...telephony.jobs,
        services.eventHistory,
        { name: "retention", pattern: "23 * * * *", isDestructive: true, run: enforceRetention },
      ]),
    ],
  });

  function deskFor(call: CallRow, agent: AgentRow): BookingDesk {
    const isAbout = (tx: Tx, callId: string, appointmentId: string) =>
      updateCall(tx, callId, { appointment_id: appointmentId, updated_at: clock.now() });
    return createDesk({ db, clock, ids, tracking, appointments, isAbout, wake }, deskCallOf(call, agent));
  }

  async function refreshTrunks(): Promise<void> {
    await telephony.refreshTrunks().catch((error: unknown) => {
      logger.error("The carrier could not be told of a changed trunk; it hears of it within 15 seconds.", {
        error: messageOf(error),
      });
    });
  }

  async function releaseHeld(): Promise<void> {
    await db
      .write((tx) => releaseHeldByTrunks(tx, clock.now()))
      .catch((error: unknown) => {
        logger.error("Calls that wait for a trunk could not be released; they are looked at within a minute.", {
          error: messageOf(error),
        });
      });
    wake();
  }

  async function enforceRetention(now: number): Promise<void> {
    const { days } = config.retention;
    if (days === 0) return;
    const { calls, appointments } = await erasure.enforceRetention(days, SYSTEM_ACTOR, now);
    if (calls + appointments > 0) logger.info("What was past its retention was erased.", { calls, appointments });
  }

  const requestTimeoutMs = config.server.request_timeout_seconds * SECOND_MS;
  const bodySchemaOf = createBodySchemas(() => routes.routes);
  const guard = createGuard({ keys, limiter: createRateLimiter(clock), clock, requestTimeoutMs, bodySchemaOf });
  const knownRoutes = (): readonly KnownRoute[] => routes.routes;
  const document = (): OpenApiDocument =>
    buildDocument(routes, {
      description: API_DESCRIPTION,
      tags: API_TAGS,
      webhooks: webhookDocs(),
      // The path alone: the document is read under whatever name the appliance was reached by.
      serverPath: new URL(config.base_url).pathname,
    });
  const health = {
    db,
    clock,
    metrics,
    dataDir: config.data.dir,
    minFreeMb: config.data.min_free_mb,
    metricsToken: config.metrics.token,
    schedulerBeatAtElapsedMs: scheduler.beatAtElapsedMs,
    notes: () => ({ clock: trustedClock.note(), log: deps.log?.note() ?? null }),
  };
  const feed = createChangeFeed({
    log: createChangeLog(db.reader),
    clock,
    logger,
    positions: createPositions(services.secrets.deriveKey("change-positions")),
    liveAmong: services.sessions.liveAmong,
  });
  const backups = createBackups({
    db,
    clock,
    audit: services.audit,
    dataDir: config.data.dir,
    copy: (target, signal) => copyInOwnProcess(db.file, target, signal),
  });
  const isSecure = config.dashboard_url.startsWith("https://");
  const dashboard = dashboardApi({
    ...services,
    db,
    config,
    clock,
    feed,
    guard: createSessionGuard({
      sessionService: services.sessions,
      clock,
      requestTimeoutMs,
      ownOrigin: new URL(config.dashboard_url).origin,
      isSecure,
    }),
    overview: createOverview(db, clock),
    reads: createConfigurationReads(db, config),
    readiness: createReadiness(health),
    backups,
    lines,
    hangUp: (callId) => carrier.hangUp(callId),
    telephony,
    isSecure,
    demoEmail: deps.demoEmail ?? null,
    ownUrls: [config.base_url, config.dashboard_url],
    sourceOf: createSourceOf({ clock, logger, addressHeader: config.server.client_address_header }),
  });

  const mediaOf = (callId: string) => callMedia(db.reader, callId, recordings);
  const appointmentsOf = async (callId: string) => {
    const appointment = await appointments.ofCall(db.reader, callId);
    return appointment ? [appointment] : [];
  };
  // Elysia's default normaliser would turn "text" into { 0: "t", … } before the schema sees it.
  const routes = new Elysia({
    strictPath: true,
    normalize: "typebox",
    // By default Elysia takes the first eleven characters of an address for granted, and "http://rw/" is shorter.
    handler: { standardHostname: false },
  })
    .use(createFaults(logger, knownRoutes))
    .use(healthRoutes(health))
    .use(docsRoutes(document))
    .use(verifierRoutes())
    .use(accountRoutes(guard, organisations))
    .use(callRoutes({ guard, calls, erasure, idempotency, testNumbers: testNumberTable() }))
    .use(hookRoutes({ hooks, calls, erasure, idempotency, clock, requestTimeoutMs }))
    .use(slotRoutes(guard, windows, tracking))
    .use(appointmentRoutes(guard, appointments, tracking, createConfigurationReads(db, config)))
    .use(mediaRoutes({ links, mediaOf, reads: services.linkReads }))
    .use(dashboard)
    .use(dashboardPages())
    .use(
      publicRoutes({
        shares,
        sharedCall: (callId) => sharedCall(db.reader, callId, appointmentsOf),
        mediaOf,
        reads: services.linkReads,
      }),
    );

  const handle = createHandler({ inner: (request) => routes.handle(request), ids, logger, metrics });
  let server: HttpServer | undefined;

  return {
    services,
    handle,
    document,
    routes: knownRoutes,
    /** What was under way when the process last ended is settled before anything new begins. */
    async start(): Promise<void> {
      const { longest_call_minutes } = config.telephony.sip;
      const legs = await legsKeptSince(db.reader, clock.now() - longest_call_minutes * MINUTE_MS);
      await recoverCalls({ db, logger, lifecycle, recordings, captures });
      await telephony.start();
      telephony.endLeft(legs);
      erasure
        .resume()
        .catch((error: unknown) => logger.error("An erasure could not be finished.", { error: messageOf(error) }));
      scheduler.start();
    },
    listen(): HttpServer {
      server = startServer(config, clock, handle);
      return server;
    },
    /** Stops taking work, finishes what is in flight, and closes the database last. */
    async stop(): Promise<void> {
      feed.stop();
      await backups.stop();
      await server?.stop();
      await scheduler.stop();
      await telephony.stop();
      await deliveryLoop.stop();
      await keys.flushLastUsed();
      await services.readNotes.flush();
      await db.close();
    },
  };
}

export type App = ReturnType<typeof createApp>;
