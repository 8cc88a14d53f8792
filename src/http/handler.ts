// The outermost layer: gives every request an id, and every response its headers, log line and measurement.
import { stopwatch } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import { errorResponse } from "./error-response.ts";
import { boundsFault, dropForeignCookies } from "./request-bounds.ts";
import { infoOf, rememberRequest } from "./request-info.ts";
import { IGNORED_FIELDS_HEADER, ignoredFieldsHeader } from "./sent-fields.ts";

/** `source` is the address of the connection, `keepOpen` lets it stay open for so many seconds though nothing moves on it. */
export type Handle = (request: Request, source?: string, keepOpen?: (seconds: number) => void) => Promise<Response>;

/** Seconds. From "prepared statement" to "something hangs". */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export interface HandlerDeps {
  inner: (request: Request) => Response | Promise<Response>;
  ids: Ids;
  logger: Logger;
  metrics: Metrics;
}

export function createHandler({ inner, ids, logger, metrics }: HandlerDeps): Handle {
  const requests = metrics.counter("ringward_http_requests_total", "Requests answered, by route, method and status.");
  const durations = metrics.histogram(
    "ringward_http_request_duration_seconds",
    "Time to the response, by route.",
    DURATION_BUCKETS,
  );

  return async (request, source = "unknown", keepOpen = () => {}) => {
    const elapsedMs = stopwatch();
    const id = ids.next("req");
    rememberRequest(request, { id, source, keepOpen });
    const response = await answer(request, id);
    const { route = "(none)", principal, sent } = infoOf(request);
    const durationMs = elapsedMs();
    response.headers.set("x-request-id", id);
    response.headers.set("x-content-type-options", "nosniff");
    const ignored = response.ok && sent ? ignoredFieldsHeader(sent.ignored) : null;
    if (ignored !== null) response.headers.set(IGNORED_FIELDS_HEADER, ignored);
    requests.add({ route, method: request.method, status: String(response.status) });
    durations.observe(durationMs / 1000, { route });
    logger.info("Request answered.", {
      request_id: id,
      method: request.method,
      path: loggablePath(route),
      status: response.status,
      duration_ms: Math.round(durationMs * 10) / 10,
      organisation_id: principal?.organisationId,
      key_id: principal?.keyId,
    });
    return response;
  };

  async function answer(request: Request, id: string): Promise<Response> {
    const fault = boundsFault(request);
    if (fault) return errorResponse(fault, null, id);
    dropForeignCookies(request);
    try {
      return await inner(request.method === "HEAD" ? asGet(request) : request);
    } catch (error) {
      logger.error("A request broke outside its route.", {
        request_id: id,
        error: error instanceof Error ? error.name : typeof error,
      });
      return errorResponse(new AppError("INTERNAL", "Something went wrong here. Try again."), null, id);
    }
  }
}

/**
 * The pattern, never the address itself: numbers, e-mail addresses and secrets travel in paths, and queries hold more.
 * Which record it was is in the audit trail, under the same request id.
 */
function loggablePath(route: string): string {
  return route.replace(":token", "***");
}

/** Elysia would read a body to its end to tell its length, an endless stream too. Bun sends the head of what GET answers. */
function asGet(request: Request): Request {
  const get = new Request(request.url, { headers: request.headers });
  rememberRequest(get, infoOf(request));
  return get;
}

export function pathOf(request: Request): string {
  const start = request.url.indexOf("/", request.url.indexOf("//") + 2);
  const query = request.url.indexOf("?", start);
  return request.url.slice(start, query === -1 ? undefined : query);
}
