// Model servers of an organisation: edit, test, and assign to agents.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ModelServerService } from "../../agents/model-servers/model-server-service.ts";
import { createTriedDefault, type TriedServer } from "../../agents/model-servers/tried-default.ts";
import type { Clock } from "../../core/clock.ts";
import { versioned } from "../../core/entity-tag.ts";
import { nullable } from "../../core/schema.ts";
import { tryServer } from "../../speech/servers/trial/server-trial.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface ModelServerRouteDeps {
  guard: SessionGuard;
  clock: Clock;
  modelServers: ModelServerService;
}

const text = (maxLength: number) => Type.String({ maxLength });
/** These lengths only bound the body. checked-server.ts validates the values. */
const ServerBody = Type.Object({
  // Omitted: unchanged. Null: removed.
  key: Type.Optional(nullable(text(1_000))),
  model: Type.Optional(text(400)),
  voice: Type.Optional(text(200)),
  languages: Type.Optional(Type.Array(text(40), { maxItems: 100 })),
  ca_pem: Type.Optional(nullable(text(65_536))),
  first_ms: Type.Optional(Type.Integer()),
  total_ms: Type.Optional(Type.Integer()),
  is_default: Type.Optional(Type.Boolean()),
});
const Named = Type.Object({ name: text(200), role: text(20), base_url: text(4_000) });
const id = Type.Object({ id: text(80) });
const choice = Type.Optional(nullable(text(80)));

const shown = ({ server, trial }: TriedServer) => ({ ...versioned(server), trial });

export function modelServerRoutes({ guard, clock, modelServers }: ModelServerRouteDeps) {
  const tried = createTriedDefault({ clock, modelServers });
  return new Elysia({ name: "dashboard-model-servers" })
    .use(guard)
    .get(
      "/dashboard/api/model-servers",
      async ({ session }) => (await modelServers.list(session.organisationId)).map(versioned),
      { role: "owner" },
    )
    .post(
      "/dashboard/api/model-servers",
      async ({ session, actor, body }) => shown(await tried.create(session.organisationId, body, actor)),
      { role: "owner", body: Type.Composite([Named, ServerBody]) },
    )
    .patch(
      "/dashboard/api/model-servers/:id",
      async ({ session, actor, params, body }) =>
        shown(await tried.update(session.organisationId, params.id, body, actor)),
      { role: "owner", params: id, body: Type.Composite([Type.Partial(Named), ServerBody]) },
    )
    .delete(
      "/dashboard/api/model-servers/:id",
      async ({ session, actor, params }) => {
        await modelServers.remove(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "owner", params: id },
    )
    .post(
      "/dashboard/api/model-servers/:id/try",
      async ({ session, actor, params }) =>
        tryServer({ clock, ...(await modelServers.forTrial(session.organisationId, params.id, actor)) }),
      { role: "owner", params: id },
    )
    .get(
      "/dashboard/api/agents/:id/servers",
      ({ session, params }) => modelServers.choices(session.organisationId, params.id),
      { role: "owner", params: id },
    )
    .put(
      "/dashboard/api/agents/:id/servers",
      ({ session, actor, params, body }) => modelServers.choose(session.organisationId, params.id, body, actor),
      { role: "owner", params: id, body: Type.Object({ language: choice, recognition: choice, voice: choice }) },
    );
}
