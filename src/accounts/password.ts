// Password hashing: Bun's argon2id, off the main thread.
import { invalidField } from "../core/errors.ts";

/** NIST SP 800-63B requires at least 8 for a single factor; a hospital's dashboard justifies a few more. */
const SHORTEST = 10;
/** Long enough for any passphrase, short enough that hashing is no denial-of-service vector. */
const LONGEST = 200;

/** OWASP's first recommendation for argon2id: 19 MiB, two passes. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * Compared if the person does not exist, so an unknown address takes as long as a wrong password. It is the hash of
 * discarded random text, with the parameters above.
 */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$4QFfsvhRU+DkVuig+XI+Ix6aXYX8CaR+A+s+TEHnKtY$Mk3tmmQCDn8DJipdmYHhv/XDSR7tFgshqHUNUslKlaw";

export async function hashPassword(password: string): Promise<string> {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw invalidField("password", `password must have ${SHORTEST} to ${LONGEST} characters.`);
  }
  return Bun.password.hash(password, ARGON2ID);
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  return password.length <= LONGEST && Bun.password.verify(password, hash);
}
