// Digest authentication (RFC 7616 and 8760, with RFC 2617 and 2069 for older peers): MD5 and SHA-256, qop=auth.
import { createHash } from "node:crypto";
import { parseParameters } from "../message/uri.ts";

export interface Challenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  algorithm: DigestAlgorithm;
  /** Null for RFC 2069: a challenge without qop. */
  qop: "auth" | null;
  /** The nonce expired; user name and password were right. */
  isStale: boolean;
}

export interface DigestInput {
  username: string;
  password: string;
  method: string;
  uri: string;
  nonceCount: number;
  clientNonce: string;
}

const HASHES = { MD5: "md5", "MD5-sess": "md5", "SHA-256": "sha256", "SHA-256-sess": "sha256" } as const;
export type DigestAlgorithm = keyof typeof HASHES;
/**
 * Strongest first. RFC 8760, section 2.4, takes the first supported algorithm in the server's order; servers should
 * list the strongest first, but not all do.
 */
const PREFERENCE: readonly DigestAlgorithm[] = ["SHA-256", "SHA-256-sess", "MD5", "MD5-sess"];

/** Null if unsupported: another scheme or algorithm, or auth-int only. */
export function parseChallenge(header: string): Challenge | null {
  const match = /^Digest\s+(.*)$/is.exec(header.trim());
  if (!match) return null;
  const fields = parseParameters(semicolonsForCommas(match[1] ?? ""));
  const { realm, nonce, opaque, qop } = fields as Partial<Record<string, string>>;
  const wanted = (fields["algorithm"] ?? "MD5").toLowerCase();
  const algorithm = PREFERENCE.find((known) => known.toLowerCase() === wanted);
  if (realm === undefined || nonce === undefined || nonce === "" || !algorithm) return null;
  const offered = qop?.split(/[\s,]+/).map((one) => one.toLowerCase());
  if (offered && !offered.includes("auth")) return null;
  const isStale = fields["stale"]?.toLowerCase() === "true";
  return { realm, nonce, opaque: opaque ?? null, algorithm, qop: offered ? "auth" : null, isStale };
}

export function strongest(challenges: readonly Challenge[]): Challenge | null {
  const rank = (challenge: Challenge) => PREFERENCE.indexOf(challenge.algorithm);
  return challenges.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

export function digestResponse(challenge: Challenge, input: DigestInput): string {
  const { realm, nonce, qop, algorithm } = challenge;
  const hash = (text: string) => createHash(HASHES[algorithm]).update(text, "utf8").digest("hex");
  const account = hash(`${input.username}:${realm}:${input.password}`);
  const secret = algorithm.endsWith("-sess") ? hash(`${account}:${nonce}:${input.clientNonce}`) : account;
  const action = hash(`${input.method}:${input.uri}`);
  if (qop === null) return hash(`${secret}:${nonce}:${action}`);
  return hash(`${secret}:${nonce}:${countText(input.nonceCount)}:${input.clientNonce}:${qop}:${action}`);
}

/** Value of Authorization or Proxy-Authorization. */
export function authorization(challenge: Challenge, input: DigestInput): string {
  const { realm, nonce, opaque, qop, algorithm } = challenge;
  const fields = [
    `username="${quoted(input.username)}"`,
    `realm="${quoted(realm)}"`,
    `nonce="${quoted(nonce)}"`,
    `uri="${input.uri}"`,
    `response="${digestResponse(challenge, input)}"`,
    `algorithm=${algorithm}`,
  ];
  if (opaque !== null) fields.push(`opaque="${quoted(opaque)}"`);
  if (qop !== null) fields.push(`qop=${qop}`, `nc=${countText(input.nonceCount)}`);
  if (qop !== null || algorithm.endsWith("-sess")) fields.push(`cnonce="${input.clientNonce}"`);
  return `Digest ${fields.join(", ")}`;
}

/** `nextnonce` of an Authentication-Info header. */
export function nextNonce(header: string | undefined): string | null {
  const value = header === undefined ? undefined : parseParameters(semicolonsForCommas(header))["nextnonce"];
  return value === undefined || value === "" ? null : value;
}

function countText(nonceCount: number): string {
  return nonceCount.toString(16).padStart(8, "0");
}

function quoted(text: string): string {
  return text.replaceAll(/["\\]/g, "\\$&");
}

/** Challenge parameters are separated by commas instead of semicolons; inside quotes both are text. */
function semicolonsForCommas(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|,/g, (_, kept: string | undefined) => kept ?? ";");
}
