// The people who are called, as addresses name them. A number in an address would stand in the logs of every proxy and
// in the browser's history: so it is a block of AES under a key of the appliance, and means nothing in another
// organisation.
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

export interface ContactIds {
  /** Null for what is no number in international form, such as a caller who shows none. */
  idOf(organisationId: string, number: string): string | null;
  /** Null for what this appliance never wrote for this organisation. */
  numberOf(organisationId: string, id: string): string | null;
}

const CIPHER = "aes-256-ecb";
const BLOCK_BYTES = 16;
/** The first half tells the organisation, the second the digits. */
const DIGITS_AT = 8;

/** `key` has 32 bytes. */
export function createContactIds(key: Uint8Array): ContactIds {
  const markOf = (organisationId: string) =>
    createHash("sha256").update(organisationId).digest().subarray(0, DIGITS_AT);
  return {
    idOf(organisationId, number) {
      if (!/^\+[1-9]\d{1,14}$/.test(number)) return null;
      const block = Buffer.alloc(BLOCK_BYTES);
      markOf(organisationId).copy(block);
      block.writeBigUInt64BE(BigInt(number.slice(1)), DIGITS_AT);
      return createCipheriv(CIPHER, key, null).setAutoPadding(false).update(block).toString("hex");
    },
    numberOf(organisationId, id) {
      if (!/^[0-9a-f]{32}$/.test(id)) return null;
      const block = createDecipheriv(CIPHER, key, null).setAutoPadding(false).update(Buffer.from(id, "hex"));
      if (!block.subarray(0, DIGITS_AT).equals(markOf(organisationId))) return null;
      return `+${block.readBigUInt64BE(DIGITS_AT)}`;
    },
  };
}
