// Sign-in with the hospital's OpenID Connect provider: the way there and back, and the check of open sessions.
import type { OidcSettings } from "../../config/sign-in-settings.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../../core/clock.ts";
import { AppError, messageOf } from "../../core/errors.ts";
import { equalInConstantTime } from "../../core/hmac.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { browserOf } from "../browser-name.ts";
import { sourceKey } from "../guess-pace.ts";
import { createRequestPace } from "../request-pace.ts";
import { spendProof } from "../spent-proof-store.ts";
import { DirectoryFault, unanswered, type Identity, type Standing, type TokenUse } from "./model.ts";
import { claimAt, ProviderRefusal, type Claims, type CodeChecks, type OidcClient } from "./oidc-client.ts";

/** Enough for a password, a second factor and a consent at the provider. */
export const FLOW_LIFE_MS = 10 * MINUTE_MS;
/** A hospital behind one address shares it: 600 sign-ins, of two requests each. */
const MOST_PER_SOURCE = 1_200;
const FLOW = "oidc-flow";
const LONGEST_FLOW = 2_000;
/** Values of acr that stand for several factors, beside those in the settings. */
const ACR_OF_SEVERAL = [
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
  "https://refeds.org/profile/mfa",
  "phr",
  "phrh",
];

interface Flow extends CodeChecks {
  expiresAt: number;
  /** Of the browser that began: a stolen cookie in another one is refused. */
  browser: string;
}

/** What the browser brings back from the provider. */
export interface Returned {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

export interface OidcDirectory {
  readonly name: string;
  /** `flow` is the cookie, `url` the provider's page. */
  begin(from: Asker): Promise<{ flow: string; url: string }>;
  finish(flow: string | null, returned: Returned, from: Asker): Promise<Identity>;
  /** Null: another check is under way. Faults of `use` are passed on. */
  check(subject: string, refreshToken: string | null, use: TokenUse): Promise<Standing | null>;
  look: OidcClient["look"];
}

export interface Asker {
  source: string;
  userAgent?: string | null;
}

export interface OidcDirectoryDeps {
  settings: OidcSettings;
  client: OidcClient;
  dashboardUrl: string;
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  secrets: SecretBox;
}

export function createOidcDirectory(deps: OidcDirectoryDeps): OidcDirectory {
  const { settings, client, dashboardUrl, db, clock, ids, logger, secrets } = deps;
  const { name } = settings;
  const redirectUri = `${dashboardUrl}/oidc`;
  const pace = createRequestPace(clock, { most: MOST_PER_SOURCE, withinMs: HOUR_MS });

  function keepPace(source: string): void {
    const waitMs = pace.take(sourceKey(source));
    if (waitMs === 0) return;
    throw new AppError("RATE_LIMITED", "Too many sign-ins from this address. Try again later.", {
      retryAfterSeconds: Math.max(60, Math.ceil(waitMs / SECOND_MS)),
    });
  }

  function flowIn(cookie: string | null, from: Asker): Flow {
    const flow = readFlow(secrets, cookie);
    if (!flow || clock.now() >= flow.expiresAt || flow.browser !== browserWords(from)) throw tooLate();
    return flow;
  }

  const failed = (error: unknown): AppError => {
    logger.warn("sign-in with the provider failed", { reason: messageOf(error) });
    if (error instanceof DirectoryFault) return unanswered(name);
    return new AppError("UNAUTHORIZED", `${name} did not confirm this sign-in. Try again, or ask your administrator.`);
  };

  return {
    name,
    look: () => client.look(),

    async begin(from) {
      keepPace(from.source);
      const checks: CodeChecks = { state: ids.secret(32), nonce: ids.secret(32), verifier: ids.secret(48) };
      const flow: Flow = { ...checks, expiresAt: clock.now() + FLOW_LIFE_MS, browser: browserWords(from) };
      try {
        return { flow: secrets.seal(JSON.stringify(flow), FLOW), url: await client.begin(checks, redirectUri) };
      } catch (error) {
        throw failed(error);
      }
    },

    async finish(cookie, returned, from) {
      keepPace(from.source);
      const flow = flowIn(cookie, from);
      if (!equalInConstantTime(flow.state, returned.state ?? "")) throw tooLate();
      // Before the provider is asked: a flow is tried once. Later than its own end, in case the clock is set back.
      const isFirst = await db.write((tx) => spendProof(tx, ["oidc", flow.state], flow.expiresAt + HOUR_MS));
      if (!isFirst) throw tooLate();
      const url = new URL(redirectUri);
      for (const key of ["code", "state", "iss", "error"] as const) {
        const value = returned[key];
        if (value !== undefined) url.searchParams.set(key, value);
      }
      try {
        const { claims, refreshToken } = await client.redeem(url, flow);
        return identityOf(claims ?? {}, refreshToken, settings);
      } catch (error) {
        throw error instanceof AppError ? error : failed(error);
      }
    },

    async check(subject, refreshToken, use) {
      // Nobody can say whether the person is still there, so the session ends with the time without an answer.
      if (refreshToken === null)
        return { state: "unreachable", reason: "The provider gave no refresh token.", isSilent: false };
      try {
        const tokens = await client.refresh(refreshToken, subject, use);
        if (!tokens) return null;
        const { claims, refreshToken: next } = tokens;
        return { state: "confirmed", groups: groupsIn(claims, settings), refreshToken: next ?? refreshToken };
      } catch (error) {
        if (error instanceof ProviderRefusal && error.kind !== "misfit")
          return { state: "refused", reason: "refused", isOfToken: error.kind === "grant" };
        if (!(error instanceof ProviderRefusal) && !(error instanceof DirectoryFault)) throw error;
        return { state: "unreachable", reason: error.message, isSilent: error instanceof DirectoryFault };
      }
    },
  };
}

/** The issuer as it is stored: without a difference between spellings of one address. */
export const issuerOf = ({ issuer }: Pick<OidcSettings, "issuer">): string => new URL(issuer).href;

/** Providers leave the claim out for a person without groups. Null: nothing was said of groups. */
function groupsIn(claims: Claims | null, { groups_claim: name }: OidcSettings): string[] | null {
  if (claims === null) return null;
  const groups = claimAt(claims, name);
  return groups === undefined && claims["_claim_names"] !== undefined ? null : listOf(groups);
}

function identityOf(claims: Claims, refreshToken: string | null, settings: OidcSettings): Identity {
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "") throw new ProviderRefusal("misfit", "The provider names no person.");
  const groups = claimAt(claims, settings.groups_claim);
  // Entra leaves the groups out if there are too many, and says where they can be asked for.
  if (groups === undefined && claims["_claim_names"] !== undefined)
    throw new AppError(
      "INSUFFICIENT_SCOPE",
      `${settings.name} sends too many groups. Ask your administrator to send only those assigned to the application.`,
    );
  const email = claimAt(claims, settings.email_claim) ?? claims["email"];
  // Some providers send the flag as text.
  const verified = String(claims["email_verified"]);
  if (typeof email !== "string" || verified === "false")
    throw new AppError(
      "INSUFFICIENT_SCOPE",
      `${settings.name} sends no confirmed e-mail address for you. Ask your administrator.`,
    );
  const { name } = claims;
  return {
    directory: "oidc",
    issuer: issuerOf(settings),
    subject: sub,
    email,
    // The flag is about the claim "email" only.
    hasConfirmedEmail: verified === "true" && email === claims["email"],
    name: typeof name === "string" && name !== "" ? name : email,
    groups: listOf(groups),
    hasSecondFactor: hasSeveralFactors(claims, settings.second_factor_acr),
    refreshToken,
  };
}

const listOf = (groups: unknown): string[] =>
  (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === "string");

function hasSeveralFactors({ amr, acr }: Claims, further: readonly string[]): boolean {
  if (Array.isArray(amr) && amr.includes("mfa")) return true;
  return typeof acr === "string" && (ACR_OF_SEVERAL.includes(acr) || further.includes(acr));
}

function readFlow(secrets: SecretBox, cookie: string | null): Flow | null {
  if (cookie === null || cookie.length > LONGEST_FLOW) return null;
  try {
    return JSON.parse(secrets.open(cookie, FLOW)) as Flow;
  } catch {
    // Forged, cut, or sealed with an earlier key.
    return null;
  }
}

function browserWords({ userAgent = null }: Asker): string {
  const { browser, system } = browserOf(userAgent);
  return `${browser ?? ""}/${system ?? ""}`;
}

const tooLate = () => new AppError("UNAUTHORIZED", "This sign-in took too long, or was used already. Sign in again.");
