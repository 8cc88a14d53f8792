// Short-lived access tokens of SMART clients: rw_access_<id of the key>.<claims>.<MAC>. They need no row: the key is
// looked up at every request, so a revoked client loses its tokens at once.
import { SECOND_MS } from "../core/clock.ts";
import { equalInConstantTime, hmacSha256 } from "../core/hmac.ts";
import { isScope, type Scope } from "../payloads/scopes.ts";

const PREFIX = "rw_access_";
const FORM = /^rw_access_(?<id>[0-9a-z]{26})\.(?<claims>[A-Za-z0-9_-]{1,2000})\.(?<mac>[A-Za-z0-9_-]{43})$/;

export interface TokenClaims {
  keyId: string;
  scopes: readonly Scope[];
  /** Milliseconds, to the second. */
  expiresAt: number;
}

export const isAccessToken = (text: string): boolean => text.startsWith(PREFIX);

export function makeAccessToken(macKey: Buffer, { keyId, scopes, expiresAt }: TokenClaims): string {
  const claims = Buffer.from(JSON.stringify([Math.floor(expiresAt / SECOND_MS), scopes.join(" ")])).toString(
    "base64url",
  );
  const signed = `${PREFIX}${keyId.slice("key_".length)}.${claims}`;
  return `${signed}.${hmacSha256(macKey, signed).toString("base64url")}`;
}

/** Null if it is not ours or has expired. */
export function readAccessToken(macKey: Buffer, text: string, now: number): TokenClaims | null {
  const { id = "", claims = "", mac = "" } = FORM.exec(text)?.groups ?? {};
  const signed = text.slice(0, -mac.length - 1);
  if (mac === "" || !equalInConstantTime(hmacSha256(macKey, signed).toString("base64url"), mac)) return null;
  const [seconds, scopes] = JSON.parse(Buffer.from(claims, "base64url").toString()) as [number, string];
  const expiresAt = seconds * SECOND_MS;
  return expiresAt <= now ? null : { keyId: `key_${id}`, scopes: scopes.split(" ").filter(isScope), expiresAt };
}
