// API keys over the API. A key manages only keys whose scopes it has itself, and none outlives it: otherwise a limited
// key could make itself an unlimited one.
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { CreatedKey, CreateKeyInput, KeyView, ListKeysInput } from "./key-model.ts";
import { isActive, keyView, type KeyService } from "./key-service.ts";
import { keyOf, pageOfKeys } from "./key-store.ts";
import type { Principal } from "./known-keys.ts";
import type { ApiKey } from "./records.ts";

export function createKeyGrants(deps: {
  db: Database;
  clock: Clock;
  keys: Pick<KeyService, "createWithin" | "revokeWithin">;
}) {
  const { db, clock, keys } = deps;

  /** The key of the request, read again in the transaction: it may have been revoked meanwhile. */
  async function grantor(tx: Tx, { organisationId, keyId }: Principal): Promise<ApiKey> {
    const own = await keyOf(tx, organisationId, keyId);
    if (!own || !isActive(own, clock.now()))
      throw new AppError("UNAUTHORIZED", "The API key of this request was revoked or has expired.");
    return own;
  }

  return {
    async create(
      principal: Principal,
      { name, scopes, expires_at, jwks }: CreateKeyInput & { jwks?: unknown },
      actor: Actor,
      alongside: Alongside<CreatedKey> = async () => {},
    ): Promise<CreatedKey> {
      const wanted = typeof expires_at === "string" ? parseIsoTime("expires_at", expires_at) : null;
      return db.write(async (tx) => {
        const own = await grantor(tx, principal);
        assertHeld(own, scopes, "A key gives only scopes that it has itself.");
        const input = { name, scopes, expiresAt: endWithin(own, wanted), ...(jwks !== undefined && { jwks }) };
        const created = await keys.createWithin(tx, principal.organisationId, input, actor);
        await alongside(tx, created);
        return created;
      });
    },

    async revoke(principal: Principal, id: string, actor: Actor): Promise<void> {
      const { organisationId } = principal;
      await db.write(async (tx) => {
        const own = await grantor(tx, principal);
        const row = await keyOf(tx, organisationId, id);
        if (row) assertHeld(own, row.scopes, "A key revokes only keys whose scopes it has itself.");
        await keys.revokeWithin(tx, organisationId, id, actor);
      });
    },

    async get(organisationId: string, id: string): Promise<KeyView> {
      const row = await keyOf(db.reader, organisationId, id);
      if (!row) throw new AppError("NOT_FOUND", "There is no API key with this id.");
      return keyView(row, clock.now());
    },

    /** Newest first. */
    async page(organisationId: string, query: ListKeysInput) {
      const limit = pageSize(query.limit);
      const now = clock.now();
      const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, query);
      const question = { organisationId, status: query.status, now, before, limit: limit + 1 };
      const rows = await pageOfKeys(db.reader, question);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const end = rows.length > limit && last && { createdAt: last.created_at, id: last.id };
      return { data: page.map((row) => keyView(row, now)), next_cursor: end ? encodeCursor(end, query) : null };
    },
  };
}

export type KeyGrants = ReturnType<typeof createKeyGrants>;

function assertHeld(own: ApiKey, scopes: readonly string[], rule: string): void {
  const held: readonly string[] = own.scopes;
  const lacking = scopes.filter((scope) => !held.includes(scope));
  if (lacking.length === 0) return;
  throw new AppError("INSUFFICIENT_SCOPE", `${rule} The key of this request lacks ${lacking.join(", ")}.`);
}

function endWithin(own: ApiKey, wanted: number | null): number | null {
  if (own.expires_at === null || wanted === null) return wanted ?? own.expires_at;
  if (wanted <= own.expires_at) return wanted;
  const latest = new Date(own.expires_at).toISOString();
  throw invalidField("expires_at", `expires_at must be ${latest} at the latest: then the key of this request expires.`);
}
