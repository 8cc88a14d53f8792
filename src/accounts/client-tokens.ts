// Access tokens of SMART clients: issued for a signed assertion, accepted until they expire or the client is revoked.
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Scope } from "../payloads/scopes.ts";
import { isAccessToken, makeAccessToken, readAccessToken } from "./access-token.ts";
import type { Audit } from "./audit.ts";
import type { PublicJwks } from "./jwks.ts";
import { isActive, type KeyService } from "./key-service.ts";
import { keyWithPlan, markUsed } from "./key-store.ts";
import type { Principal } from "./known-keys.ts";
import type { ApiKey } from "./records.ts";

/** SMART backend services ask for at most five minutes, because a token cannot be called back everywhere. */
export const TOKEN_MS = 5 * MINUTE_MS;

export type SmartClient = ApiKey & { jwks: PublicJwks };

export interface IssuedToken {
  text: string;
  expiresInSeconds: number;
}

export interface ClientTokensDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  config: Config;
  secrets: Pick<SecretBox, "deriveKey">;
}

export class ClientTokens {
  readonly #macKey: Buffer;

  constructor(private readonly deps: ClientTokensDeps) {
    this.#macKey = deps.secrets.deriveKey("access-token");
  }

  /** Undefined if there is none with this id, or it was revoked or has expired. */
  async client(clientId: string): Promise<SmartClient | undefined> {
    const { db, clock } = this.deps;
    const row = await keyWithPlan(db.reader, clientId);
    const { jwks = null } = row ?? {};
    return row && jwks && isActive(row, clock.now()) ? { ...row, jwks } : undefined;
  }

  /** In the transaction that notes the assertion as used. */
  async issue(tx: Tx, client: SmartClient, scopes: readonly Scope[], requestId: string): Promise<IssuedToken> {
    const { clock, audit } = this.deps;
    const now = clock.now();
    const expiresAt = Math.min(now + TOKEN_MS, client.expires_at ?? Infinity);
    await markUsed(tx, client.id, now);
    await audit.record(tx, {
      organisationId: client.organisation_id,
      actor: { kind: "key", id: client.id, requestId },
      action: "access_token.issued",
      subjectId: client.id,
      detail: { scopes },
    });
    const text = makeAccessToken(this.#macKey, { keyId: client.id, scopes, expiresAt });
    return { text, expiresInSeconds: Math.floor((expiresAt - now) / SECOND_MS) };
  }

  /** Null for a token that is not ours, has expired, or whose client was revoked. */
  async authenticate(text: string): Promise<Principal | null> {
    const { db, clock, config } = this.deps;
    const now = clock.now();
    const claims = readAccessToken(this.#macKey, text, now);
    const row = claims && (await keyWithPlan(db.reader, claims.keyId));
    if (!row || row.jwks === null || !isActive(row, now)) return null;
    const scopes = claims.scopes.filter((scope) => row.scopes.includes(scope));
    return {
      organisationId: row.organisation_id,
      keyId: row.id,
      scopes: new Set(scopes),
      limits: config.plans[row.plan],
    };
  }
}

/** API keys and access tokens, as bearer tokens. */
export const bearerTokens = (keys: Pick<KeyService, "authenticate">, tokens: Pick<ClientTokens, "authenticate">) => ({
  authenticate: (text: string) => (isAccessToken(text) ? tokens.authenticate(text) : keys.authenticate(text)),
});

export const createClientTokens = (deps: ClientTokensDeps): ClientTokens => new ClientTokens(deps);
