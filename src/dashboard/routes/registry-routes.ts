// Registry results: import in parts, summary, export.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { SCRUB_LINES_AT_ONCE } from "../../payloads/scrub-lines.ts";
import { registryFile } from "../../rules/registry/routes.ts";
import type { RegistryService } from "../../rules/registry/service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface RegistryRouteDeps {
  guard: SessionGuard;
  registry: RegistryService;
}

const text = (maxLength: number) => Type.String({ maxLength });

export function registryRoutes({ guard, registry }: RegistryRouteDeps) {
  return new Elysia({ name: "dashboard-registry" })
    .use(guard)
    .get("/dashboard/api/registry", ({ session }) => registry.scrubs(session.organisationId), { role: "viewer" })
    .get(
      "/dashboard/api/registry/export",
      ({ session, actor }) => registryFile(registry, session.organisationId, actor),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/registry",
      ({ session, actor, body: { registry: name, scrubbed_on, results } }) =>
        registry.importPart(session.organisationId, { registry: name, scrubbedOn: scrubbed_on, results }, actor),
      {
        role: "staff",
        body: Type.Object({
          registry: text(60),
          scrubbed_on: text(10),
          results: Type.Array(Type.Object({ number: text(40), verdict: text(20) }), {
            minItems: 1,
            maxItems: SCRUB_LINES_AT_ONCE,
          }),
        }),
      },
    );
}
