// AES-256-CBC without padding, for content whose length is a multiple of the block size.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export const IV_BYTES = 16;

export function decryptBlocks(key: Uint8Array, iv: Uint8Array, bytes: Uint8Array): Buffer {
  const cipher = createDecipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

/** With a new random IV. */
export function encryptBlocks(key: Uint8Array, bytes: Uint8Array): { iv: Buffer; bytes: Buffer } {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
  return { iv, bytes: Buffer.concat([cipher.update(bytes), cipher.final()]) };
}
