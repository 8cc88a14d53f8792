// GET /v1/me: identity, scopes and limits of a key. Integrators and no-code tools use it to test credentials.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { PLAN_NAMES } from "../config/schema.ts";
import { oneOf } from "../core/schema.ts";
import type { Guard } from "../http/guard.ts";
import { ALL_SCOPES } from "../payloads/scopes.ts";
import type { OrganisationService } from "./organisation-service.ts";

const LimitSchema = Type.Union([Type.Integer(), Type.Literal("unlimited")]);

const Me = Type.Object({
  data: Type.Object({
    organisation_id: Type.String(),
    organisation_name: Type.String(),
    plan: oneOf(PLAN_NAMES),
    time_zone: Type.String(),
    key_id: Type.String(),
    scopes: Type.Array(oneOf(ALL_SCOPES)),
    limits: Type.Object({
      api_keys: LimitSchema,
      webhook_endpoints: LimitSchema,
      inbound_daily_quota: LimitSchema,
      requests_per_minute: LimitSchema,
      concurrent_calls: LimitSchema,
    }),
  }),
});

export function accountRoutes(guard: Guard, organisations: OrganisationService) {
  return new Elysia({ name: "accounts" }).use(guard).get(
    "/v1/me",
    async ({ principal }) => {
      const organisation = await organisations.get(principal.organisationId);
      return {
        data: {
          organisation_id: organisation.id,
          organisation_name: organisation.name,
          plan: organisation.plan,
          time_zone: organisation.time_zone,
          key_id: principal.keyId,
          scopes: [...principal.scopes],
          limits: principal.limits,
        },
      };
    },
    {
      scope: "any",
      answers: { 200: Me },
      detail: { tags: ["Account"], summary: "What this key is and may do", operationId: "getMe" },
    },
  );
}
