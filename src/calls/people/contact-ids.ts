// Contact ids for URLs. A number in a URL would appear in proxy logs and the browser's history. An id is one AES block
// of the number under a key of the appliance, and is valid in one organisation only.
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

export interface ContactIds {
  /** Null if the number is not in international format, such as a withheld caller id. */
  idOf(organisationId: string, number: string): string | null;
  /** Null if this appliance did not create the id for this organisation. */
  numberOf(organisationId: string, id: string): string | null;
}

const CIPHER = "aes-256-ecb";
const BLOCK_BYTES = 16;
/** The first half identifies the organisation, the second holds the digits. */
const DIGITS_AT = 8;

/** `key` must have 32 bytes. */
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
