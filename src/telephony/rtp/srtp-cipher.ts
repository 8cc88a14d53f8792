// The two primitives of SRTP, created once per direction of a call: AES in counter mode (RFC 3711, section 4.1.1) and
// HMAC-SHA1 (section 4.2.1). Both use Bun's BoringSSL.
import { createCipheriv } from "node:crypto";
import type { DerivedKeys } from "./srtp-keys.ts";

/** More than an Ethernet packet holds; longer packets are not audio. */
export const MOST_PACKET_BYTES = 2_048;
const BLOCK_BYTES = 16;

export interface SrtpCipher {
  /** Encrypts and decrypts, in place; the packet is at most MOST_PACKET_BYTES long. */
  apply(bytes: Uint8Array, from: number, to: number, ssrc: number, indexHigh: number, indexLow16: number): void;
  /** Tag over these bytes and, if given, the rollover counter after them. Overwritten by the next call. */
  tag(bytes: Uint8Array, rolloverCounter: number | null): Uint8Array;
}

/**
 * Counter mode over one long-lived ECB object: 0.8 µs per audio packet, against 1.1 to 1.7 µs with a new object per
 * packet. Likewise the copied HMAC: 0.6 µs against 2.1 µs.
 */
export function createSrtpCipher({ cipherKey, authKey, salt }: DerivedKeys): SrtpCipher {
  const blockCipher = createCipheriv("aes-128-ecb", cipherKey, null);
  blockCipher.setAutoPadding(false);
  const keyedHash = new Bun.CryptoHasher("sha1", Buffer.from(authKey));
  const counters = new Uint8Array(MOST_PACKET_BYTES);
  const first = counters.subarray(0, BLOCK_BYTES);
  const saltWords = new DataView(salt.buffer, salt.byteOffset, salt.length);
  const words = new DataView(counters.buffer);
  const counterBytes = new Uint8Array(4);
  const counterWord = new DataView(counterBytes.buffer);
  // Bun requires room for its longest digest, whatever the hash.
  const digest = new Uint8Array(64);

  return {
    apply(bytes, from, to, ssrc, indexHigh, indexLow16) {
      const length = to - from;
      if (length <= 0) return;
      words.setUint32(0, saltWords.getUint32(0));
      words.setUint32(4, saltWords.getUint32(4) ^ ssrc);
      words.setUint32(8, saltWords.getUint32(8) ^ indexHigh);
      words.setUint16(12, saltWords.getUint16(12) ^ indexLow16);
      const blocks = Math.ceil(length / BLOCK_BYTES);
      for (let block = 0; block < blocks; block++) {
        if (block > 0) counters.set(first, block * BLOCK_BYTES);
        words.setUint16(block * BLOCK_BYTES + 14, block);
      }
      const stream = blockCipher.update(counters.subarray(0, blocks * BLOCK_BYTES));
      for (let i = 0; i < length; i++) bytes[from + i] = (bytes[from + i] ?? 0) ^ (stream[i] ?? 0);
    },
    tag(bytes, rolloverCounter) {
      const hash = keyedHash.copy();
      hash.update(bytes);
      if (rolloverCounter !== null) {
        counterWord.setUint32(0, rolloverCounter);
        hash.update(counterBytes);
      }
      hash.digest(digest);
      return digest;
    },
  };
}
