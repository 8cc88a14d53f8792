// Key derivation of SRTP (RFC 3711, section 4.3): the session keys of one direction from its master key and salt.
import { createCipheriv } from "node:crypto";

export const SRTP_SUITES = ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const;
export type SrtpSuite = (typeof SRTP_SUITES)[number];

/** RFC 4568, section 6.2: the short tag is for RTP only, SRTCP keeps the long one. */
export const RTP_TAG_BYTES: Readonly<Record<SrtpSuite, number>> = {
  AES_CM_128_HMAC_SHA1_80: 10,
  AES_CM_128_HMAC_SHA1_32: 4,
};
export const RTCP_TAG_BYTES = 10;
export const LONGEST_TAG_BYTES = 10;

const KEY_BYTES = 16;
const SALT_BYTES = 14;
const AUTH_KEY_BYTES = 20;
/** As in SDP: the key, then the salt. */
export const MASTER_BYTES = KEY_BYTES + SALT_BYTES;

/** Section 4.3.2. */
const LABELS = { rtp: { cipher: 0, auth: 1, salt: 2 }, rtcp: { cipher: 3, auth: 4, salt: 5 } } as const;

export interface DerivedKeys {
  cipherKey: Uint8Array;
  authKey: Uint8Array;
  salt: Uint8Array;
}

/** Derived once per call: the key derivation rate is zero, as in nearly all implementations. */
export function derivedKeys(master: Uint8Array, stream: keyof typeof LABELS): DerivedKeys {
  if (master.length !== MASTER_BYTES) throw new Error("An SRTP master key and its salt are 30 bytes together.");
  const labels = LABELS[stream];
  return {
    cipherKey: derived(master, labels.cipher, KEY_BYTES),
    authKey: derived(master, labels.auth, AUTH_KEY_BYTES),
    salt: derived(master, labels.salt, SALT_BYTES),
  };
}

function derived(master: Uint8Array, label: number, length: number): Uint8Array {
  const start = new Uint8Array(16);
  start.set(master.subarray(KEY_BYTES));
  start[7] = (start[7] ?? 0) ^ label;
  return createCipheriv("aes-128-ctr", master.subarray(0, KEY_BYTES), start).update(new Uint8Array(length));
}
