// Keyed hash of a number: it shows whether two calls of one organisation went to the same number, to the holder of the
// appliance's root key alone. A plain hash of a number can be reversed by trying all numbers.
import { hmacSha256 } from "./hmac.ts";
import type { SecretBox } from "./secret-box.ts";

export type NumberHash = (organisationId: string, number: string) => string;

/** Hashes of two purposes cannot be compared. */
export function createNumberHash(secrets: Pick<SecretBox, "deriveKey">, purpose: string): NumberHash {
  const key = secrets.deriveKey(purpose);
  return (organisationId, number) => hmacSha256(key, `${organisationId}\n${number}`).toString("hex");
}

/** Of dialled numbers, and of erased people who refused. */
export const createCalleeHash = (secrets: Pick<SecretBox, "deriveKey">): NumberHash =>
  createNumberHash(secrets, "dialled-numbers");
