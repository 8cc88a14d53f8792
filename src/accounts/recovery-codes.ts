// Recovery codes: each replaces a second factor once. They have 80 random bits, so a fast hash is enough.
import { sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";

export const RECOVERY_CODES = 10;
const CODE_BYTES = 10;
const CODE_CHARACTERS = 16;
/** Crockford's: no letter looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARACTERS}}$`);

/** `abcd-efgh-jkmn-pqrs` */
export function newRecoveryCode(ids: Ids): string {
  let bits = BigInt(`0x${Buffer.from(ids.secret(CODE_BYTES), "base64url").toString("hex")}`);
  let text = "";
  for (let i = 0; i < CODE_CHARACTERS; i++) {
    text += ALPHABET.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return text.replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** As typed: case, spaces and hyphens do not matter, and look-alikes are read as Crockford's digits. Null: no code. */
export function readRecoveryCode(typed: string): string | null {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return CODE.test(text) ? text : null;
}

/** Bound to the person. `code` with or without hyphens. */
export function recoveryCodeHash(personId: string, code: string): string {
  return sha256Hex(`recovery-code\n${personId}\n${code.replaceAll("-", "")}`);
}
