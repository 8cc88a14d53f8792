// Encrypted position in the change log, which a browser sends back on reconnect. The log counts for all organisations,
// so the plain number would reveal how busy the others are. The position is one AES block under a key of the appliance.
import { createCipheriv, createDecipheriv } from "node:crypto";

export interface Positions {
  textOf(sequence: number): string;
  /** Null for text that this appliance did not write. */
  sequenceOf(text: string): number | null;
}

const CIPHER = "aes-256-ecb";
const BLOCK_BYTES = 16;
/** The first half of a block is zero, which detects text not encrypted with this key. */
const SEQUENCE_AT = 8;

/** `key` is 32 bytes. */
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
