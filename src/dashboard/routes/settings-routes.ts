// Settings: organisation, plan and usage, sharing, people, backup and health.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Credits } from "../../accounts/credits.ts";
import type { KeyService } from "../../accounts/key-service.ts";
import { editedOf, type OrganisationService } from "../../accounts/organisation-service.ts";
import type { PasswordLinks } from "../../accounts/password-links.ts";
import type { Directories } from "../../accounts/directories/directories.ts";
import type { PersonService } from "../../accounts/person-service.ts";
import type { Config } from "../../config/schema.ts";
import { versioned } from "../../core/entity-tag.ts";
import { nullable } from "../../core/schema.ts";
import type { Database } from "../../db/database.ts";
import type { KeptBackups } from "../../db/kept-backups/kept-backups.ts";
import type { EndpointService } from "../../events/endpoint-service.ts";
import type { HookService } from "../../hooks/service.ts";
import type { Readiness } from "../../http/health.ts";
import type { ShareService } from "../../media/share-service.ts";
import { checkedRecordingMode } from "../../rules/recording-mode.ts";
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
  directories: Directories;
  passwordLinks: PasswordLinks;
  credits: Credits;
  overview: Overview;
  keys: KeyService;
  endpoints: EndpointService;
  hooks: HookService;
  shares: ShareService;
  backups: Backups;
  keptBackups: Pick<KeptBackups, "view">;
  readiness: () => Promise<Readiness>;
}

const text = (maxLength: number) => Type.String({ maxLength });
/** What a person may see beyond their role. */
const Bounds = {
  branches: Type.Optional(nullable(Type.Array(text(36), { maxItems: 200 }))),
  practitioner_id: Type.Optional(nullable(text(200))),
};
const CREDIT_ENTRIES_SHOWN = 20;

export function settingsRoutes(deps: SettingsRouteDeps) {
  const {
    guard,
    config,
    db,
    organisations,
    people,
    directories,
    passwordLinks,
    credits,
    overview,
    keys,
    endpoints,
    hooks,
    shares,
    backups,
    keptBackups,
    readiness,
  } = deps;
  return new Elysia({ name: "dashboard-settings" })
    .use(guard)
    .get(
      "/dashboard/api/settings",
      async ({ session: { organisationId, reach } }) => {
        const organisation = await organisations.get(organisationId);
        const limits = organisations.limits(organisation.plan);
        const hook = await hooks.status(organisationId);
        return {
          organisation: {
            ...versioned(editedOf(organisation)),
            plan: organisation.plan,
            idle_lock_minutes: organisation.idle_lock_minutes,
            second_factor_roles: organisation.second_factor_roles,
          },
          credits: { unlimited: organisation.unlimited_credits, balance: organisation.credit_balance },
          limits,
          use: {
            api_keys: (await keys.list(organisationId)).filter(({ status }) => status === "active").length,
            webhook_endpoints: await endpoints.count(organisationId),
            inbound_daily_quota: hook?.quota_used ?? 0,
            concurrent_calls: await overview.liveCalls(organisationId, reach),
          },
          // Each names a call, which may be of another branch.
          credit_entries: reach ? [] : await credits.recent(organisationId, CREDIT_ENTRIES_SHOWN),
          sharing: await shares.status(organisationId),
          retention_days: config.retention.days,
          recordings: config.recordings,
          /** People can be invited by e-mail. */
          sends_mail: passwordLinks.isSetUp,
          /** Places where copies of erased data may remain. */
          erasure_leaves: db.maintenance.leftByErasure,
        };
      },
      { role: "viewer" },
    )
    .patch(
      "/dashboard/api/settings/organisation",
      async ({ session, actor, body }) => {
        const { name, time_zone: timeZone, callback_number: callbackNumber, recording_mode: mode } = body;
        const change = {
          ...(name !== undefined && { name }),
          ...(timeZone !== undefined && { timeZone }),
          ...(callbackNumber !== undefined && { callbackNumber }),
          ...(mode !== undefined && { recordingMode: checkedRecordingMode(mode) }),
        };
        await organisations.change(session.organisationId, change, actor);
        return { ok: true };
      },
      {
        role: "owner",
        body: Type.Object({
          name: Type.Optional(text(200)),
          time_zone: Type.Optional(text(64)),
          callback_number: Type.Optional(nullable(text(30))),
          recording_mode: Type.Optional(nullable(text(20))),
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
    .get(
      "/dashboard/api/people",
      async ({ session, actor }) => {
        const rows = await people.list(session.organisationId, actor);
        const kinds = await directories.kindsOf(rows.map(({ person_id }) => person_id));
        const comesFrom = (id: string) => {
          const kind = kinds.get(id);
          return kind === undefined ? null : directories.nameOf(kind);
        };
        // Who has no second factor is for owners, and who sees what for auditors too.
        const isOwner = session.role === "owner";
        const seesAll = isOwner || session.role === "auditor";
        const hidden = seesAll ? {} : { branches: null, practitioner_id: null };
        // The address of the emergency account is half of its secret.
        const shown = seesAll ? rows : rows.filter(({ is_emergency }) => !is_emergency);
        return shown.map((row) => ({
          ...row,
          ...hidden,
          second_factor: isOwner ? row.second_factor : null,
          comes_from: comesFrom(row.person_id),
        }));
      },
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/people",
      ({ session: { organisationId }, actor, body: { password, ...person } }) =>
        password === undefined
          ? people.createInvited(organisationId, person, actor, (tx, id) => passwordLinks.inviteWithin(tx, id, actor))
          : people.create(organisationId, { ...person, password }, actor),
      {
        role: "owner",
        // Without a password, the person gets an e-mail with a link to set one.
        body: Type.Object({
          email: text(254),
          name: text(100),
          role: text(10),
          password: Type.Optional(text(200)),
          ...Bounds,
        }),
      },
    )
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
          ...Bounds,
          // As the page shows the person. The change is refused if it is no longer so.
          before: Type.Optional(
            Type.Object({
              role: text(10),
              branches: Type.Array(text(36), { maxItems: 200 }),
              practitioner_id: nullable(text(200)),
            }),
          ),
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
        kept_backups: keptBackups.view(),
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
