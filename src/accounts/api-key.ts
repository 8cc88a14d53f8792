// Text format of an API key: rw_live_<id>_<secret>. The id selects the record; the hash of the whole text verifies the
// key.
import { isSha256Of, sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";

const FORM = /^rw_live_([0-9a-z]{26})_([A-Za-z0-9_-]{43})$/;
const SECRET_BYTES = 32;

export interface NewKeyText {
  id: string;
  /** Shown once, never stored. */
  text: string;
  hash: string;
}

export function makeKeyText(ids: Ids): NewKeyText {
  const id = ids.next("key");
  const text = `rw_live_${id.slice("key_".length)}_${ids.secret(SECRET_BYTES)}`;
  return { id, text, hash: sha256Hex(text) };
}

/** The id inside a well-formed key, or null. */
export function keyIdOf(text: string): string | null {
  const match = FORM.exec(text);
  return match ? `key_${match[1]}` : null;
}

export function keyMatches(text: string, storedHash: Buffer): boolean {
  return isSha256Of(storedHash, text);
}
