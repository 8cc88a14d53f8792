// Outermost request handler: assigns an id to every request, and adds headers, log line and metrics to every response.
import { askedBy } from "../core/asking.ts";
import { monotonicMs } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import { errorResponse, formAt, type FaultForm } from "./error-response.ts";
import { boundsFault, dropForeignCookies } from "./request-bounds.ts";
import { infoOf, rememberRequest, type Principal, type RequestInfo } from "./request-info.ts";
import { IGNORED_FIELDS_HEADER, ignoredFieldsHeader, unreadIn } from "./sent-fields.ts";

/** The connection of a request. */
export interface Caller {
  /** The client address, looked up only on demand. */
  source(): string;
  /** Extends the idle timeout to this many seconds. */
  keepOpen(seconds: number): void;
  /** Whether to close the connection after the response. */
  isClosing(): boolean;
}

export type Handle = (request: Request, caller?: Caller) => Promise<Response>;

const NOBODY: Caller = { source: () => "unknown", keepOpen() {}, isClosing: () => false };

/** Seconds. From a prepared statement to a hanging request. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export interface Credentials {
  /** Null for an invalid, revoked or expired credential. */
  authenticate(text: string): Principal | null | Promise<Principal | null>;
}

export interface HandlerDeps {
  inner: (request: Request) => Response | Promise<Response>;
  /** API keys in the header x-api-key, below /v1/. */
  keys: Credentials;
  /** The same as bearer tokens, below another path. */
  bearer?: { under: string; tokens: Credentials };
  /** Error formats of features, for requests that are rejected before any route. */
  forms?: readonly FaultForm[];
  ids: Ids;
  logger: Logger;
  metrics: Metrics;
  /** Addresses below this path may end in a slash, as no-code tools write them. */
  slashedBelow?: string;
  /** All requests arrive over our own TLS. */
  isTls?: boolean;
  /** Share of answered requests to log, from 0 to 1. */
  loggedShare?: number;
}

/** One year, for this host only. Browsers apply it only with a trusted certificate. */
const STRICT_TRANSPORT = "max-age=31536000";

interface Answered {
  add(): void;
}

interface RouteSeries {
  durations: { observe(seconds: number): void };
  byMethod: Map<string, Map<number, Answered>>;
}

export function createHandler(deps: HandlerDeps): Handle {
  const { inner, forms = [], ids, logger, metrics, slashedBelow, isTls } = deps;
  const isLogged = createSampling(deps.loggedShare ?? 1);
  const requests = metrics.counter("ringward_http_requests_total", "Requests answered, by route, method and status.");
  const durations = metrics.histogram(
    "ringward_http_request_duration_seconds",
    "Time to the response, by route.",
    DURATION_BUCKETS,
  );

  /**
   * A few hundred entries, because unknown addresses share one route. Nested maps avoid building a key string for every
   * request.
   */
  const byRoute = new Map<string, RouteSeries>();
  function count(route: string, method: string, status: number, durationMs: number): void {
    let series = byRoute.get(route);
    if (!series) byRoute.set(route, (series = { durations: durations.of({ route }), byMethod: new Map() }));
    let byStatus = series.byMethod.get(method);
    if (!byStatus) series.byMethod.set(method, (byStatus = new Map<number, Answered>()));
    let answered = byStatus.get(status);
    if (!answered) byStatus.set(status, (answered = requests.of({ route, method, status: String(status) })));
    answered.add();
    series.durations.observe(durationMs / 1000);
  }

  return async (request, caller = NOBODY) => {
    const startedMs = monotonicMs();
    const id = ids.next("req");
    const left = () => request.signal;
    const info: RequestInfo = { id, source: caller.source, keepOpen: caller.keepOpen, left };
    rememberRequest(request, info);
    const response = await askedBy(info, () => answer(request, info));
    info.release?.();
    const { route = "(none)", principal, sent } = info;
    const durationMs = monotonicMs() - startedMs;
    response.headers.set("x-request-id", id);
    response.headers.set("x-content-type-options", "nosniff");
    if (isTls) response.headers.set("strict-transport-security", STRICT_TRANSPORT);
    const ignored = response.ok && sent ? ignoredFieldsHeader(unreadIn(sent)) : null;
    if (ignored !== null) response.headers.set(IGNORED_FIELDS_HEADER, ignored);
    if (caller.isClosing() || info.closesConnection) response.headers.set("connection", "close");
    count(route, request.method, response.status, durationMs);
    if (isLogged(response.status)) {
      logger.info("Request answered.", {
        request_id: id,
        method: request.method,
        path: loggablePath(route),
        status: response.status,
        duration_ms: Math.round(durationMs * 10) / 10,
        organisation_id: principal?.organisationId,
        key_id: principal?.keyId,
      });
    }
    return response;
  };

  async function answer(request: Request, info: RequestInfo): Promise<Response> {
    const { id } = info;
    const fault = boundsFault(request);
    if (fault) return errorResponse(fault, formOf(request), id);
    dropForeignCookies(request);
    try {
      const recognised = recognise(request, info);
      if (recognised) await recognised;
      const asked = withLongHost(withoutNul(request.method === "HEAD" ? asGet(request) : request));
      return await inner(slashedBelow !== undefined && isBelow(slashedBelow, asked) ? withoutSlash(asked) : asked);
    } catch (error) {
      if (error instanceof AppError) return errorResponse(error, formOf(request), id);
      logger.error("A request broke outside its route.", {
        request_id: id,
        error: error instanceof Error ? error.name : typeof error,
      });
      return errorResponse(new AppError("INTERNAL", "Something went wrong here. Try again."), formOf(request), id);
    }
  }

  function formOf(request: Request): FaultForm | null {
    return formAt(forms, pathOf(request));
  }

  /** Authenticates the API key, if any. Most keys are cached and resolve synchronously. */
  function recognise(request: Request, info: RequestInfo): Promise<void> | undefined {
    const principal = principalIn(request, deps);
    if (principal instanceof Promise) return principal.then((found) => speaksFor(info, found));
    speaksFor(info, principal);
    return undefined;
  }
}

/** Other paths must work independently of the keys: health, the dashboard, links. */
function principalIn(
  request: Request,
  { keys, bearer }: Pick<HandlerDeps, "keys" | "bearer">,
): Principal | null | Promise<Principal | null> {
  if (isBelow("/v1/", request)) return given(keys, request.headers.get("x-api-key"));
  return bearer && isBelow(bearer.under, request) ? given(bearer.tokens, bearerTokenIn(request)) : null;
}

const given = (known: Credentials, text: string | null) => (text ? known.authenticate(text) : null);

function bearerTokenIn(request: Request): string | null {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return token ?? null;
}

function speaksFor(info: RequestInfo, principal: Principal | null): void {
  info.principal = principal;
  if (principal) info.who = principal.keyId;
}

/** Every tenth request for a share of 0.1, and every server error regardless of the share. */
function createSampling(share: number): (status: number) => boolean {
  let answered = 0;
  return (status) => {
    if (status >= 500 || share === 1) return true;
    const before = Math.floor(answered++ * share);
    return Math.floor(answered * share) > before;
  };
}

/** `path` begins and ends with a slash. */
export function isBelow(path: string, { url }: Request): boolean {
  return url.startsWith(path, url.indexOf("/", url.indexOf("//") + 2));
}

/**
 * The route pattern, never the address itself: paths contain numbers, e-mail addresses and secrets, and queries contain
 * more. The audit trail has the record, with the same request id.
 */
function loggablePath(route: string): string {
  return route.replace(":token", "***");
}

/**
 * Elysia would read a body to its end to determine its length, even an endless stream. Bun sends the headers of the GET
 * response.
 */
function asGet(request: Request): Request {
  const get = new Request(request.url, { headers: request.headers });
  rememberRequest(get, infoOf(request));
  return get;
}

const ENCODED_NUL = "%00";

/** No id or text of ours contains a NUL. It is replaced by U+FFFD, which every database supports. */
function withoutNul(request: Request): Request {
  if (!request.url.includes(ENCODED_NUL)) return request;
  const same = new Request(request.url.replaceAll(ENCODED_NUL, "%EF%BF%BD"), request);
  rememberRequest(same, infoOf(request));
  return same;
}

/** Elysia searches for the path after the first eleven characters of an address, and `http://rw/` is shorter. */
const ELYSIA_SKIPS = 11;

function withLongHost(request: Request): Request {
  const pathAt = request.url.indexOf("/", request.url.indexOf("//") + 2);
  if (pathAt >= ELYSIA_SKIPS) return request;
  const same = new Request(`http://localhost${request.url.slice(pathAt)}`, request);
  rememberRequest(same, infoOf(request));
  return same;
}

function withoutSlash(request: Request): Request {
  const [address = "", query] = request.url.split("?", 2);
  if (!address.endsWith("/")) return request;
  const same = new Request(address.slice(0, -1) + (query === undefined ? "" : `?${query}`), request);
  rememberRequest(same, infoOf(request));
  return same;
}

export function pathOf(request: Request): string {
  const start = request.url.indexOf("/", request.url.indexOf("//") + 2);
  const query = request.url.indexOf("?", start);
  return request.url.slice(start, query === -1 ? undefined : query);
}
