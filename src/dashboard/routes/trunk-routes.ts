// Trunks and their numbers: edit, and current state.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Session } from "../../accounts/session-service.ts";
import type { AgentService } from "../../agents/service.ts";
import type { Clock } from "../../core/clock.ts";
import { versioned, type Versioned } from "../../core/entity-tag.ts";
import { nullable } from "../../core/schema.ts";
import type { TrunkService } from "../../trunks/trunk-service.ts";
import { presentStates, type CarrierStatus } from "../../trunks/trunk-status.ts";
import { generalStateView, type TrunkStateView, type TrunkView } from "../../trunks/trunk-view.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface TelephonyStatus extends CarrierStatus {
  /** Null without a worker. */
  status(): WorkerStatus | null;
}

export interface WorkerStatus {
  worker: string;
  message: string | null;
  /** 99th percentile of the delay of outgoing audio. */
  lagP99Ms: number;
}

export interface TrunkRouteDeps {
  guard: SessionGuard;
  clock: Clock;
  trunks: TrunkService;
  agents: AgentService;
  telephony: TelephonyStatus;
}

/** Response of GET /dashboard/api/trunks. */
export interface TrunksAnswer {
  mode: TelephonyStatus["mode"];
  status: { worker: string; message: string | null; lag_p99_ms: number } | null;
  /** `state` is null if the appliance has not contacted the trunk yet. */
  trunks: (Versioned<TrunkView> & { state: TrunkStateView | null })[];
}

const text = (maxLength: number) => Type.String({ maxLength });
/** These lengths only bound the body. checked-trunk.ts validates the values. */
const TrunkBody = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  port: Type.Optional(Type.Integer()),
  transport: Type.Optional(text(10)),
  ca_pem: Type.Optional(nullable(text(65_536))),
  username: Type.Optional(nullable(text(200))),
  // Omitted: unchanged. Null: removed.
  secret: Type.Optional(nullable(text(400))),
  register: Type.Optional(Type.Boolean()),
  from_domain: Type.Optional(nullable(text(300))),
  from_user: Type.Optional(nullable(text(200))),
  identity_header: Type.Optional(text(40)),
  caller_id: Type.Optional(nullable(text(40))),
  number_format: Type.Optional(text(40)),
  dial_prefix: Type.Optional(text(40)),
  extensions: Type.Optional(Type.Array(text(200), { maxItems: 400 })),
  concurrent_calls: Type.Optional(Type.Integer()),
  calls_per_second: Type.Optional(Type.Number()),
  options_seconds: Type.Optional(Type.Integer()),
  symmetric_rtp: Type.Optional(Type.Boolean()),
  srtp: Type.Optional(text(10)),
  codecs: Type.Optional(Type.Array(text(10), { maxItems: 10 })),
  allowed_prefixes: Type.Optional(Type.Array(text(40), { maxItems: 200 })),
});
const Named = Type.Object({ name: text(200), host: text(300) });
const id = Type.Object({ id: text(64) });

export function trunkRoutes({ guard, clock, trunks, agents, telephony }: TrunkRouteDeps) {
  async function overview({ organisationId, role }: Session): Promise<TrunksAnswer> {
    const shown = (state: TrunkStateView | null) => (state && role !== "owner" ? generalStateView(state) : state);
    const stateOf = await presentStates(organisationId, { clock, trunks, telephony });
    const views = await trunks.list(organisationId);
    const status = telephony.status();
    return {
      mode: telephony.mode,
      status: status && { worker: status.worker, message: status.message, lag_p99_ms: status.lagP99Ms },
      trunks: views.map((view) => ({
        ...versioned(view),
        state: shown(stateOf(view.trunk_id) ?? null),
      })),
    };
  }

  return new Elysia({ name: "dashboard-trunks" })
    .use(guard)
    .get("/dashboard/api/trunks", ({ session }) => overview(session), { role: "viewer" })
    .post(
      "/dashboard/api/trunks",
      async ({ session, actor, body }) => versioned(await trunks.create(session.organisationId, body, actor)),
      {
        role: "owner",
        body: Type.Composite([Named, TrunkBody]),
      },
    )
    .patch(
      "/dashboard/api/trunks/:id",
      async ({ session, actor, params, body }) =>
        versioned(await trunks.update(session.organisationId, params.id, body, actor)),
      { role: "owner", params: id, body: Type.Composite([Type.Partial(Named), TrunkBody]) },
    )
    .delete(
      "/dashboard/api/trunks/:id",
      async ({ session, actor, params }) => {
        await trunks.remove(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "owner", params: id },
    )
    .post(
      "/dashboard/api/trunks/:id/capture",
      ({ session, actor, params, body }) => trunks.setCapture(session.organisationId, params.id, body.minutes, actor),
      { role: "owner", params: id, body: Type.Object({ minutes: Type.Integer() }) },
    )
    .put(
      "/dashboard/api/numbers/:number/trunk",
      async ({ session, actor, params, body }) => {
        await agents.setTrunk(session.organisationId, params.number, body.trunk_id, actor);
        return { ok: true };
      },
      {
        role: "owner",
        params: Type.Object({ number: text(20) }),
        body: Type.Object({ trunk_id: nullable(text(64)) }),
      },
    );
}
