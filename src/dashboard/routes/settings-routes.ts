// Settings: organisation, plan and usage, sharing, people, backup and health.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Credits } from "../../accounts/credits.ts";
import type { KeyService } from "../../accounts/key-service.ts";
import type { OrganisationService } from "../../accounts/organisation-service.ts";
import type { PersonService } from "../../accounts/person-service.ts";
import type { Config } from "../../config/schema.ts";
import { nullable } from "../../core/schema.ts";
import type { Database } from "../../db/database.ts";
import type { EndpointService } from "../../events/endpoint-service.ts";
import type { HookService } from "../../hooks/service.ts";
import type { Readiness } from "../../http/health.ts";
import type { ShareService } from "../../media/share-service.ts";
import { VERSION } from "../../core/version.ts";
import type { Backups } from "../backups.ts";
import type { Overview } from "../overview.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface SettingsRouteDeps {
  guard: SessionGuard;
  config: Config;
  db: Database;
  organisations: OrganisationService;
  people: PersonService;
  credits: Credits;
  overview: Overview;
  keys: KeyService;
  endpoints: EndpointService;
  hooks: HookService;
  shares: ShareService;
  backups: Backups;
  readiness: () => Promise<Readiness>;
}

const text = (maxLength: number) => Type.String({ maxLength });
const CREDIT_ENTRIES_SHOWN = 20;

export function settingsRoutes(deps: SettingsRouteDeps) {
  const {
    guard,
    config,
    db,
    organisations,
    people,
    credits,
    overview,
    keys,
    endpoints,
    hooks,
    shares,
    backups,
    readiness,
  } = deps;
  return new Elysia({ name: "dashboard-settings" })
    .use(guard)
    .get(
      "/dashboard/api/settings",
      async ({ session: { organisationId } }) => {
        const organisation = await organisations.get(organisationId);
        const limits = organisations.limits(organisation.plan);
        const hook = await hooks.status(organisationId);
        return {
          organisation: {
            name: organisation.name,
            time_zone: organisation.time_zone,
            plan: organisation.plan,
            idle_lock_minutes: organisation.idle_lock_minutes,
            callback_number: organisation.callback_number,
          },
          credits: { unlimited: organisation.unlimited_credits, balance: organisation.credit_balance },
          limits,
          use: {
            api_keys: (await keys.list(organisationId)).filter(({ status }) => status === "active").length,
            webhook_endpoints: await endpoints.count(organisationId),
            inbound_daily_quota: hook?.quota_used ?? 0,
            concurrent_calls: await overview.liveCalls(organisationId),
          },
          credit_entries: await credits.recent(organisationId, CREDIT_ENTRIES_SHOWN),
          sharing: await shares.status(organisationId),
          retention_days: config.retention.days,
          /** Places where copies of erased data may remain. */
          erasure_leaves: db.maintenance.leftByErasure,
        };
      },
      { role: "viewer" },
    )
    .patch(
      "/dashboard/api/settings/organisation",
      async ({ session, actor, body }) => {
        const { name, time_zone: timeZone, callback_number: callbackNumber } = body;
        await organisations.change(
          session.organisationId,
          { name, timeZone, ...(callbackNumber !== undefined && { callbackNumber }) },
          actor,
        );
        return { ok: true };
      },
      {
        role: "owner",
        body: Type.Object({
          name: text(200),
          time_zone: text(64),
          callback_number: Type.Optional(nullable(text(30))),
        }),
      },
    )
    .put(
      "/dashboard/api/settings/idle-lock",
      async ({ session, actor, body }) => {
        await organisations.setIdleLock(session.organisationId, body.idle_lock_minutes, actor);
        return { ok: true };
      },
      { role: "owner", body: Type.Object({ idle_lock_minutes: Type.Integer() }) },
    )
    .put(
      "/dashboard/api/settings/sharing",
      async ({ session, actor, body }) => {
        await shares.configure(session.organisationId, body, actor);
        return shares.status(session.organisationId);
      },
      { role: "owner", body: Type.Object({ enabled: Type.Boolean(), expiry: text(10) }) },
    )
    .get("/dashboard/api/people", ({ session, actor }) => people.list(session.organisationId, actor), {
      role: "viewer",
    })
    .post("/dashboard/api/people", ({ session, actor, body }) => people.create(session.organisationId, body, actor), {
      role: "owner",
      body: Type.Object({ email: text(254), name: text(100), role: text(10), password: text(200) }),
    })
    .patch(
      "/dashboard/api/people/:email",
      async ({ session, actor, params, body }) => {
        await people.changeAccess(session.organisationId, params.email, body, session.personId, actor);
        return { ok: true };
      },
      {
        role: "owner",
        params: Type.Object({ email: text(254) }),
        body: Type.Object({
          role: Type.Optional(text(10)),
          enabled: Type.Optional(Type.Boolean()),
          password: Type.Optional(text(200)),
        }),
      },
    )
    .put(
      "/dashboard/api/people/:email/name",
      async ({ session, actor, params, body }) => {
        await people.rename(session.organisationId, params.email, body, actor);
        return { ok: true };
      },
      {
        role: "owner",
        params: Type.Object({ email: text(254) }),
        body: Type.Object({ name: text(100), email: text(254) }),
      },
    )
    .get(
      "/dashboard/api/health",
      // The reason of a failed backup may contain local paths, so only owners get it.
      async ({ session }) => ({
        version: VERSION,
        ...(await readiness()),
        backup: session.role === "owner" ? backups.status() : null,
      }),
      { role: "viewer" },
    )
    .post("/dashboard/api/backup", ({ session, actor }) => backups.begin(session.organisationId, actor), {
      role: "owner",
    })
    .get("/dashboard/api/backup/file", ({ session, actor }) => backups.file(session.organisationId, actor), {
      role: "owner",
    });
}
