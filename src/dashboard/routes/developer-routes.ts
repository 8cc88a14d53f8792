// Routes for integrators: API keys, webhook endpoints with their deliveries, and the inbound hook.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { KeyService } from "../../accounts/key-service.ts";
import { ALL_SCOPES, SCOPES } from "../../payloads/scopes.ts";
import type { Config } from "../../config/schema.ts";
import { invalidField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { nullable } from "../../core/schema.ts";
import { EVENT_TYPES, EVENTS } from "../../events/catalogue.ts";
import type { DeliveryService } from "../../events/delivery-service.ts";
import type { EndpointService } from "../../events/endpoint-service.ts";
import { DELIVERY_STATES } from "../../events/records.ts";
import type { HookService } from "../../hooks/service.ts";
import { decodeCursor, encodeCursor } from "../../core/pages.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DeveloperRouteDeps {
  guard: SessionGuard;
  keys: KeyService;
  endpoints: EndpointService;
  deliveries: DeliveryService;
  hooks: HookService;
  config: Config;
}

const text = (maxLength: number) => Type.String({ maxLength });
const id = Type.Object({ id: Type.String({ maxLength: 64 }) });
const EndpointBody = Type.Object({
  url: text(2_048),
  description: Type.Optional(text(200)),
  event_types: Type.Array(text(50), { maxItems: 20 }),
  signing: Type.Optional(Type.Boolean()),
});
const TimeRange = Type.Object({ from: text(40), to: text(40) });
const DELIVERIES_PER_PAGE = 50;

export function developerRoutes({ guard, keys, endpoints, deliveries, hooks, config }: DeveloperRouteDeps) {
  return new Elysia({ name: "dashboard-developers" })
    .use(guard)
    .get(
      "/dashboard/api/developers/catalogue",
      () => ({
        base_url: config.base_url,
        scopes: SCOPES,
        events: EVENT_TYPES.map((type) => ({ type, fired_when: EVENTS[type].firedWhen })),
      }),
      { role: "viewer" },
    )
    .get("/dashboard/api/keys", ({ session }) => keys.list(session.organisationId), { role: "staff" })
    .post(
      "/dashboard/api/keys",
      ({ session, actor, body: { name, scopes, expires_at } }) =>
        keys.create(
          session.organisationId,
          { name, scopes, expiresAt: expires_at ? instant("expires_at", expires_at) : null },
          actor,
        ),
      {
        role: "owner",
        body: Type.Object({
          name: text(100),
          scopes: Type.Array(text(50), { maxItems: ALL_SCOPES.length }),
          expires_at: Type.Optional(nullable(text(40))),
        }),
      },
    )
    .delete(
      "/dashboard/api/keys/:id",
      async ({ session, actor, params }) => {
        await keys.revoke(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "owner", params: id },
    )
    .get("/dashboard/api/endpoints", ({ session }) => endpoints.list(session.organisationId), { role: "staff" })
    .post(
      "/dashboard/api/endpoints",
      ({ session, actor, body: { event_types, ...rest } }) =>
        endpoints.create(session.organisationId, { ...rest, eventTypes: event_types }, actor),
      { role: "owner", body: EndpointBody },
    )
    .patch(
      "/dashboard/api/endpoints/:id",
      ({ session, actor, params, body: { event_types, ...rest } }) =>
        endpoints.update(
          session.organisationId,
          params.id,
          { ...rest, ...(event_types === undefined ? {} : { eventTypes: event_types }) },
          actor,
        ),
      { role: "owner", params: id, body: Type.Partial(EndpointBody) },
    )
    .delete(
      "/dashboard/api/endpoints/:id",
      async ({ session, actor, params }) => {
        await endpoints.remove(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "owner", params: id },
    )
    .post(
      "/dashboard/api/endpoints/:id/rotate",
      ({ session, actor, params }) => endpoints.rotateSecret(session.organisationId, params.id, actor),
      {
        role: "owner",
        params: id,
      },
    )
    .post(
      "/dashboard/api/endpoints/:id/enable",
      ({ session, actor, params, body }) => endpoints.enable(session.organisationId, params.id, body.send_held, actor),
      { role: "owner", params: id, body: Type.Object({ send_held: Type.Boolean() }) },
    )
    .post(
      "/dashboard/api/endpoints/:id/disable",
      async ({ session, actor, params }) => {
        await endpoints.disable(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "owner", params: id },
    )
    .post(
      "/dashboard/api/endpoints/:id/test",
      async ({ session, actor, params }) => ({
        delivery_id: await deliveries.sendTest(session.organisationId, params.id, actor),
      }),
      { role: "staff", params: id },
    )
    .get(
      "/dashboard/api/deliveries",
      async ({ session, query }) => {
        const rows = await deliveries.list({
          organisationId: session.organisationId,
          endpointId: query.endpoint_id,
          state: query.state === undefined ? undefined : deliveryState(query.state),
          before: query.cursor === undefined ? undefined : decodeCursor(query.cursor, query),
          limit: DELIVERIES_PER_PAGE + 1,
        });
        const page = rows.slice(0, DELIVERIES_PER_PAGE);
        const last = page.at(-1);
        const isMore = rows.length > DELIVERIES_PER_PAGE && last;
        return {
          data: page,
          next_cursor: isMore
            ? encodeCursor({ createdAt: Date.parse(last.created_at), id: last.delivery_id }, query)
            : null,
        };
      },
      {
        role: "staff",
        query: Type.Object({
          endpoint_id: Type.Optional(text(64)),
          state: Type.Optional(text(20)),
          cursor: Type.Optional(text(200)),
        }),
      },
    )
    .get(
      "/dashboard/api/deliveries/:id",
      async ({ session, actor, params }) => {
        const { request, ...rest } = await deliveries.inspect(session.organisationId, params.id, actor);
        // As text, so that the page shows exactly what was sent. A client might parse its dates.
        return {
          ...rest,
          event_id: request.event_id,
          event_type: request.event_type,
          body: JSON.stringify(request, null, 2),
        };
      },
      { role: "staff", params: id },
    )
    .post(
      "/dashboard/api/deliveries/:id/replay",
      async ({ session, actor, params }) => {
        await deliveries.replay(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    )
    .post(
      "/dashboard/api/endpoints/:id/replay",
      async ({ session, actor, params, body }) => ({
        count: await deliveries.replayRange(
          session.organisationId,
          params.id,
          { from: parseIsoTime("from", body.from), to: parseIsoTime("to", body.to) },
          actor,
        ),
      }),
      { role: "staff", params: id, body: TimeRange },
    )
    .get(
      "/dashboard/api/endpoints/:id/range",
      ({ session, params, query }) =>
        deliveries.countRange(session.organisationId, params.id, {
          from: parseIsoTime("from", query.from),
          to: parseIsoTime("to", query.to),
        }),
      { role: "staff", params: id, query: TimeRange },
    )
    .get("/dashboard/api/hook", async ({ session }) => ({ hook: await hooks.status(session.organisationId) }), {
      role: "staff",
    })
    .post(
      "/dashboard/api/hook/regenerate",
      async ({ session, actor }) => {
        const hook = await hooks.regenerate(session.organisationId, actor);
        return { url: hook.url, signing_secret: hook.signingSecret };
      },
      { role: "owner" },
    )
    .put(
      "/dashboard/api/hook/signature",
      async ({ session, actor, body }) => {
        await hooks.requireSignature(session.organisationId, body.required, actor);
        return { ok: true };
      },
      { role: "owner", body: Type.Object({ required: Type.Boolean() }) },
    );
}

function instant(field: string, value: string | null): number | null {
  return value === null ? null : parseIsoTime(field, value);
}

function deliveryState(value: string) {
  const state = DELIVERY_STATES.find((known) => known === value);
  if (!state) throw invalidField("state", `state must be one of ${DELIVERY_STATES.join(", ")}.`);
  return state;
}
