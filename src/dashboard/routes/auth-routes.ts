// Sign-in, sign-out, first setup, and the current session.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Directories } from "../../accounts/directories/directories.ts";
import type { OrganisationService } from "../../accounts/organisation-service.ts";
import type { PasswordLinks } from "../../accounts/password-links.ts";
import type { PersonService } from "../../accounts/person-service.ts";
import type { SessionService, SignInOrigin } from "../../accounts/session-service.ts";
import type { SignInService } from "../../accounts/sign-in-service.ts";
import type { SetupService } from "../../accounts/setup-service.ts";
import { AppError } from "../../core/errors.ts";
import { nullable } from "../../core/schema.ts";
import { isOwnHost } from "../own-host.ts";
import { deviceTokenOf, endedCookie, openedCookies, sessionTokenOf, ticketCookie } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface AuthRouteDeps {
  guard: SessionGuard;
  sessions: SessionService;
  signIn: SignInService;
  directories: Directories;
  setup: SetupService;
  organisations: OrganisationService;
  people: PersonService;
  passwordLinks: PasswordLinks;
  isSecure: boolean;
  telephony: { readonly isSimulated: boolean };
  /** Email of the demo owner; null outside the demo. */
  demoEmail: string | null;
  /** Null outside a demo with history and receiver. */
  demo: object | null;
  /** Public addresses of this appliance. */
  ownUrls: readonly string[];
  sourceOf: (request: Request) => string;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** Where a sign-in comes from. */
export const originOf =
  (sourceOf: (request: Request) => string) =>
  (request: Request): SignInOrigin => ({
    source: sourceOf(request),
    deviceToken: deviceTokenOf(request),
    userAgent: request.headers.get("user-agent"),
  });

export function authRoutes(deps: AuthRouteDeps) {
  const { guard, sessions, signIn, setup, organisations, people, isSecure, demoEmail, demo, ownUrls } = deps;
  const { sourceOf, telephony, passwordLinks, directories } = deps;
  const origin = originOf(sourceOf);
  return new Elysia({ name: "dashboard-auth" })
    .use(guard)
    .get(
      "/dashboard/api/welcome",
      async ({ request }) => {
        const token = sessionTokenOf(request);
        const state = token === null ? "ended" : await sessions.stateOf(token);
        return {
          needs_setup: await setup.isEmpty(),
          demo: demoEmail !== null,
          sends_mail: passwordLinks.isSetUp,
          directories: directories.shown(),
          signed_in: state !== "ended",
          locked: state === "locked",
        };
      },
      { role: "nobody" },
    )
    .post(
      "/dashboard/api/login",
      async ({ body, set, request }) => {
        const admitted = await signIn.signIn(body.email, body.password, origin(request));
        if (admitted.next === "open") {
          set.headers["set-cookie"] = openedCookies(admitted.opened, isSecure);
          return { ok: true, next: admitted.next, ways: null };
        }
        set.headers["set-cookie"] = ticketCookie(admitted.ticket, isSecure);
        return { ok: true, next: admitted.next, ways: admitted.ways };
      },
      { role: "nobody", body: Type.Object({ email: text(254), password: text(200) }) },
    )
    .post(
      "/dashboard/api/demo-login",
      async ({ set, request }) => {
        if (demoEmail === null) throw new AppError("NOT_FOUND", "This is not a demo.");
        // The demo has no password, so this check keeps out pages of other sites (DNS rebinding).
        if (!isOwnHost(request.headers.get("host") ?? new URL(request.url).host, ownUrls)) {
          throw new AppError("UNAUTHORIZED", "Open the demo at localhost, or at the address set as base_url.");
        }
        const opened = await sessions.openFor(demoEmail, origin(request), { method: "demo" });
        set.headers["set-cookie"] = openedCookies(opened, isSecure);
        return { ok: true };
      },
      { role: "nobody" },
    )
    .post(
      "/dashboard/api/setup",
      async ({ body, set, request }) => {
        const { code, organisation, time_zone, email, name, password } = body;
        // There is no rate limit, so an attacker cannot lock out the holder of the code. The code has 144 random bits,
        // and a wrong one costs one SHA-256 and one read.
        await setup.redeemCode(code, { organisation, timeZone: time_zone, email, name, password }, SYSTEM_ACTOR);
        const opened = await sessions.openFor(email, origin(request), { method: "setup" });
        set.headers["set-cookie"] = openedCookies(opened, isSecure);
        return { ok: true };
      },
      {
        role: "nobody",
        body: Type.Object({
          code: text(100),
          organisation: text(200),
          time_zone: text(64),
          email: text(254),
          name: text(100),
          password: text(200),
        }),
      },
    )
    .post(
      "/dashboard/api/logout",
      async ({ request, set }) => {
        const token = sessionTokenOf(request);
        if (token !== null) await sessions.signOut(token);
        set.headers["set-cookie"] = endedCookie(isSecure);
        return { ok: true };
      },
      { role: "nobody" },
    )
    .post(
      "/dashboard/api/lock",
      async ({ request }) => {
        const token = sessionTokenOf(request);
        if (token !== null) await sessions.lock(token);
        return { ok: true };
      },
      { role: "nobody" },
    )
    .post(
      "/dashboard/api/unlock",
      async ({ request, body }) => {
        const token = sessionTokenOf(request);
        if (token === null) throw new AppError("UNAUTHORIZED", "You are not signed in, or your session has ended.");
        await sessions.unlock(token, body.password, sourceOf(request));
        return { ok: true };
      },
      { role: "nobody", body: Type.Object({ password: text(200) }) },
    )
    .put(
      "/dashboard/api/account/language",
      async ({ session, actor, body }) => {
        await people.setLanguage(session.organisationId, session.email, body.language, actor);
        return { ok: true };
      },
      { role: "viewer", body: Type.Object({ language: nullable(text(35)) }) },
    )
    .post(
      "/dashboard/api/password",
      async ({ session, actor, body, set, request }) => {
        const person = await sessions.assertPassword(session.email, body.current, sourceOf(request));
        // Ends every session including this one. The client has just proved the password, so it gets a new session.
        await people.setPassword(session.organisationId, session.email, body.password, actor, person);
        const { method, factor } = session;
        const opened = await sessions.openFor(session.email, origin(request), { method, factor });
        set.headers["set-cookie"] = openedCookies(opened, isSecure);
        return { ok: true };
      },
      { role: "viewer", body: Type.Object({ current: text(200), password: text(200) }) },
    )
    .get(
      "/dashboard/api/session",
      async ({ session }) => {
        const organisation = await organisations.get(session.organisationId);
        return {
          person: {
            person_id: session.personId,
            email: session.email,
            name: session.name,
            role: session.role,
            language: session.language,
            is_emergency: session.method === "break_glass",
            /** Bound to branches: pages about the whole organisation are closed. */
            is_bound: session.reach?.kind === "branches",
          },
          simulated: telephony.isSimulated,
          demo: demo !== null,
          organisation: {
            organisation_id: organisation.id,
            name: organisation.name,
            plan: organisation.plan,
            time_zone: organisation.time_zone,
            idle_lock_minutes: organisation.idle_lock_minutes,
          },
        };
      },
      { role: "viewer" },
    );
}
