// The Elysia plugin of every dashboard route. `role` declares the required role and reads the body as JSON; `large`
// allows a larger JSON body, and `upload` a file.
import { Elysia } from "elysia";
import type { Actor } from "../core/actor.ts";
import type { Session, SessionService } from "../accounts/session-service.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Role } from "../accounts/records.ts";
import {
  assertJsonType,
  MOST_BODY_BYTES,
  MOST_STRANGERS_BODY_BYTES,
  parseJson,
  readBody,
  type BodyBounds,
} from "../http/body.ts";
import { hashWhileRead } from "../http/creating-routes.ts";
import type { FaultForm } from "../http/error-response.ts";
import type { LargeJson } from "../http/guard.ts";
import type { InFlight } from "../http/in-flight.ts";
import { readListBody } from "../http/list-body.ts";
import { infoOf, versionGiven } from "../http/request-info.ts";
import { accessOf, assertMayReach, assertNamesWithin } from "./reach-guard.ts";
import type { ReachSubjects } from "./reach-subject-store.ts";
import { sessionCookie, sessionTokenOf } from "./session-cookie.ts";

/** `nobody` is for sign-in. Each role includes the ones before it. */
export const REQUIRED_ROLES = ["nobody", "viewer", "staff", "owner"] as const;
export type RequiredRole = (typeof REQUIRED_ROLES)[number];
type RankedRole = Exclude<Role, "doctor" | "auditor">;

/** A form or link of another site cannot send this header: the second defence against CSRF, besides SameSite=Strict. */
const REQUEST_HEADER = "x-ringward-dashboard";

/** A route with a file as its body. The handler gets it as a Uint8Array. */
export interface Upload {
  role: RequiredRole;
  mostBytes: number;
  /** Content types, in lower case. */
  types: readonly string[];
}

/** A few megabytes over a slow connection. */
const LONGEST_UPLOAD_MS = MINUTE_MS;

/** Files are parsed one at a time; the last one in a full queue is answered within this time. */
const LONGEST_READING_SECONDS = 240;

/** A conflict shows the record as it is now, so that nothing typed is lost. */
export const DASHBOARD_FAULTS: FaultForm = {
  under: "/dashboard/api/",
  status: { PRECONDITION_FAILED: 409 },
  showsCurrent: "PRECONDITION_FAILED",
};

const UNREAD = Symbol("unread body");

/** Never passed on as a whole, for the reason in http/guard.ts. */
interface HookContext {
  request: Request;
  set: { headers: Record<string, unknown> };
  body?: unknown;
  params?: unknown;
  query?: unknown;
}

const sessions = new WeakMap<Request, Session>();

export interface SessionGuardDeps {
  sessionService: SessionService;
  inFlight: InFlight;
  clock: Clock;
  requestTimeoutMs: number;
  /** Public origin of the dashboard: a proxy in front may have changed the Host header. */
  ownOrigin: string;
  isSecure: boolean;
  subjects: ReachSubjects;
}

export function createSessionGuard(deps: SessionGuardDeps) {
  const { sessionService, clock, requestTimeoutMs, ownOrigin, isSecure, subjects } = deps;

  /** Leaves `body` unchanged if the request has none. */
  async function takeJson(context: HookContext, mostBytes: number): Promise<void> {
    const bytes = await readBody(context.request, { clock, timeoutMs: requestTimeoutMs, mostBytes });
    if (bytes.length === 0) return;
    assertJsonType(context.request);
    const body = parseJson(bytes);
    infoOf(context.request).body = body;
    context.body = body;
  }

  async function admit(
    required: RequiredRole,
    request: Request,
    headers: HookContext["set"]["headers"],
  ): Promise<void> {
    // Patient data: no copy may stay in the cache of the browser or a proxy.
    headers["cache-control"] = "no-store";
    assertOwnPage(request, ownOrigin);
    if (required === "nobody") return;
    const token = sessionTokenOf(request);
    const session = token === null ? null : await sessionService.find(token, request.headers.get("user-agent"));
    if (!session || token === null)
      throw new AppError("UNAUTHORIZED", "You are not signed in, or your session has ended.");
    if (session.isLocked) throw new AppError("INSUFFICIENT_SCOPE", "The screen is locked. Give your password.");
    if (session.reach) assertMayReach(session, accessOf(request.method, infoOf(request).route));
    if (!isSpecial(session.role) && !mayAct(session.role, required)) {
      throw new AppError("INSUFFICIENT_SCOPE", `This needs the role ${required}; you are ${session.role}.`);
    }
    if (session.wasProlonged) headers["set-cookie"] = sessionCookie(token, isSecure);
    sessions.set(request, session);
    infoOf(request).who = session.personId;
  }

  const assertNamed = (context: HookContext) => assertNamedWithin(subjects, context);

  return new Elysia({ name: "session-guard" }).macro({
    role: (required: RequiredRole) => ({
      parse: () => UNREAD,
      detail: { "x-role": required, hide: true } as object,
      transform: async (context: HookContext) => {
        await admit(required, context.request, context.set.headers);
        const mostBytes = required === "nobody" ? MOST_STRANGERS_BODY_BYTES : MOST_BODY_BYTES;
        if (["POST", "PUT", "PATCH"].includes(context.request.method)) await takeJson(context, mostBytes);
        await assertNamed(context);
      },
      resolve: ({ request }) => ({ session: sessionOf(request, required), actor: actorOf(request) }),
    }),
    large: ({ role, mostBytes, list }: LargeJson & { role: RequiredRole }) => ({
      parse: () => UNREAD,
      detail: { "x-role": role, hide: true } as object,
      transform: async (context: HookContext) => {
        await admit(role, context.request, context.set.headers);
        assertJsonType(context.request);
        const hash = hashWhileRead(context.request, "");
        const look = (part: Uint8Array) => hash?.add(part);
        const bounds = { ...largeBounds(deps, context.request, mostBytes), look };
        const { bytes, body } = await readListBody(context.request, bounds, list);
        Object.assign(infoOf(context.request), { rawBody: bytes, body, ...(hash && { requestHash: hash.hex() }) });
        context.body = body;
        await assertNamed(context);
      },
      resolve: ({ request }) => ({ session: sessionOf(request, role), actor: actorOf(request) }),
    }),
    upload: ({ role, mostBytes, types }: Upload) => ({
      parse: () => UNREAD,
      detail: { "x-role": role, hide: true } as object,
      transform: async (context: HookContext) => {
        await admit(role, context.request, context.set.headers);
        await assertNamed(context);
        assertType(context.request, types);
        infoOf(context.request).keepOpen?.(LONGEST_READING_SECONDS);
        context.body = await readBody(context.request, largeBounds(deps, context.request, mostBytes));
      },
      resolve: ({ request }) => ({ session: sessionOf(request, role), actor: actorOf(request) }),
    }),
  });
}

/** Bounds for files and long lists. */
function largeBounds(
  { clock, inFlight, requestTimeoutMs }: SessionGuardDeps,
  request: Request,
  mostBytes: number,
): BodyBounds {
  const { personId: id, organisationId } = sessionOf(request, "viewer");
  return {
    clock,
    timeoutMs: Math.max(requestTimeoutMs, LONGEST_UPLOAD_MS),
    mostBytes,
    admit: (bytes) => inFlight.admit(request, { id, organisationId }, bytes),
  };
}

/** Nothing to do for a person who sees the whole organisation. */
async function assertNamedWithin(subjects: ReachSubjects, { request, params, query, body }: HookContext) {
  const session = sessions.get(request);
  const access = session?.reach && accessOf(request.method, infoOf(request).route);
  if (session && access) await assertNamesWithin(subjects, session, access, { params, query, body });
}

export type SessionGuard = ReturnType<typeof createSessionGuard>;

/** Roles outside the order: the access table decides. */
const isSpecial = (role: Role): role is "doctor" | "auditor" => role === "doctor" || role === "auditor";

function mayAct(role: RankedRole, required: RequiredRole): boolean {
  return REQUIRED_ROLES.indexOf(role) >= REQUIRED_ROLES.indexOf(required);
}

function assertType(request: Request, types: readonly string[]): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (types.includes(type)) return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send the file itself with Content-Type: ${types[0] ?? "none"}.`);
}

/** Reads are safe without the header, and an EventSource cannot send one. */
function assertOwnPage(request: Request, ownOrigin: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  const isOwnOrigin = origin === null || origin === ownOrigin || sameHost(origin, request);
  if (request.headers.get(REQUEST_HEADER) === "1" && isOwnOrigin) return;
  throw new AppError("UNAUTHORIZED", "This request did not come from the dashboard.");
}

function sameHost(origin: string, request: Request): boolean {
  return URL.canParse(origin) && new URL(origin).host === (request.headers.get("host") ?? new URL(request.url).host);
}

const NO_SESSION: Session = {
  personId: "",
  organisationId: "",
  email: "",
  name: "",
  role: "viewer",
  language: null,
  method: "password",
  factor: null,
};

function sessionOf(request: Request, required: RequiredRole): Session {
  const session = sessions.get(request) ?? (required === "nobody" ? NO_SESSION : undefined);
  if (!session) throw new Error("This route does not declare a role.");
  return session;
}

function actorOf(request: Request): Actor {
  const session = sessions.get(request);
  const role = session && { role: session.role, ...(session.reach && { reach: session.reach }) };
  return {
    kind: "person",
    id: session?.personId ?? null,
    ...role,
    requestId: infoOf(request).id,
    ...versionGiven(request),
  };
}
