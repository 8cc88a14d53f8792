// Encryption of the few secrets that must be read back (webhook and signing secrets). The key is not in the database.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface SecretBox {
  /** `purpose` binds the ciphertext to its use: a sealed value moved to another column does not open. */
  seal(plain: string, purpose: string): string;
  open(sealed: string, purpose: string): string;
  /** A key for signing links, derived from the same root key for this purpose only. */
  deriveKey(purpose: string): Buffer;
}

export const ROOT_KEY_BYTES = 32;

export function newRootKey(): Buffer {
  return randomBytes(ROOT_KEY_BYTES);
}

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createSecretBox(rootKey: Uint8Array): SecretBox {
  if (rootKey.length !== ROOT_KEY_BYTES) throw new Error(`The root key must be ${ROOT_KEY_BYTES} bytes.`);
  const deriveKey = (purpose: string) => Buffer.from(hkdfSync("sha256", rootKey, "ringward", purpose, 32));
  const sealingKey = deriveKey("secret-box");
  return {
    deriveKey,
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealingKey, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed, purpose) {
      const [version, text] = sealed.split(".");
      if (version !== VERSION || !text) throw new Error("A stored secret has an unknown format.");
      const bytes = Buffer.from(text, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", sealingKey, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
