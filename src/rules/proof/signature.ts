// Ed25519 (RFC 8032) over canonical JSON. Keys are raw bytes in hex: 32 of the private seed, 32 of the public key.
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { sha256Hex } from "../../core/hmac.ts";

/** DER headers before the raw bytes (RFC 8410). */
const PRIVATE_HEADER = "302e020100300506032b657004220420";
const PUBLIC_HEADER = "302a300506032b6570032100";

export interface Signer {
  /** Public key, in hex. */
  readonly key: string;
  /** In hex. */
  sign(text: string): string;
}

/** `seed`: 32 bytes in hex. */
export function createSigner(seed: string): Signer {
  const secret = createPrivateKey({ key: Buffer.from(PRIVATE_HEADER + seed, "hex"), format: "der", type: "pkcs8" });
  const key = createPublicKey(secret)
    .export({ format: "der", type: "spki" })
    .toString("hex")
    .slice(PUBLIC_HEADER.length);
  return { key, sign: (text) => sign(null, Buffer.from(text), secret).toString("hex") };
}

const opened = new Map<string, KeyObject>();
const MOST_OPENED = 100;

/** `key` and `signature` in lower-case hex. False for anything else. */
export function isSignedBy(key: string, text: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  return verify(null, Buffer.from(text), publicKeyOf(key), Buffer.from(signature, "hex"));
}

function publicKeyOf(key: string): KeyObject {
  let found = opened.get(key);
  if (!found) {
    found = createPublicKey({ key: Buffer.from(PUBLIC_HEADER + key, "hex"), format: "der", type: "spki" });
    if (opened.size >= MOST_OPENED) opened.clear();
    opened.set(key, found);
  }
  return found;
}

/** A signed object as one line: its canonical JSON with hash and signature, in canonical JSON itself. */
export interface SignedLine {
  hash: string;
  line: string;
}

/** `value` has its keys in alphabetical order and plain strings, so that its JSON is canonical. */
export function signedLine(name: "head" | "record", value: object, signer: Signer): SignedLine {
  const text = JSON.stringify(value);
  const hash = sha256Hex(text);
  // Keys in their order: "hash", then "head" or "record", then "signature".
  return { hash, line: `{"hash":"${hash}","${name}":${text},"signature":"${signer.sign(text)}"}` };
}
