// SMART discovery and the token endpoint. Both are public: a client has no token yet.
import { Elysia } from "elysia";
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { mediaType, MOST_STRANGERS_BODY_BYTES, readBody } from "../../../http/body.ts";
import { FORM_TYPE, parseForm } from "../../../http/form-body.ts";
import type { RateLimiter } from "../../../http/rate-limit.ts";
import { infoOf } from "../../../http/request-info.ts";
import { ALGORITHMS } from "./assertion.ts";
import { supportedScopes, type ScopeTable } from "./smart-scopes.ts";
import { OAuthFault, type TokenService } from "./token-service.ts";

export interface SmartRouteDeps {
  tokens: TokenService;
  scopes: ScopeTable;
  /** Address of the FHIR server, without a slash at its end. */
  base: string;
  clock: Clock;
  requestTimeoutMs: number;
  newLimiter: () => RateLimiter;
  sourceOf: (request: Request) => string;
}

/** Of one address. A client asks once in five minutes; a hospital's services may share one address. */
const MOST_PER_MINUTE = 60;
const MOST_ADDRESSES = 10_000;
/** An assertion with an RSA key of 8,192 bits has about 2 kB. */
const MOST_BYTES = 2 * MOST_STRANGERS_BODY_BYTES;
const NOT_STORED = { "cache-control": "no-store", pragma: "no-cache" };

export function smartRoutes(deps: SmartRouteDeps) {
  const { base, scopes } = deps;
  const limit = limitPerAddress(deps);
  const configuration = {
    token_endpoint: `${base}/token`,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
    scopes_supported: supportedScopes(scopes),
    capabilities: ["client-confidential-asymmetric", "permission-v2"],
  };
  return new Elysia({ name: "smart" })
    .get("/fhir/.well-known/smart-configuration", () => Response.json(configuration), { detail: { hide: true } })
    .post("/fhir/token", ({ request }) => answer(deps, limit, request), {
      // The body is read below, within limits.
      parse: "none",
      detail: { hide: true },
    });
}

/** Throws RATE_LIMITED. A stranger can have any number of addresses, so only so many are remembered. */
function limitPerAddress({ newLimiter, sourceOf }: SmartRouteDeps): (request: Request) => void {
  let limiter = newLimiter();
  const known = new Set<string>();
  return (request) => {
    const source = sourceOf(request);
    if (known.size >= MOST_ADDRESSES) {
      known.clear();
      limiter = newLimiter();
    }
    known.add(source);
    const decision = limiter.take(source, MOST_PER_MINUTE);
    if (decision?.allowed !== false) return;
    throw new AppError(
      "RATE_LIMITED",
      "Tokens are asked for too often from this address. Use a token until it expires.",
      {
        retryAfterSeconds: decision.resetMs / SECOND_MS,
      },
    );
  };
}

async function answer(deps: SmartRouteDeps, limit: (request: Request) => void, request: Request): Promise<Response> {
  const { tokens, base, clock, requestTimeoutMs: timeoutMs } = deps;
  limit(request);
  try {
    if (mediaType(request) !== FORM_TYPE) throw new OAuthFault("invalid_request", `Send a form: ${FORM_TYPE}.`);
    const form = formOf(await readBody(request, { clock, timeoutMs, mostBytes: MOST_BYTES }));
    return Response.json(await tokens.issue(form, `${base}/token`, infoOf(request).id), { headers: NOT_STORED });
  } catch (error) {
    if (!(error instanceof OAuthFault)) throw error;
    const status = error.code === "invalid_client" ? 401 : 400;
    return Response.json({ error: error.code, error_description: error.message }, { status, headers: NOT_STORED });
  }
}

function formOf(bytes: Uint8Array): Map<string, string> {
  try {
    return parseForm(bytes);
  } catch (error) {
    if (error instanceof AppError) throw new OAuthFault("invalid_request", error.message);
    throw error;
  }
}
