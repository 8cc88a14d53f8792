// HMAC-SHA256, SHA-256 and constant-time comparison: every signature, token and key check goes through here.
import { hash, timingSafeEqual } from "node:crypto";

/** Text stands for its UTF-8 bytes. */
export type Bytes = string | Uint8Array;

/** By the runtime's own hasher, which takes half the time of `createHmac`. */
export function hmacSha256(key: Bytes, ...parts: Bytes[]): Buffer {
  const mac = new Bun.CryptoHasher("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

export function sha256(data: Bytes): Buffer {
  return hash("sha256", data, "buffer");
}

export function sha256Hex(data: Bytes): string {
  return sha256(data).toString("hex");
}

/** The same of what arrives in parts. */
export interface Sha256Parts {
  add(part: Bytes): void;
  hex(): string;
}

export function sha256Parts(...first: Bytes[]): Sha256Parts {
  const parts = new Bun.CryptoHasher("sha256");
  for (const part of first) parts.update(part);
  return { add: (part) => void parts.update(part), hex: () => parts.digest("hex") };
}

/** Whether `hash`, of our own making, is that of `data`. */
export function isSha256Of(hash: Buffer, data: Bytes): boolean {
  return timingSafeEqual(hash, sha256(data));
}

/** Hashing first makes the lengths equal, so the time taken tells nothing about either value. */
export function equalInConstantTime(a: Bytes, b: Bytes): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
