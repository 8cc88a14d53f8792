// API schemas of API keys.
import { Type, type Static } from "@sinclair/typebox";
import { visibleName } from "../core/names.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { ALL_SCOPES } from "../payloads/scopes.ts";
import { MOST_JWKS } from "./jwks.ts";

const KEY_STATUSES = ["active", "expired", "revoked"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

const scope = oneOf(ALL_SCOPES);

export const CreateKeySchema = Type.Object({
  name: visibleName(100),
  scopes: Type.Array(scope, {
    minItems: 1,
    maxItems: ALL_SCOPES.length,
    description: "Only scopes that the key of this request has.",
  }),
  expires_at: Type.Optional(
    nullable(
      Type.String({
        maxLength: 40,
        description: "The end of the key; at the latest, and without it, that of the key of this request.",
        allowed: "a time such as 2026-11-20T09:30:00+05:30",
      }),
    ),
  ),
});
export type CreateKeyInput = Static<typeof CreateKeySchema>;

const jwk = Type.Object({
  kty: oneOf(["RSA", "EC"]),
  kid: Type.String({ maxLength: 200 }),
  n: Type.Optional(Type.String({ maxLength: 2_000, description: "RSA: the modulus." })),
  e: Type.Optional(Type.String({ maxLength: 20, description: "RSA: the exponent." })),
  crv: Type.Optional(Type.String({ maxLength: 20, description: "EC: P-384." })),
  x: Type.Optional(Type.String({ maxLength: 200 })),
  y: Type.Optional(Type.String({ maxLength: 200 })),
});

export const CreateClientSchema = Type.Object({
  ...CreateKeySchema.properties,
  jwks: Type.Object(
    {
      keys: Type.Array(jwk, { minItems: 1, maxItems: MOST_JWKS }),
    },
    { description: "JSON Web Key Set with public keys for RS384 (kty RSA) or ES384 (kty EC, crv P-384)." },
  ),
});
export type CreateClientInput = Static<typeof CreateClientSchema>;

const KeySchema = Type.Object({
  key_id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(scope),
  status: oneOf(KEY_STATUSES),
  created_at: isoTime(),
  expires_at: nullable(isoTime({ description: "Null: the key does not expire." })),
  revoked_at: nullable(isoTime()),
  last_used_at: nullable(isoTime({ description: "Up to a minute late." })),
  jwks: nullable(
    Type.Object(
      { keys: Type.Array(jwk) },
      { description: "The public keys of a SMART backend service; its client_id is key_id." },
    ),
  ),
});
export type KeyView = Static<typeof KeySchema>;

export const ListKeysQuery = Type.Object({
  status: Type.Optional(oneOf(KEY_STATUSES)),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListKeysInput = Static<typeof ListKeysQuery>;

export const KeyAnswerSchema = Type.Object({ data: KeySchema });
export const KeyListSchema = Type.Object({ data: Type.Array(KeySchema), next_cursor: nullable(Type.String()) });
export const CreatedKeySchema = Type.Object({
  data: Type.Object({
    ...KeySchema.properties,
    key: nullable(
      Type.String({
        description: "The key. It is shown once: null where the answer is repeated for an Idempotency-Key.",
      }),
    ),
  }),
});
export type CreatedKey = KeyView & { key: string };
export const RevokedKeySchema = Type.Object({ data: Type.Object({ revoked: Type.Literal(true) }) });
