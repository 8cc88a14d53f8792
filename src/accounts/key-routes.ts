// API routes of API keys.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  CreatedKeySchema,
  CreateClientSchema,
  CreateKeySchema,
  KeyAnswerSchema,
  KeyListSchema,
  ListKeysQuery,
  RevokedKeySchema,
  type CreatedKey,
  type KeyView,
} from "./key-model.ts";
import type { KeyGrants } from "./key-grants.ts";

const keyId = Type.Object({ key_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[], more: object = {}) => ({
  tags: ["API keys"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const CREATE_EXAMPLE = { name: "Hospital information system", scopes: ["calls:create", "calls:read"] };

const CLIENT_EXAMPLE = {
  name: "Hospital information system",
  scopes: ["appointments:read", "appointments:write"],
  jwks: {
    keys: [
      {
        kty: "EC",
        kid: "his-2026",
        crv: "P-384",
        x: "81CGhrAZuqf1VBrtpWTqRSn9b4HpX7qXgNtmaHxyeZZALadcnTQ7EcinOPH0MbER",
        y: "jpPk726YF8T8CazSWWeMgCh_IqStY5HGsORFf4nk-12ZDN5alcv98Ep-BWOqJqP1",
      },
    ],
  },
};

export function keyRoutes(guard: Guard, keys: KeyGrants) {
  return new Elysia({ name: "api-keys" })
    .use(guard)
    .get("/v1/api-keys", ({ principal, query }) => keys.page(principal.organisationId, query), {
      scope: "keys:read",
      query: ListKeysQuery,
      answers: { 200: KeyListSchema },
      detail: detail("listApiKeys", "API keys, newest first", ["VALIDATION_ERROR"]),
    })
    .post(
      "/v1/api-keys",
      ({ principal, actor, body, once }) =>
        once(
          {
            status: 201,
            body: (data: CreatedKey): { data: KeyView & { key: string | null } } => ({ data }),
            repeated: (data) => ({ data: { ...data, key: null } }),
            subjectId: ({ key_id }) => key_id,
          },
          (alongside) => keys.create(principal, body, actor, alongside),
        ),
      {
        scope: "keys:write",
        creates: true,
        json: true,
        body: CreateKeySchema,
        answers: { 201: CreatedKeySchema },
        detail: detail("createApiKey", "Create an API key, which is shown once", ["PLAN_LIMIT_REACHED"], {
          description:
            "A key gives only scopes that it has itself, and no key lives longer than the key that created it. If the " +
            "answer was lost, revoke the key and create another.",
          "x-example": CREATE_EXAMPLE,
        }),
      },
    )
    .post(
      "/v1/smart-clients",
      ({ principal, actor, body, once }) =>
        once(
          {
            status: 201,
            body: ({ key: _never, ...data }: CreatedKey): { data: KeyView } => ({ data }),
            subjectId: ({ key_id }) => key_id,
          },
          (alongside) => keys.create(principal, body, actor, alongside),
        ),
      {
        scope: "keys:write",
        creates: true,
        json: true,
        body: CreateClientSchema,
        answers: { 201: KeyAnswerSchema },
        detail: detail("registerSmartClient", "Register a SMART backend service", ["PLAN_LIMIT_REACHED"], {
          description:
            "The client signs for access tokens of five minutes for FHIR with its private key. key_id is its " +
            "client_id. It is listed and revoked like an API key, and gets no more scopes than the key of this request.",
          "x-example": CLIENT_EXAMPLE,
        }),
      },
    )
    .get(
      "/v1/api-keys/:key_id",
      async ({ principal, params }) => ({ data: await keys.get(principal.organisationId, params.key_id) }),
      {
        scope: "keys:read",
        params: keyId,
        answers: { 200: KeyAnswerSchema },
        detail: detail("getApiKey", "One API key, without its secret", ["NOT_FOUND"]),
      },
    )
    .delete(
      "/v1/api-keys/:key_id",
      async ({ principal, actor, params }) => {
        await keys.revoke(principal, params.key_id, actor);
        return { data: { revoked: true as const } };
      },
      {
        scope: "keys:write",
        params: keyId,
        answers: { 200: RevokedKeySchema },
        detail: detail("revokeApiKey", "Revoke an API key, at once", ["NOT_FOUND"], {
          description: "A key revokes itself, and keys whose scopes it has itself.",
        }),
      },
    );
}
