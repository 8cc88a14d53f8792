// Checks the assertion with which a SMART backend service asks for a token: RFC 7523, as SMART App Launch narrows it.
import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from "jose";
import type { PublicJwks } from "../../../accounts/jwks.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/clock.ts";

export const ALGORITHMS = ["RS384", "ES384"];
const LONGEST_ASSERTION = 8_000;
const LONGEST_JTI = 255;
/** From SMART App Launch: an assertion expires at most five minutes ahead. */
const MOST_AHEAD_MS = 5 * MINUTE_MS;
const CLOCK_TOLERANCE_MS = 30 * SECOND_MS;

/** Why no token is given, as OAuth words it. Never quotes the assertion. */
export class AssertionFault extends Error {}

export interface SoundAssertion {
  jti: string;
  /** Until then the assertion must not be taken again. */
  usableUntil: number;
}

/** The client that the assertion claims to be from; nothing is verified yet. */
export function claimedClient(assertion: string): string {
  if (assertion.length > LONGEST_ASSERTION) throw new AssertionFault("client_assertion is too long.");
  try {
    const { iss, sub } = decodeJwt(assertion);
    if (typeof iss === "string" && iss === sub) return iss;
  } catch {
    throw new AssertionFault("client_assertion is not a JWT.");
  }
  throw new AssertionFault("iss and sub must both be the client_id.");
}

export async function checkAssertion(
  assertion: string,
  client: { id: string; jwks: PublicJwks },
  tokenUrl: string,
  now: number,
): Promise<SoundAssertion> {
  const { exp, jti } = await verified(assertion, client, tokenUrl, now);
  const expiresAt = (exp ?? 0) * SECOND_MS;
  if (expiresAt > now + MOST_AHEAD_MS + CLOCK_TOLERANCE_MS)
    throw new AssertionFault("exp must be at most five minutes ahead.");
  if (typeof jti !== "string" || jti === "" || jti.length > LONGEST_JTI)
    throw new AssertionFault(`jti must be text of 1 to ${LONGEST_JTI} characters.`);
  return { jti, usableUntil: expiresAt + CLOCK_TOLERANCE_MS };
}

async function verified(
  assertion: string,
  { id, jwks }: { id: string; jwks: PublicJwks },
  tokenUrl: string,
  now: number,
) {
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, createLocalJWKSet(jwks), {
      algorithms: ALGORITHMS,
      audience: tokenUrl,
      issuer: id,
      subject: id,
      requiredClaims: ["exp", "jti"],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_MS / SECOND_MS,
    });
    if (protectedHeader.kid === undefined) throw new AssertionFault("The header must have kid.");
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new AssertionFault(reasonOf(error, tokenUrl));
    throw error;
  }
}

function reasonOf(error: errors.JOSEError, tokenUrl: string): string {
  if (error instanceof errors.JWTExpired) return "The assertion has expired. Compare the clocks.";
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === "aud" ? `aud must be ${tokenUrl}.` : `The claim ${error.claim} is missing or wrong.`;
  if (error instanceof errors.JOSEAlgNotAllowed) return `alg must be ${ALGORITHMS.join(" or ")}.`;
  if (error instanceof errors.JWKSNoMatchingKey) return "kid names no registered key of this client for this alg.";
  return "The signature is not valid.";
}
