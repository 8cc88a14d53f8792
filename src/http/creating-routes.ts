// Routes that create a record and therefore support Idempotency-Key. All other routes reject the header: a client that
// sends it expects its request to be executed once, and an ignored key could execute it twice.
import { invalidField, type AppError } from "../core/errors.ts";
import type { Sha256Parts } from "../core/hmac.ts";
import type { Alongside, Progress } from "../db/alongside.ts";
import type { RouteWithHooks } from "./body-schemas.ts";
import { requestHashOf, requestHasher, type Idempotency } from "./idempotency.ts";
import { infoOf, principalOf } from "./request-info.ts";

export const KEY_HEADER = "idempotency-key";

export type Creates = (method: string, route: string) => boolean;

/** The routes are complete at the first request. */
export function createCreates(routes: () => readonly RouteWithHooks[]): Creates {
  let known: ReadonlySet<string> | undefined;
  return (method, route) => (known ??= creatingRoutes(routes())).has(`${method} ${route}`);
}

function creatingRoutes(routes: readonly RouteWithHooks[]): ReadonlySet<string> {
  const creating = routes.filter(({ hooks }) => {
    const { detail = {} } = (hooks ?? {}) as { detail?: Record<string, unknown> };
    return detail["x-creates"] === true;
  });
  return new Set(creating.map(({ method, path }) => `${method} ${path}`));
}

export const keyNotSupported = (): AppError =>
  invalidField(
    "Idempotency-Key",
    "This route does not support Idempotency-Key, because it creates nothing. Send the request without the header.",
  );

export interface Created<Data, Body> {
  status: number;
  body: (data: Data) => Body;
  /** The body without the secret that only the first response shows. It is stored and repeated instead of `body`. */
  repeated?: (data: Data) => Body;
  /** The id of the record; the stored response is erased with it. */
  subjectId: (data: Data) => string;
}

export type Once = <Data, Body>(
  created: Created<Data, Body>,
  /**
   * `alongside` commits with the created record, or not at all; `progress` commits with each part of an operation that
   * takes several transactions.
   */
  act: (alongside: Alongside<Data>, progress: Progress) => Promise<Data>,
) => Promise<Body>;

interface AnswerSettings {
  status?: number | string;
  headers: Record<string, string | number>;
}

/** Creates once per Idempotency-Key, and sets the status and headers of the response. */
export const createOnce =
  (idempotency: Idempotency, request: Request, set: AnswerSettings): Once =>
  async (created, act) => {
    const { route = "", rawBody = new Uint8Array(), requestHash } = infoOf(request);
    const { organisationId, keyId } = principalOf(request);
    const { status, body, repeated = body, subjectId } = created;
    const reply = await idempotency.run(
      {
        organisationId,
        credentialId: keyId,
        route: `${request.method} ${route}`,
        header: request.headers.get(KEY_HEADER),
        requestHash: () => requestHash ?? requestHashOf(addressOf(request.url, route), rawBody),
      },
      async (remember, progress) => ({
        status,
        body: body(await act((tx, data) => remember(tx, { status, body: repeated(data) }, subjectId(data)), progress)),
      }),
    );
    set.status = reply.status;
    if (reply.replayed) set.headers["idempotent-replayed"] = "true";
    return reply.body;
  };

/** Hash of the address and of the body, which is added as it arrives. Null if the request has no key. */
export function hashWhileRead(request: Request, address: string): Sha256Parts | null {
  return request.headers.has(KEY_HEADER) ? requestHasher(address) : null;
}

/**
 * The part of the address that identifies a request: the record in its path, and the query. `dry_run` is excluded,
 * because it creates nothing.
 */
export function addressOf(url: string, route: string): string {
  if (!route.includes(":") && !url.includes("?")) return "";
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("dry_run");
  const query = searchParams.toString();
  return `${route.includes(":") ? pathname : ""}${query === "" ? "" : `?${query}`}`;
}
