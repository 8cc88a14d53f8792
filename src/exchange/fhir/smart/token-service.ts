// Token endpoint of SMART backend services: a signed assertion for a token of five minutes.
import type { ClientTokens, SmartClient } from "../../../accounts/client-tokens.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Database } from "../../../db/database.ts";
import { AssertionFault, checkAssertion, claimedClient, type SoundAssertion } from "./assertion.ts";
import { takeAssertion } from "./assertion-store.ts";
import { grantedScopes, type ScopeTable } from "./smart-scopes.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Error codes of RFC 6749, section 5.2. */
export type OAuthCode = "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";

export class OAuthFault extends Error {
  constructor(
    readonly code: OAuthCode,
    message: string,
  ) {
    super(message);
  }
}

export interface TokenAnswer {
  access_token: string;
  token_type: "bearer";
  expires_in: number;
  scope: string;
}

export interface TokenServiceDeps {
  db: Database;
  clock: Clock;
  tokens: Pick<ClientTokens, "client" | "issue">;
  scopes: ScopeTable;
}

export class TokenService {
  constructor(private readonly deps: TokenServiceDeps) {}

  /** `tokenUrl`: the audience that the assertion must name. */
  async issue(form: ReadonlyMap<string, string>, tokenUrl: string, requestId: string): Promise<TokenAnswer> {
    const { db, tokens, scopes } = this.deps;
    if (form.get("grant_type") !== "client_credentials")
      throw new OAuthFault("unsupported_grant_type", "grant_type must be client_credentials.");
    const { client, sound } = await this.#authenticated(form, tokenUrl);
    const granted = grantedScopes(form.get("scope") ?? "", client.scopes, scopes);
    if (granted.ours.length === 0)
      throw new OAuthFault(
        "invalid_scope",
        "scope names nothing that this client may do, such as system/Appointment.rs.",
      );
    const token = await db.write(async (tx) => {
      if (!(await takeAssertion(tx, client.id, sound.jti, sound.usableUntil))) return null;
      return tokens.issue(tx, client, granted.ours, requestId);
    });
    if (!token)
      throw new OAuthFault("invalid_client", "This assertion was used before. Sign a new one with a new jti.");
    return {
      access_token: token.text,
      token_type: "bearer",
      expires_in: token.expiresInSeconds,
      scope: granted.smart.join(" "),
    };
  }

  async #authenticated(
    form: ReadonlyMap<string, string>,
    tokenUrl: string,
  ): Promise<{ client: SmartClient; sound: SoundAssertion }> {
    const { clock, tokens } = this.deps;
    const assertion = form.get("client_assertion") ?? "";
    if (form.get("client_assertion_type") !== ASSERTION_TYPE || assertion === "")
      throw new OAuthFault(
        "invalid_request",
        `client_assertion is required, with client_assertion_type ${ASSERTION_TYPE}.`,
      );
    try {
      const clientId = claimedClient(assertion);
      if ((form.get("client_id") ?? clientId) !== clientId) throw new AssertionFault("client_id is of another client.");
      const client = await tokens.client(clientId);
      if (!client) throw new AssertionFault("iss names no active client.");
      return { client, sound: await checkAssertion(assertion, client, tokenUrl, clock.now()) };
    } catch (error) {
      if (error instanceof AssertionFault) throw new OAuthFault("invalid_client", error.message);
      throw error;
    }
  }
}
