// The position in the log that a browser sends back when it connects again. The log counts for all organisations, and
// the number itself would tell one how busy the others are: so it is a block of AES under a key of the appliance.
import { createCipheriv, createDecipheriv } from "node:crypto";

export interface Positions {
  textOf(sequence: number): string;
  /** Null for what this appliance never wrote. */
  sequenceOf(text: string): number | null;
}

const CIPHER = "aes-256-ecb";
const BLOCK_BYTES = 16;
/** The first half of a block is zero: what was not written with this key does not open to that. */
const SEQUENCE_AT = 8;

/** `key` has 32 bytes. */
export function createPositions(key: Uint8Array): Positions {
  return {
    textOf(sequence) {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeBigUInt64BE(BigInt(sequence), SEQUENCE_AT);
      return createCipheriv(CIPHER, key, null).setAutoPadding(false).update(block).toString("hex");
    },
    sequenceOf(text) {
      if (!/^[0-9a-f]{32}$/.test(text)) return null;
      const block = createDecipheriv(CIPHER, key, null).setAutoPadding(false).update(Buffer.from(text, "hex"));
      if (block.readBigUInt64BE(0) !== 0n) return null;
      const sequence = Number(block.readBigUInt64BE(SEQUENCE_AT));
      return Number.isSafeInteger(sequence) ? sequence : null;
    },
  };
}
