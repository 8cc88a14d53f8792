// API keys: create, list, revoke, and authenticate each request.
import type { Config } from "../config/schema.ts";
import { toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedName } from "../core/names.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import { keyIdOf, makeKeyText } from "./api-key.ts";
import { checkedJwks } from "./jwks.ts";
import type { Audit } from "./audit.ts";
import type { CreatedKey, KeyView } from "./key-model.ts";
import {
  countActiveKeys,
  insertKey,
  keysOf,
  keyWithPlan,
  markRevoked,
  markUsed,
  type KeyWithPlan,
} from "./key-store.ts";
import { createKnownKeys, type Principal } from "./known-keys.ts";
import { organisationById } from "./organisation-store.ts";
import type { ApiKey } from "./records.ts";
import { ALL_SCOPES, isScope, type Scope } from "../payloads/scopes.ts";

export interface NewKey {
  name: string;
  scopes: readonly string[];
  expiresAt?: number | null;
  /** Public keys of a SMART client: it signs for its access tokens, and the text of the key is never accepted. */
  jwks?: unknown;
}

export function createKeyService(deps: { db: Database; clock: Clock; ids: Ids; audit: Audit; config: Config }) {
  const { db, clock, ids, audit, config } = deps;
  /** Time of last use per key, flushed once a minute instead of at every request. */
  const lastUsed = new Map<string, number>();
  const known = createKnownKeys(config);

  async function createWithin(tx: Tx, organisationId: string, input: NewKey, actor: Actor): Promise<CreatedKey> {
    const scopes = checkedScopes(input.scopes);
    const name = checkedName("name", input.name, 100);
    const now = clock.now();
    const expiresAt = input.expiresAt ?? null;
    const jwks = input.jwks === undefined ? null : checkedJwks(input.jwks);
    if (expiresAt !== null && expiresAt <= now) throw invalidField("expires_at", "expires_at must lie in the future.");

    const organisation = await organisationById(tx, organisationId);
    if (!organisation) throw new AppError("NOT_FOUND", "There is no organisation with this id.");
    const limit = config.plans[organisation.plan].api_keys;
    if (limit !== "unlimited" && (await countActiveKeys(tx, organisationId, now)) >= limit) {
      throw new AppError(
        "PLAN_LIMIT_REACHED",
        `The ${organisation.plan} plan allows ${limit} active API keys. Revoke one first.`,
      );
    }

    const { id, text, hash } = makeKeyText(ids);
    const row: ApiKey = {
      id,
      organisation_id: organisationId,
      name,
      secret_hash: hash,
      scopes,
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
      jwks,
    };
    await insertKey(tx, row);
    const detail = jwks ? { scopes, kids: jwks.keys.map(({ kid }) => kid) } : { scopes };
    await audit.record(tx, { organisationId, actor, action: "api_key.created", subjectId: id, detail });
    return { ...keyView(row, now), key: text };
  }

  async function revokeWithin(tx: Tx, organisationId: string, id: string, actor: Actor): Promise<void> {
    const revoked = await markRevoked(tx, organisationId, id, clock.now());
    if (!revoked) throw new AppError("NOT_FOUND", "There is no active API key with this id.");
    await audit.record(tx, { organisationId, actor, action: "api_key.revoked", subjectId: id });
  }

  function principalOf(row: KeyWithPlan | undefined, text: string): Principal | null {
    const principal = row ? known(row, text) : null;
    const now = clock.now();
    if (!row || !principal || !isActive(row, now)) return null;
    lastUsed.set(row.id, now);
    return principal;
  }

  return {
    createWithin,
    create: (organisationId: string, input: NewKey, actor: Actor) =>
      db.write((tx) => createWithin(tx, organisationId, input, actor)),

    async list(organisationId: string) {
      const now = clock.now();
      return (await keysOf(db.reader, organisationId)).map((row) => keyView(row, now));
    },

    revokeWithin,
    revoke: (organisationId: string, id: string, actor: Actor): Promise<void> =>
      db.write((tx) => revokeWithin(tx, organisationId, id, actor)),

    /**
     * Null for a malformed, unknown, revoked or expired key, so a stranger learns only 401. Runs at every request: a
     * cached key is answered synchronously.
     */
    authenticate(text: string): Principal | null | Promise<Principal | null> {
      const id = keyIdOf(text);
      if (id === null) return null;
      const row = keyWithPlan(db.reader, id);
      return row instanceof Promise ? row.then((found) => principalOf(found, text)) : principalOf(row, text);
    },

    async flushLastUsed(): Promise<void> {
      if (lastUsed.size === 0) return;
      const entries = [...lastUsed];
      await db.write(async (tx) => {
        for (const [id, at] of entries) await markUsed(tx, id, at);
      });
      // A key used again meanwhile stays for the next flush. If the write failed, all keys stay.
      for (const [id, at] of entries) if (lastUsed.get(id) === at) lastUsed.delete(id);
    },
  };
}

export type KeyService = ReturnType<typeof createKeyService>;

export function isActive(row: ApiKey, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}

export function keyView(row: ApiKey, now: number): KeyView {
  const status = row.revoked_at !== null ? "revoked" : isActive(row, now) ? "active" : "expired";
  return {
    key_id: row.id,
    name: row.name,
    scopes: [...row.scopes],
    status,
    created_at: toIso(row.created_at),
    expires_at: toIsoOrNull(row.expires_at),
    revoked_at: toIsoOrNull(row.revoked_at),
    last_used_at: toIsoOrNull(row.last_used_at),
    jwks: row.jwks,
  };
}

function checkedScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0 || scopes.length === 0) {
    const problem = scopes.length === 0 ? "At least one scope is needed" : `Unknown scope ${unknown.join(", ")}`;
    throw invalidField("scopes", `${problem}. Scopes: ${ALL_SCOPES.join(", ")}.`);
  }
  return ALL_SCOPES.filter((scope) => scopes.includes(scope));
}
