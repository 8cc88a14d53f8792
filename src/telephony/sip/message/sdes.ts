// SRTP keys in SDP (RFC 4568): the a=crypto lines, read and written, and which of them can be taken.
import { MASTER_BYTES, SRTP_SUITES, type SrtpSuite } from "../../rtp/srtp-keys.ts";

export interface CryptoLine {
  /** The answer names the line of the offer that it takes by it. */
  tag: number;
  suite: SrtpSuite;
  /** Master key and salt, base64. */
  key: string;
}

/** A section holds no more lines than this; the others are not read. */
const MOST_LINES = 16;

/** Null for what we cannot take; it may be well for others. `value` is what follows `a=`. */
export function parseCryptoLine(value: string): CryptoLine | null {
  const match = /^crypto:(\d{1,9})\s+(\S{1,60})\s+inline:(\S{1,200})((?:\s+\S{1,60}){0,8})\s*$/i.exec(value);
  if (!match) return null;
  const suite = SRTP_SUITES.find((one) => one === match[2]?.toUpperCase());
  const key = masterKeyOf(match[3] ?? "");
  if (!suite || key === null || !(match[4] ?? "").trim().split(/\s+/).every(isHarmless)) return null;
  return { tag: Number(match[1]), suite, key };
}

/**
 * How long the key lives is for its owner to keep. A key identifier (MKI) would stand in every packet: such a line is
 * not taken, as Asterisk does not take it either.
 */
function masterKeyOf(text: string): string | null {
  const [, key, , identifier] = /^([A-Za-z0-9+/]{40})={0,2}(\|[0-9^]{1,20})?(\|\d+:\d+)?$/.exec(text) ?? [];
  if (key === undefined || identifier !== undefined) return null;
  return Buffer.from(key, "base64").length === MASTER_BYTES ? key : null;
}

/**
 * Of the session parameters, only a hint of the window changes nothing; those that begin with "-" may be passed over.
 */
function isHarmless(parameter: string): boolean {
  return parameter === "" || parameter.startsWith("-") || /^WSH=\d+$/i.test(parameter);
}

export function writeCryptoLine({ tag, suite, key }: CryptoLine): string {
  return `a=crypto:${tag} ${suite} inline:${key}`;
}

/** What a section holds of keys: the lines that we can take, in the peer's order, and whether there were any at all. */
export interface SectionCrypto {
  usable: CryptoLine[];
  lines: number;
}

export function addCryptoLine(section: SectionCrypto, value: string): void {
  section.lines += 1;
  const line = section.lines > MOST_LINES ? null : parseCryptoLine(value);
  if (line) section.usable.push(line);
}
