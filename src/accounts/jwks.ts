// Public keys of a SMART client, as a JSON Web Key Set: two algorithms, and nothing private is stored.
import { createPublicKey } from "node:crypto";
import { invalidField } from "../core/errors.ts";

export type PublicJwk =
  | { kty: "RSA"; kid: string; n: string; e: string }
  | { kty: "EC"; kid: string; crv: "P-384"; x: string; y: string };

export interface PublicJwks {
  keys: PublicJwk[];
}

export const MOST_JWKS = 10;
const LONGEST_KID = 200;
const LEAST_RSA_BITS = 2_048;
const MOST_RSA_BITS = 8_192;

/** The keys without further members. Throws on the field jwks. */
export function checkedJwks(given: unknown): PublicJwks {
  const keys = (given as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MOST_JWKS)
    throw fault(`must be a JSON Web Key Set: { "keys": [ … ] } with 1 to ${MOST_JWKS} keys.`);
  const checked = keys.map(checkedKey);
  if (new Set(checked.map(({ kid }) => kid)).size !== checked.length) throw fault("must have a different kid per key.");
  return { keys: checked };
}

function checkedKey(given: unknown): PublicJwk {
  const jwk = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  if ("d" in jwk || "k" in jwk) throw fault("must not contain a private or symmetric key. Keep that key secret.");
  const { kty, kid, n, e, crv, x, y } = jwk;
  if (typeof kid !== "string" || kid === "" || kid.length > LONGEST_KID)
    throw fault(`must have a kid of 1 to ${LONGEST_KID} characters in each key.`);
  if (kty === "RSA" && typeof n === "string" && typeof e === "string") return sound({ kty, kid, n, e });
  if (kty === "EC" && crv === "P-384" && typeof x === "string" && typeof y === "string")
    return sound({ kty, kid, crv, x, y });
  throw fault("takes keys for RS384 (kty RSA) and ES384 (kty EC, crv P-384).");
}

function sound(jwk: PublicJwk): PublicJwk {
  try {
    const { kid: _kid, ...key } = jwk;
    const { modulusLength: bits = LEAST_RSA_BITS } = createPublicKey({ key, format: "jwk" }).asymmetricKeyDetails ?? {};
    if (bits >= LEAST_RSA_BITS && bits <= MOST_RSA_BITS) return jwk;
  } catch {
    throw fault("contains a key that cannot be read.");
  }
  throw fault(`takes RSA keys of ${LEAST_RSA_BITS} to ${MOST_RSA_BITS} bits.`);
}

const fault = (problem: string) => invalidField("jwks", `jwks ${problem}`);
