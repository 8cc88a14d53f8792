// Elysia plugin for all /v1 routes: `scope` declares the required scope, `json` reads the body, `creates` enables
// Idempotency-Key, `tagged` sends an ETag and documents If-Match, `answers` documents the responses. The first two run
// before Elysia validates anything, so an unauthenticated client learns only 401. The key was already authenticated
// (handler.ts), so only reading a body is asynchronous.
import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Scope } from "../payloads/scopes.ts";
import type { Clock } from "../core/clock.ts";
import { entityTag } from "../core/entity-tag.ts";
import { AppError } from "../core/errors.ts";
import { assertJsonType, parseJson, readBody } from "./body.ts";
import { listBodyFault } from "./body-fault.ts";
import type { SchemasOf } from "./body-schemas.ts";
import { addressOf, createOnce, hashWhileRead, KEY_HEADER, keyNotSupported, type Creates } from "./creating-routes.ts";
import type { Idempotency } from "./idempotency.ts";
import type { InFlight } from "./in-flight.ts";
import { readListBody, type ReadJson } from "./list-body.ts";
import type { ListShape } from "./list-scan.ts";
import { countRequest, type RateLimiter } from "./rate-limit.ts";
import { actorOf, infoOf, principalOf, versionGiven } from "./request-info.ts";
import { checkedQueryNames } from "./query-names.ts";
import { sentFields, sentFieldsOfList } from "./sent-fields.ts";

/** `any` accepts every valid key. */
export type RequiredScope = Scope | "any";

export interface GuardDeps {
  limiter: RateLimiter;
  inFlight: InFlight;
  clock: Clock;
  requestTimeoutMs: number;
  schemasOf: SchemasOf;
  creates: Creates;
  idempotency: Idempotency;
}

/** Elysia reads the body before any hook can reject the client; handling the parse step ourselves defers that. */
export const UNREAD = Symbol("unread body");

/**
 * Never passed on as a whole: Elysia analyses the source of hooks, and if it cannot see how the context is used, it
 * parses headers, cookies and query of every request, including unauthenticated ones.
 */
export interface HookContext {
  request: Request;
  body?: unknown;
  set: { headers: Record<string, string | number> };
}

/** A larger body with one long list. */
export interface LargeJson {
  mostBytes: number;
  list: ListShape;
}

export function createGuard(deps: GuardDeps) {
  const { limiter, inFlight, clock, requestTimeoutMs: timeoutMs, schemasOf, creates, idempotency } = deps;
  function admit(scope: RequiredScope, request: Request, headers: HookContext["set"]["headers"]): void {
    const info = infoOf(request);
    const { principal } = info;
    if (!principal) throw new AppError("UNAUTHORIZED", "The x-api-key header is missing or holds no valid API key.");
    if (scope !== "any" && !principal.scopes.has(scope))
      throw new AppError("INSUFFICIENT_SCOPE", `This API key lacks the scope ${scope}.`);
    countRequest(limiter, principal, headers);
    if (request.headers.has(KEY_HEADER) && !creates(request.method, info.route ?? "")) throw keyNotSupported();
    info.isAdmitted = true;
    const stray = checkedQueryNames(request, schemasOf(request.method, info.route ?? "").query);
    if (stray.length > 0) info.sent = { names: [], ignored: [], further: stray };
  }

  async function readJson(request: Request, large: LargeJson | null): Promise<unknown> {
    const info = infoOf(request);
    if (!info.isAdmitted) throw new Error("A route must declare its scope before its body.");
    assertJsonType(request);
    const { bytes, body } = large ? await readLarge(request, large) : await readSmall(request);
    info.rawBody = bytes;
    info.body = body;
    // Runs before Elysia drops unknown fields.
    const stray = info.sent?.further ?? [];
    const schema = schemasOf(request.method, info.route ?? "").body;
    const sent = large ? await sentFieldsOfList(body, schema, large.list.field) : sentFields(body, schema);
    info.sent = stray.length === 0 || !sent ? sent : { ...sent, further: [...(sent.further ?? []), ...stray] };
    const fault = large && schema ? listBodyFault(schema, body, large.list.field) : null;
    if (fault) throw fault;
    return body;
  }

  async function readSmall(request: Request): Promise<ReadJson> {
    const bytes = await readBody(request, { clock, timeoutMs });
    return { bytes, body: parseJson(bytes) };
  }

  async function readLarge(request: Request, { mostBytes, list }: LargeJson): Promise<ReadJson> {
    const { keyId: id, organisationId } = principalOf(request);
    const info = infoOf(request);
    const admit = (bytes: number) => inFlight.admit(request, { id, organisationId }, bytes);
    // Hashes while the body arrives: 8 MiB at once would block other requests.
    const hash = hashWhileRead(request, addressOf(request.url, info.route ?? ""));
    const look = (part: Uint8Array) => hash?.add(part);
    const read = await readListBody(request, { clock, timeoutMs, mostBytes, admit, look }, list);
    if (hash) info.requestHash = hash.hex();
    return read;
  }

  return new Elysia({ name: "guard" }).macro({
    scope: (scope: RequiredScope) => ({
      parse: () => UNREAD,
      detail: { "x-scope": scope } as object,
      transform: (context: HookContext) => admit(scope, context.request, context.set.headers),
      resolve: ({ request }) => ({
        principal: principalOf(request),
        actor: { ...actorOf(request), ...versionGiven(request) },
      }),
    }),
    creates: (isCreating: boolean) => ({
      detail: { "x-creates": isCreating } as object,
      resolve: ({ request, set }) => ({ once: createOnce(idempotency, request, set) }),
    }),
    // Services compare If-Match, inside their transaction.
    tagged: (isTagged: boolean) => ({
      detail: { "x-tagged": isTagged } as object,
      afterHandle: ({ responseValue, set }) => {
        const { data } = responseValue as { data: object };
        set.headers["etag"] = entityTag(data);
      },
    }),
    // For the documentation. Responses are built field by field and typed; validating them again took 100 µs per
    // request.
    answers: (schemas: Readonly<Record<number, TSchema>>) => ({ detail: { "x-responses": schemas } as object }),
    json: (wanted: true | LargeJson) => ({
      // Hooks run in the order in which a route declares them.
      transform: async (context: HookContext) => {
        context.body = await readJson(context.request, wanted === true ? null : wanted);
      },
    }),
  });
}

export type Guard = ReturnType<typeof createGuard>;
