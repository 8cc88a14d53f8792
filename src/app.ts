// The composition root: the only file that constructs stores, services and adapters. start() and stop() are its life.
import { Elysia } from "elysia";
import { createAudit } from "./accounts/audit.ts";
import { createKeyService } from "./accounts/key-service.ts";
import { createOrganisationService } from "./accounts/organisation-service.ts";
import { createPersonService } from "./accounts/person-service.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { createSetupService } from "./accounts/setup-service.ts";
import type { Config } from "./config/schema.ts";
import { SECOND_MS, type Clock } from "./core/clock.ts";
import { createIds } from "./core/ids.ts";
import type { Logger } from "./core/logger.ts";
import { createMetrics } from "./core/metrics.ts";
import { createSecretBox } from "./core/secret-box.ts";
import type { Database } from "./db/database.ts";
import { webhookDocs } from "./events/webhook-docs.ts";
import { buildDocument, type OpenApiDocument } from "./http/docs/document.ts";
import { API_DESCRIPTION, API_TAGS } from "./http/docs/introduction.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import { createFaults, type KnownRoute } from "./http/faults.ts";
import { createGuard } from "./http/guard.ts";
import { createHandler } from "./http/handler.ts";
import { healthRoutes } from "./http/health.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createRateLimiter } from "./http/rate-limit.ts";
import { startServer, type HttpServer } from "./http/server.ts";
import { createSchedulerLoop } from "./scheduler/loop.ts";
import { createRecurring } from "./scheduler/recurring.ts";

export interface AppDeps {
  config: Config;
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Seals stored secrets and signs links; see db/root-key.ts. */
  rootKey: Uint8Array;
}

/** What the rules need and nothing else: no HTTP, no timers. The command line works with these. */
export function createServices({ config, db, clock, rootKey }: AppDeps) {
  const secrets = createSecretBox(rootKey);
  const ids = createIds(clock);
  const audit = createAudit(clock, ids);
  const organisations = createOrganisationService({ db, clock, ids, audit, config });
  const people = createPersonService({ db, clock, ids, audit });
  const keys = createKeyService({ db, clock, ids, audit, config });
  const setup = createSetupService({ db, clock, ids, organisations, people });
  return { ids, secrets, audit, organisations, people, keys, setup };
}

export type Services = ReturnType<typeof createServices>;

export function createApp(deps: AppDeps) {
  const { config, db, clock, logger } = deps;
  const services = createServices(deps);
  const { ids, keys, organisations } = services;
  const metrics = createMetrics();
  const idempotency = createIdempotency({ db, clock, keepHours: config.idempotency.keep_hours });

  const scheduler = createSchedulerLoop({
    clock,
    logger,
    sources: [
      createRecurring(clock, logger, [
        { name: "note when keys were last used", pattern: "* * * * *", run: () => keys.flushLastUsed() },
        { name: "forget expired idempotency keys", pattern: "7 * * * *", run: () => idempotency.forgetExpired() },
        // A checkpoint that found no reader in its way keeps the WAL from growing through a busy day.
        { name: "empty the WAL", pattern: "*/15 * * * *", run: async () => void db.truncateWal() },
      ]),
    ],
  });

  const guard = createGuard({
    keys,
    limiter: createRateLimiter(clock),
    clock,
    requestTimeoutMs: config.server.request_timeout_seconds * SECOND_MS,
  });
  const knownRoutes = (): readonly KnownRoute[] => routes.routes;
  const document = (): OpenApiDocument =>
    buildDocument(routes, { description: API_DESCRIPTION, tags: API_TAGS, webhooks: webhookDocs() });
  const routes = new Elysia({ strictPath: true })
    .use(createFaults(logger, knownRoutes))
    .use(
      healthRoutes({
        db,
        clock,
        metrics,
        dataDir: config.data.dir,
        minFreeMb: config.data.min_free_mb,
        schedulerBeatAt: scheduler.beatAt,
      }),
    )
    .use(docsRoutes(document))
    .use(accountRoutes(guard, organisations));

  const handle = createHandler({ inner: (request) => routes.handle(request), ids, logger, metrics });
  let server: HttpServer | undefined;

  return {
    services,
    handle,
    document,
    routes: knownRoutes,
    start(): HttpServer {
      scheduler.start();
      server = startServer(config, clock, handle);
      return server;
    },
    /** Stops taking work, finishes what is in flight, and closes the database last. */
    async stop(): Promise<void> {
      await server?.stop();
      await scheduler.stop();
      await keys.flushLastUsed();
      await db.close();
    },
  };
}

export type App = ReturnType<typeof createApp>;
