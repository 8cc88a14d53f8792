// The hospital's OpenID Connect provider: discovery, authorisation code with PKCE, refresh. Every ID token is checked
// for signature, issuer, audience, nonce and time; the time is the appliance's.
import {
  AuthorizationResponseError,
  ClientSecretPost,
  Configuration,
  None,
  ResponseBodyError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  refreshTokenGrant,
  type ClientMetadata,
  type ServerMetadata,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from "openid-client";
import type { OidcSettings } from "../../config/sign-in-settings.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, systemClock, type Clock } from "../../core/clock.ts";
import { createBoundedFetch, type BoundedFetch } from "./bounded-fetch.ts";
import { DirectoryFault, type TokenUse } from "./model.ts";

export type Claims = Readonly<Record<string, unknown>>;

export interface Tokens {
  /** Claims of the ID token, and behind them those of the userinfo endpoint; null if a refresh brought no ID token. */
  claims: Claims | null;
  refreshToken: string | null;
}

/**
 * `refused`: the provider refuses the person. `grant`: it refuses the code or the refresh token. `misfit`: its answer
 * does not prove who they are.
 */
export class ProviderRefusal extends Error {
  override name = "ProviderRefusal";

  constructor(
    readonly kind: "refused" | "grant" | "misfit",
    message: string,
  ) {
    super(message);
  }
}

export interface CodeChecks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OidcClient {
  /** Where the browser goes. */
  begin(checks: CodeChecks, redirectUri: string): Promise<string>;
  /** `returned`: the address at which the browser came back. */
  redeem(returned: URL, checks: CodeChecks): Promise<Tokens>;
  /** Null: another check uses the token. */
  refresh(refreshToken: string, subject: string, use: TokenUse): Promise<Tokens | null>;
  /** For the doctor: throws a DirectoryFault unless discovery works and matches the issuer. */
  look(): Promise<{ issuesRefreshTokens: boolean }>;
}

/** Signatures by key pairs only: "none" proves nothing, and an HMAC is made with the client's own secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Discovery documents change rarely; keys are read anew at each sign-in. */
const DISCOVERY_KEPT_MS = HOUR_MS;
const TOLERANCE_SECONDS = 30;
/** A new token is from now, by either clock. */
const MOST_APART_MS = 5 * MINUTE_MS;
/** OAuth errors that are about the person. Others are about the client, such as an expired secret of ours. */
const REFUSALS = new Set([
  "access_denied",
  "consent_required",
  "interaction_required",
  "login_required",
  "account_selection_required",
]);

/** No connection was made, so the provider has not seen the request. */
const UNSENT = new Set(["ConnectionRefused", "FailedToOpenSocket", "ECONNREFUSED"]);

export interface OidcClientDeps {
  settings: OidcSettings;
  clock: Clock;
  caPem: string | null;
}

/** The library's settings for this provider, from its discovery document. */
function createConfigurations({ settings, clock, caPem }: OidcClientDeps) {
  const issuer = new URL(settings.issuer);
  const bounded = createBoundedFetch({
    clock,
    hosts: new Set([issuer.host, ...settings.hosts.map((host) => host.toLowerCase())]),
    caPem,
    timeoutMs: settings.timeout_seconds * SECOND_MS,
  });
  /** The library's own limit is behind ours. */
  const timeout = settings.timeout_seconds + 5;
  const request = { [customFetch]: bounded, timeout };
  // Settings allow http for a provider on this machine only.
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out
  const execute = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
  let known: { server: ServerMetadata; readAt: number } | null = null;

  async function serverMetadata(): Promise<ServerMetadata> {
    if (known && clock.elapsedMs() - known.readAt < DISCOVERY_KEPT_MS) return known.server;
    const found = await discovery(issuer, settings.client_id, undefined, None(), { ...request, execute });
    const server = found.serverMetadata();
    // Entra's "common" and "organizations" stand for every tenant there is.
    if (new URL(server.issuer).href !== issuer.href)
      throw new DirectoryFault(`The provider calls itself ${server.issuer}. Set this as sign_in.oidc.issuer.`);
    known = { server, readAt: clock.elapsedMs() };
    return server;
  }

  /** Made for each use, because the skew between the machine's clock and the appliance's may change. */
  async function configuration(): Promise<Configuration> {
    const server = await serverMetadata();
    const metadata: Partial<ClientMetadata> = {
      [clockSkew]: Math.round((clock.now() - systemClock.now()) / SECOND_MS),
      [clockTolerance]: TOLERANCE_SECONDS,
    };
    const auth = settings.client_secret === "" ? None() : ClientSecretPost(settings.client_secret);
    const offered = server.id_token_signing_alg_values_supported ?? ["RS256"];
    const allowed = offered.filter((algorithm) => ALGORITHMS.includes(algorithm));
    const config = new Configuration(
      { ...server, id_token_signing_alg_values_supported: allowed },
      settings.client_id,
      metadata,
      auth,
    );
    config[customFetch] = bounded;
    config.timeout = timeout;
    // oxlint-disable-next-line typescript/no-deprecated -- as above
    for (const extension of execute) extension(config);
    enableNonRepudiationChecks(config);
    return config;
  }

  const lookAgain = (): Promise<ServerMetadata> => {
    known = null;
    return serverMetadata();
  };
  return { issuer, bounded, configuration, lookAgain };
}

/**
 * Tells of the token endpoint's answer before the library checks it: the checks need more requests, and the new
 * refresh token must survive their failure. A gateway's error leaves open whether the provider has replaced the token.
 */
function notingAnswers(bounded: BoundedFetch, tokenEndpoint: string | undefined, use: TokenUse): BoundedFetch {
  return async (url, request) => {
    if (tokenEndpoint === undefined || url !== new URL(tokenEndpoint).href) return bounded(url, request);
    const response = await bounded(url, request).catch(async (error: unknown) => {
      if (error instanceof DirectoryFault && isUnsent(error.cause)) await use.answered(null);
      throw error;
    });
    const next = response.ok ? await refreshTokenIn(response) : null;
    const isClear = response.status < 500 || response.status === 503;
    if (isClear && next !== undefined) await use.answered(next);
    return response;
  };
}

const isUnsent = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && UNSENT.has(String(cause.code));

/** Null: the answer has none. Undefined: the answer is cut or no answer at all, which the library reports. */
async function refreshTokenIn(response: Response): Promise<string | null | undefined> {
  try {
    const { refresh_token: token } = (await response.clone().json()) as Partial<Record<string, unknown>>;
    return typeof token === "string" && token !== "" ? token : null;
  } catch {
    return undefined;
  }
}

async function tokensOf(
  settings: OidcSettings,
  config: Configuration,
  answer: TokenEndpointResponse & TokenEndpointResponseHelpers,
  expectedSubject: string | null,
): Promise<Tokens> {
  const proved = answer.claims();
  const subject = proved?.sub ?? expectedSubject;
  if (subject === null || (expectedSubject !== null && subject !== expectedSubject))
    throw new ProviderRefusal("refused", "The provider speaks of another person.");
  const refreshToken = answer.refresh_token ?? null;
  const isComplete = proved && hasClaim(proved, settings.groups_claim) && hasClaim(proved, settings.email_claim);
  // Too many groups for Entra's token are not in its userinfo either.
  const isCut = proved?.["_claim_names"] !== undefined;
  if (isComplete || isCut || config.serverMetadata().userinfo_endpoint === undefined)
    return { claims: proved ?? null, refreshToken };
  const more = await fetchUserInfo(config, answer.access_token, subject);
  return { claims: { ...more, ...proved }, refreshToken };
}

export function createOidcClient(deps: OidcClientDeps): OidcClient {
  const { settings, clock } = deps;
  const { issuer, bounded, configuration, lookAgain } = createConfigurations(deps);
  return {
    begin: (checks, redirectUri) =>
      asked(async () => {
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: settings.scopes.join(" "),
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: "S256",
        });
        if (url.protocol !== "https:" && url.protocol !== issuer.protocol)
          throw new DirectoryFault("The provider's sign-in page is not https.");
        return url.href;
      }),
    redeem: (returned, { state, nonce, verifier }) =>
      asked(async () => {
        const config = await configuration();
        const answer = await authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const issuedAt = (answer.claims()?.iat ?? 0) * SECOND_MS;
        if (Math.abs(clock.now() - issuedAt) > MOST_APART_MS)
          throw new ProviderRefusal("misfit", "The clocks of provider and appliance are more than five minutes apart.");
        return tokensOf(settings, config, answer, null);
      }),
    async refresh(refreshToken, subject, use) {
      const config = await asked(configuration);
      if (!(await use.begin())) return null;
      config[customFetch] = notingAnswers(bounded, config.serverMetadata().token_endpoint, use);
      return asked(async () => tokensOf(settings, config, await refreshTokenGrant(config, refreshToken), subject));
    },
    look: () =>
      asked(async () => {
        const { grant_types_supported: grants, scopes_supported: scopes } = await lookAgain();
        const issuesRefreshTokens =
          (grants === undefined || grants.includes("refresh_token")) &&
          (scopes === undefined || !settings.scopes.includes("offline_access") || scopes.includes("offline_access"));
        return { issuesRefreshTokens };
      }),
  };
}

/** Errors of the library quote tokens, so none is passed on. Throws a DirectoryFault or a ProviderRefusal. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderRefusal) throw error;
    const fault = faultIn(error);
    if (fault) throw fault;
    if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
      if (error.error === "invalid_grant") throw new ProviderRefusal("grant", "The provider refuses this sign-in.");
      if (REFUSALS.has(error.error)) throw new ProviderRefusal("refused", "The provider refuses this sign-in.");
      throw new DirectoryFault(`The provider answers with the error ${error.error.replaceAll(/[^\w-]/g, "")}.`);
    }
    const code = typeof error === "object" && error && "code" in error ? String(error.code) : "";
    throw MISFITS.has(code)
      ? new ProviderRefusal("misfit", "The provider's answer does not fit this sign-in.")
      : new DirectoryFault(`The provider's answer cannot be used${code && ` (${code.replaceAll(/\W/g, "")})`}.`);
  }
}

/** The answer is well formed, and its proof fails. */
const MISFITS = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_UNSUPPORTED_OPERATION",
]);

function faultIn(error: unknown): DirectoryFault | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof DirectoryFault) return at;
  return null;
}

/** The value at a claim; a dot leads into it, unless a claim has the whole name. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const part of path.split("."))
    value = typeof value === "object" && value !== null && Object.hasOwn(value, part) ? (value as Claims)[part] : null;
  return value ?? undefined;
}

const hasClaim = (claims: Claims, path: string) => claimAt(claims, path) !== undefined;
