// A few routes of a test's own behind the real guard, fault mapping and handler, as compose/http.ts puts them together.
import { Elysia, type AnyElysia } from "elysia";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { WINDOW_FAULTS } from "../../src/calendar/slot-routes.ts";
import { HOOK_FAULTS } from "../../src/hooks/routes.ts";
import { createRouteSchemas } from "../../src/http/body-schemas.ts";
import { createCreates } from "../../src/http/creating-routes.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { createFaults } from "../../src/http/faults.ts";
import { createGuard, type Guard } from "../../src/http/guard.ts";
import { createInFlight } from "../../src/http/in-flight.ts";
import { createHandler } from "../../src/http/handler.ts";
import { createRateLimiter } from "../../src/http/rate-limit.ts";
import { createAccounts } from "./accounts.ts";

export const REQUEST_TIMEOUT_MS = 10_000;

export interface ErrorAnswer {
  success?: boolean;
  error: { code: string; message: string; details?: { field: string; message: string }[]; request_id: string };
}

export async function createSmallApp(routesOf: (guard: Guard) => AnyElysia, settings: Record<string, string> = {}) {
  const accounts = await createAccounts(settings);
  const { clock, keys, ids, organisations, db } = accounts;
  const logLines: string[] = [];
  const logger = createLogger(clock, "debug", (line) => void logLines.push(line));
  const metrics = createMetrics();
  const guard = createGuard({
    limiter: createRateLimiter(clock),
    inFlight: createInFlight(),
    clock,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    schemasOf: createRouteSchemas(() => app.routes),
    creates: createCreates(() => app.routes),
    idempotency: createIdempotency({ db, clock, keepHours: 24 }),
  });
  const app: AnyElysia = new Elysia({ strictPath: true })
    .use(createFaults(logger, () => app.routes, [HOOK_FAULTS, WINDOW_FAULTS]))
    .use(routesOf(guard));
  const handle = createHandler({ inner: (request) => app.handle(request), keys, ids, logger, metrics });
  const { id: organisationId } = await organisations.create({ name: "Test", timeZone: "UTC" }, CLI_ACTOR);
  const { key } = await keys.create(organisationId, { name: "all", scopes: ALL_SCOPES }, CLI_ACTOR);
  const { key: readKey } = await keys.create(organisationId, { name: "read", scopes: ["calls:read"] }, CLI_ACTOR);

  return {
    ...accounts,
    app,
    handle,
    metrics,
    logLines,
    organisationId,
    /** Has every scope. */
    key,
    /** Has calls:read alone. */
    readKey,
    send: (
      method: string,
      path: string,
      init: { headers?: Record<string, string>; body?: BodyInit; key?: string | null } = {},
    ) => {
      const asKey = init.key === undefined ? key : init.key;
      const headers = { ...(asKey === null ? {} : { "x-api-key": asKey }), ...init.headers };
      return handle(
        new Request(`http://localhost${path}`, {
          method,
          headers,
          ...(init.body === undefined ? {} : { body: init.body }),
        }),
      );
    },
    close: () => db.close(),
  };
}

export type SmallApp = Awaited<ReturnType<typeof createSmallApp>>;

export async function errorOf(response: Response): Promise<ErrorAnswer["error"]> {
  return ((await response.json()) as ErrorAnswer).error;
}
