// Elysia plugin for routes of a standard with its own credentials and media types: `bearer` declares the required scope
// of a bearer token, `takes` reads a body of one of these media types. Both run before Elysia validates anything.
import { Elysia } from "elysia";
import { AppError } from "../core/errors.ts";
import type { Clock } from "../core/clock.ts";
import { decodedText, mediaType, parseJson, readBody } from "./body.ts";
import { FORM_TYPE } from "./form-body.ts";
import { UNREAD, type HookContext, type RequiredScope } from "./guard.ts";
import { countRequest, type RateLimiter } from "./rate-limit.ts";
import { actorOf, infoOf, principalOf } from "./request-info.ts";

export interface BearerGuardDeps {
  /** Shared with the guard of /v1: a key has one limit for both. */
  limiter: RateLimiter;
  clock: Clock;
  requestTimeoutMs: number;
}

export function createBearerGuard({ limiter, clock, requestTimeoutMs: timeoutMs }: BearerGuardDeps) {
  function admit(scope: RequiredScope, request: Request, headers: HookContext["set"]["headers"]): void {
    const info = infoOf(request);
    const { principal } = info;
    if (!principal)
      throw new AppError("UNAUTHORIZED", "Send a valid API key or access token as Authorization: Bearer.");
    if (scope !== "any" && !principal.scopes.has(scope)) throw lacks(scope);
    countRequest(limiter, principal, headers);
    info.isAdmitted = true;
  }

  async function read(request: Request, types: readonly string[]): Promise<unknown> {
    const info = infoOf(request);
    if (!info.isAdmitted) throw new Error("A route must declare its scope before its body.");
    const type = mediaType(request);
    if (!types.includes(type))
      throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send the body as ${types.join(" or ")}, in Content-Type.`);
    const bytes = await readBody(request, { clock, timeoutMs });
    info.rawBody = bytes;
    info.body = type === FORM_TYPE ? new URLSearchParams(decodedText(bytes)) : parseJson(bytes);
    return info.body;
  }

  return new Elysia({ name: "bearer-guard" }).macro({
    bearer: (scope: RequiredScope) => ({
      parse: () => UNREAD,
      detail: { "x-bearer-scope": scope } as object,
      transform: (context: HookContext) => admit(scope, context.request, context.set.headers),
      resolve: ({ request }) => ({ principal: principalOf(request), actor: actorOf(request) }),
    }),
    /** The body is URLSearchParams of a form, otherwise parsed JSON. */
    takes: (types: readonly string[]) => ({
      transform: async (context: HookContext) => {
        context.body = await read(context.request, types);
      },
    }),
  });
}

export type BearerGuard = ReturnType<typeof createBearerGuard>;

export const lacks = (scope: string): AppError =>
  new AppError("INSUFFICIENT_SCOPE", `This API key lacks the scope ${scope}.`);
