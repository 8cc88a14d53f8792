// The composition root: the only file that constructs stores, services and adapters. start() and stop() are its life.
import { readFileSync } from "node:fs";
import { Elysia } from "elysia";
import { SYSTEM_ACTOR } from "./accounts/actor.ts";
import { createAudit } from "./accounts/audit.ts";
import { createCredits } from "./accounts/credits.ts";
import { createKeyService } from "./accounts/key-service.ts";
import { createOrganisationService } from "./accounts/organisation-service.ts";
import { createPersonService } from "./accounts/person-service.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { createLoginThrottle } from "./accounts/login-throttle.ts";
import { createReadNotes } from "./accounts/read-notes.ts";
import { createSessionService } from "./accounts/session-service.ts";
import { createSetupService } from "./accounts/setup-service.ts";
import { createAgentService } from "./agents/service.ts";
import { appointmentRoutes } from "./calendar/appointment-routes.ts";
import { createAppointmentService } from "./calendar/appointment-service.ts";
import { forgetContactsOfCall } from "./calendar/appointment-store.ts";
import { createConfigurationReads } from "./calendar/configuration-reads.ts";
import { createDesk } from "./calendar/desk.ts";
import { createPlacesService } from "./calendar/places-service.ts";
import { createSlotEvents } from "./calendar/slot-events.ts";
import { slotRoutes } from "./calendar/slot-routes.ts";
import { createTrackingService } from "./calendar/tracking-service.ts";
import { createWindowService } from "./calendar/window-service.ts";
import { deleteExpiredHolds, deleteHoldsOfCall } from "./calendar/window-store.ts";
import { bookingPlaceOf } from "./calls/booking-place.ts";
import { callMedia } from "./calls/call-media.ts";
import { createDispatcher } from "./calls/dispatcher.ts";
import { createDoNotDisturbService } from "./calls/do-not-disturb.ts";
import { createErasure } from "./calls/erasure.ts";
import { createCallEvents } from "./calls/events.ts";
import { createLifecycle } from "./calls/lifecycle.ts";
import { recoverCalls } from "./calls/recovery.ts";
import { callRoutes } from "./calls/routes.ts";
import { createCallService } from "./calls/service.ts";
import { sharedCall } from "./calls/shared-call.ts";
import { ConfigError } from "./config/load.ts";
import type { Config } from "./config/schema.ts";
import { SECOND_MS, type Clock } from "./core/clock.ts";
import { messageOf } from "./core/errors.ts";
import { createIds } from "./core/ids.ts";
import type { Logger } from "./core/logger.ts";
import { createMetrics } from "./core/metrics.ts";
import { createSecretBox } from "./core/secret-box.ts";
import { dashboardApi } from "./dashboard/api.ts";
import { copyInOwnProcess } from "./dashboard/backup-process.ts";
import { createBackups } from "./dashboard/backups.ts";
import { createChangeFeed } from "./dashboard/change-feed.ts";
import { createOverview } from "./dashboard/overview.ts";
import { createSessionGuard } from "./dashboard/session-guard.ts";
import { dashboardPages } from "./dashboard/web-routes.ts";
import type { Database } from "./db/database.ts";
import type { AgentRow, CallRow } from "./db/tables.ts";
import { createDeliveryService } from "./events/delivery-service.ts";
import { createDeliveryLoop } from "./events/delivery.ts";
import { createEndpointService } from "./events/endpoint-service.ts";
import { createOutbox } from "./events/outbox.ts";
import { createSafePost, type SafePost } from "./events/safe-post/safe-post.ts";
import { verifierRoutes } from "./events/verifier-routes.ts";
import { webhookDocs } from "./events/webhook-docs.ts";
import { hookRoutes } from "./hooks/routes.ts";
import { createHookService } from "./hooks/service.ts";
import { buildDocument, type OpenApiDocument } from "./http/docs/document.ts";
import { API_DESCRIPTION, API_TAGS } from "./http/docs/introduction.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import { createFaults, type KnownRoute } from "./http/faults.ts";
import { createGuard } from "./http/guard.ts";
import { createHandler } from "./http/handler.ts";
import { createReadiness, healthRoutes } from "./http/health.ts";
import { deleteResponsesAbout } from "./http/idempotency-store.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { sourceOf } from "./http/source.ts";
import { startServer, type HttpServer } from "./http/server.ts";
import { createMediaLinks } from "./media/links.ts";
import { publicRoutes } from "./media/public-routes.ts";
import { createRecordings } from "./media/recordings.ts";
import { mediaRoutes } from "./media/routes.ts";
import { createShareService } from "./media/share-service.ts";
import { createSchedulerLoop } from "./scheduler/loop.ts";
import { createRecurring } from "./scheduler/recurring.ts";
import type { BookingDesk, CarrierFactory } from "./telephony/port.ts";
import { testNumberTable } from "./telephony/simulator/outcomes.ts";
import { createSimulator } from "./telephony/simulator/simulator.ts";

export interface AppDeps {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Seals stored secrets and signs links; see db/root-key.ts. */
  rootKey: Uint8Array;
  /** The world beyond the trunk; the simulator unless a test brings its own. */
  carrier?: CarrierFactory;
  /** How events leave this machine; the real sender unless a test brings its own. */
  safePost?: SafePost;
  /** The owner of the demo hospital, where this is a demo: one click signs in. */
  demoEmail?: string | null;
}

/** What the rules need and nothing else: no HTTP, no timers. The command line works with these. */
export function createServices({ config, db, clock, logger, rootKey, safePost: given }: AppDeps, wake: () => void = () => {}) {
  const secrets = createSecretBox(rootKey);
  const ids = createIds(clock);
  const audit = createAudit(clock, ids);
  const organisations = createOrganisationService({ db, clock, ids, audit, config });
  const people = createPersonService({ db, clock, ids, audit });
  const keys = createKeyService({ db, clock, ids, audit, config });
  const setup = createSetupService({ db, clock, ids, organisations, people });
  const credits = createCredits({ db, clock, ids, audit });
  const sessions = createSessionService({ db, clock, ids, audit, throttle: createLoginThrottle(clock) });
  const agents = createAgentService({ db, clock, ids, audit });
  const doNotDisturb = createDoNotDisturbService({ db, clock, audit });
  const hooks = createHookService({ db, clock, ids, audit, config, secrets });
  const recordings = createRecordings(config.data.dir, ids);
  const links = createMediaLinks({ clock, key: secrets.deriveKey("media-links"), baseUrl: config.base_url });
  const shares = createShareService({ db, clock, ids, audit, links, baseUrl: config.base_url });
  const safePost = given ?? safePostOf(config);
  const endpoints = createEndpointService({ db, clock, ids, audit, config, secrets, checkUrl: safePost.checkUrl, wake });
  const deliveries = createDeliveryService({ db, clock, ids, audit, wake });
  const noteRead = createReadNotes({ db, audit, logger });
  const calls = createCallService({ db, clock, ids, config, audit, noteRead, links, wake });
  const erasure = createErasure({ db, clock, logger, audit, recordings, alsoErase: [deleteResponsesAbout, forgetContactsOfCall] });
  const outbox = createOutbox(clock, ids);
  const slotEvents = createSlotEvents(outbox);
  const places = createPlacesService({ db, clock, audit });
  const windows = createWindowService({ db, clock, ids, config, audit, slotEvents, wake });
  const tracking = createTrackingService({ db, clock, audit, slotEvents, wake });
  const appointments = createAppointmentService({ db, clock, ids, audit, noteRead, outbox, slotEvents, wake });
  return {
    ids,
    secrets,
    audit,
    outbox,
    safePost,
    recordings,
    links,
    organisations,
    people,
    keys,
    setup,
    sessions,
    credits,
    agents,
    doNotDisturb,
    hooks,
    calls,
    erasure,
    endpoints,
    deliveries,
    shares,
    places,
    windows,
    tracking,
    appointments,
  };
}

/** A bad entry in the settings is told like every other fault of them. */
function safePostOf({ webhooks }: Config): SafePost {
  try {
    return createSafePost({
      allow: webhooks.allow_private,
      caPem: webhooks.ca_file ? readFileSync(webhooks.ca_file, "utf8") : null,
      proxyUrl: webhooks.proxy_url || null,
    });
  } catch (error) {
    throw new ConfigError([`webhooks: ${messageOf(error)}`]);
  }
}

export type Services = ReturnType<typeof createServices>;

export function createApp(deps: AppDeps) {
  const { config, db, clock, logger } = deps;
  const wake = () => scheduler.wake();
  const services = createServices(deps, wake);
  const { ids, outbox, safePost, recordings, links, keys, organisations, credits, hooks, calls, erasure } = services;
  const { endpoints, shares, windows, tracking, appointments } = services;
  const metrics = createMetrics();
  const idempotency = createIdempotency({ db, clock, keepHours: config.idempotency.keep_hours });

  const callEvents = createCallEvents(outbox);
  const calendar = { appointmentOf: appointments.ofCall, releaseHolds: deleteHoldsOfCall };
  const lifecycle = createLifecycle({ db, clock, ids, config, logger, events: callEvents, credits, recordings, calendar, wake });
  const makeCarrier = deps.carrier ?? createSimulator({ clock, logger, ...config.telephony.simulator });
  const carrier = makeCarrier(lifecycle);

  const deliveryLoop = createDeliveryLoop({ db, clock, logger, metrics, endpoints, safePost, linksOf: shares.linksOf, wake });

  const scheduler = createSchedulerLoop({
    clock,
    logger,
    sources: [
      createDispatcher({ db, clock, config, events: callEvents, recordings, deskFor, carrier: () => carrier }),
      deliveryLoop,
      createRecurring(clock, logger, [
        { name: "note when keys were last used", pattern: "* * * * *", run: () => keys.flushLastUsed() },
        { name: "forget expired idempotency keys", pattern: "7 * * * *", run: () => idempotency.forgetExpired() },
        // A checkpoint that found no reader in its way keeps the WAL from growing through a busy day.
        { name: "empty the WAL", pattern: "*/15 * * * *", run: async () => void db.truncateWal() },
        { name: "forget expired sessions", pattern: "11 * * * *", run: () => services.sessions.forgetExpired() },
        { name: "forget expired holds", pattern: "*/5 * * * *", run: () => db.write((tx) => deleteExpiredHolds(tx, clock.now())) },
        { name: "retention", pattern: "23 * * * *", run: enforceRetention },
      ]),
    ],
  });

  function deskFor(call: CallRow, agent: AgentRow): BookingDesk | null {
    const place = bookingPlaceOf(call, agent);
    if (place === null) return null;
    return createDesk(
      { db, clock, ids, tracking, appointments, wake },
      {
        ...place,
        callId: call.id,
        organisationId: call.organisation_id,
        contactName: call.contact_name,
        contactNumber: call.contact_number,
        contactEmail: call.contact_email,
      },
    );
  }

  async function enforceRetention(): Promise<void> {
    const { days } = config.retention;
    if (days === 0) return;
    const erased = await erasure.enforceRetention(days, SYSTEM_ACTOR);
    if (erased > 0) logger.info("Calls past their retention were erased.", { calls: erased });
  }

  const requestTimeoutMs = config.server.request_timeout_seconds * SECOND_MS;
  const guard = createGuard({ keys, limiter: createRateLimiter(clock), clock, requestTimeoutMs });
  const knownRoutes = (): readonly KnownRoute[] => routes.routes;
  const document = (): OpenApiDocument =>
    buildDocument(routes, { description: API_DESCRIPTION, tags: API_TAGS, webhooks: webhookDocs() });
  const health = {
    db,
    clock,
    metrics,
    dataDir: config.data.dir,
    minFreeMb: config.data.min_free_mb,
    schedulerBeatAt: scheduler.beatAt,
  };
  const feed = createChangeFeed(db, clock);
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
    setupThrottle: createLoginThrottle(clock),
    overview: createOverview(db, clock),
    reads: createConfigurationReads(db, config),
    readiness: createReadiness(health),
    backups,
    isSecure,
    demoEmail: deps.demoEmail ?? null,
    sourceOf: (request) => sourceOf(request, config.server.client_address_header),
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
    .use(mediaRoutes({ links, mediaOf }))
    .use(dashboard)
    .use(dashboardPages())
    .use(publicRoutes({ shares, sharedCall: (callId) => sharedCall(db.reader, callId, appointmentsOf), mediaOf }));

  const handle = createHandler({ inner: (request) => routes.handle(request), ids, logger, metrics });
  let server: HttpServer | undefined;

  return {
    services,
    handle,
    document,
    routes: knownRoutes,
    /** What was under way when the process last ended is settled before anything new begins. */
    async start(): Promise<void> {
      await recoverCalls({ db, logger, lifecycle, recordings });
      erasure.resume().catch((error: unknown) => logger.error("An erasure could not be finished.", { error: messageOf(error) }));
      scheduler.start();
    },
    listen(): HttpServer {
      server = startServer(config, clock, handle);
      return server;
    },
    /** Stops taking work, finishes what is in flight, and closes the database last. */
    async stop(): Promise<void> {
      feed.stop();
      backups.stop();
      await server?.stop();
      await scheduler.stop();
      await carrier.stop();
      await deliveryLoop.stop();
      await keys.flushLastUsed();
      await db.close();
    },
  };
}

export type App = ReturnType<typeof createApp>;
