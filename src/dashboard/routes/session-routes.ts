// Open sessions, one's own and for owners those of others; the reset of another person's second factor; and the
// emergency account.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { BreakGlassService } from "../../accounts/break-glass-service.ts";
import type { Directories } from "../../accounts/directories/directories.ts";
import type { FactorService } from "../../accounts/factor-service.ts";
import type { OrganisationService } from "../../accounts/organisation-service.ts";
import type { SessionList } from "../../accounts/session-list.ts";
import type { Session, SessionService } from "../../accounts/session-service.ts";
import { toIso } from "../../core/clock.ts";
import { sessionTokenOf } from "../session-cookie.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface SessionRouteDeps {
  guard: SessionGuard;
  sessions: SessionService;
  sessionList: SessionList;
  factors: FactorService;
  breakGlass: BreakGlassService;
  directories: Directories;
  organisations: OrganisationService;
  sourceOf: (request: Request) => string;
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const ByEmail = Type.Object({ email: text(254) });
const ById = Type.Object({ id: text(64) });
const OWN = "/dashboard/api/account/sessions";
const OTHERS = "/dashboard/api/people/:email";
const EMERGENCY = "/dashboard/api/settings/break-glass";

export function sessionRoutes(deps: SessionRouteDeps) {
  const { guard, sessions, sessionList, factors, breakGlass, directories, organisations, sourceOf } = deps;
  const ownOf = (request: Request, { organisationId, personId }: Session) => ({
    organisationId,
    personId,
    present: sessions.fingerprintOf(sessionTokenOf(request) ?? ""),
  });

  const own = new Elysia({ name: "dashboard-own-sessions" })
    .use(guard)
    .get(OWN, ({ session, actor, request }) => sessionList.list(ownOf(request, session), actor), { role: "viewer" })
    .post(
      `${OWN}/:id/end`,
      async ({ session, actor, params, request }) => {
        await sessionList.end(ownOf(request, session), params.id, actor);
        return { ok: true };
      },
      { role: "viewer", params: ById },
    )
    .post(
      `${OWN}/end-others`,
      async ({ session, actor, request }) => ({
        ended: await sessionList.endOthers(ownOf(request, session), actor),
      }),
      { role: "viewer" },
    )
    .post(
      `${OWN}/:id/recognise`,
      async ({ session, params, request }) => {
        await sessionList.recognise(ownOf(request, session), params.id);
        return { ok: true };
      },
      { role: "viewer", params: ById },
    )
    /** Notices above every page. */
    .get(
      "/dashboard/api/account/notices",
      async ({ session, request }) => ({
        break_glass: await breakGlass.openUse(session.organisationId),
        silent_directory: silenceOf(await directories.noticeOf(session.personId)),
        new_sessions: (await sessionList.unrecognised(ownOf(request, session))).length,
      }),
      { role: "viewer" },
    );

  const others = new Elysia({ name: "dashboard-others-sessions" })
    .use(guard)
    .get(
      `${OTHERS}/sessions`,
      async ({ session, actor, params }) =>
        sessionList.list(await sessionList.holderOf(session.organisationId, params.email), actor),
      { role: "owner", params: ByEmail },
    )
    .post(
      `${OTHERS}/sessions/:id/end`,
      async ({ session, actor, params }) => {
        await sessionList.end(await sessionList.holderOf(session.organisationId, params.email), params.id, actor);
        return { ok: true };
      },
      { role: "owner", params: Type.Object({ email: text(254), id: text(64) }) },
    )
    .post(
      `${OTHERS}/sessions/end`,
      async ({ session, actor, params, request }) => {
        const holder = await sessionList.holderOf(session.organisationId, params.email);
        const own = holder.personId === session.personId ? ownOf(request, session) : holder;
        return { ended: await sessionList.endOthers(own, actor) };
      },
      { role: "owner", params: ByEmail },
    )
    .post(
      `${OTHERS}/reset-factor`,
      async ({ session, actor, params }) => {
        await factors.reset(session.organisationId, params.email, session.personId, actor);
        return { ok: true };
      },
      { role: "owner", params: ByEmail },
    );

  const emergency = new Elysia({ name: "dashboard-break-glass" })
    .use(guard)
    .put(
      "/dashboard/api/settings/second-factor",
      async ({ session, actor, body }) => {
        await organisations.setSecondFactor(session.organisationId, body.roles, actor);
        return { ok: true };
      },
      { role: "owner", body: Type.Object({ roles: Type.Array(text(20), { maxItems: 10 }) }) },
    )
    .get(EMERGENCY, async ({ session }) => ({ account: await breakGlass.view(session.organisationId) }), {
      role: "owner",
    })
    .post(
      `${EMERGENCY}/seal`,
      async ({ session, actor, request, body }) => {
        await sessions.assertPassword(session.email, body.password, sourceOf(request), "password");
        return breakGlass.seal(session.organisationId, actor);
      },
      { role: "owner", body: Type.Object({ password: text(200) }) },
    )
    .post(
      `${EMERGENCY}/acknowledge`,
      async ({ session, actor, body }) => {
        await breakGlass.acknowledge(session.organisationId, body.reason, actor);
        return { ok: true };
      },
      { role: "owner", body: Type.Object({ reason: text(500) }) },
    );

  return new Elysia({ name: "dashboard-sessions" }).use(own).use(others).use(emergency);
}

function silenceOf(notice: { name: string; endsAt: number } | null) {
  return notice && { name: notice.name, ends_at: toIso(notice.endsAt) };
}
