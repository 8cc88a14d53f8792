// SRTP keys in SDP (RFC 4568): parses and writes a=crypto lines, and selects the usable ones.
import { MASTER_BYTES, SRTP_SUITES, type SrtpSuite } from "../../rtp/srtp-keys.ts";

export interface CryptoLine {
  /** The answer refers to a line of the offer by its tag. */
  tag: number;
  suite: SrtpSuite;
  /** Master key and salt, base64. */
  key: string;
}

/** Limit of lines per section; further ones are ignored. */
const MOST_LINES = 16;

/** Null for unsupported lines, which may be valid for others. `value` is the text after `a=`. */
export function parseCryptoLine(value: string): CryptoLine | null {
  const match = /^crypto:(\d{1,9})\s+(\S{1,60})\s+inline:(\S{1,200})((?:\s+\S{1,60}){0,8})\s*$/i.exec(value);
  if (!match) return null;
  const suite = SRTP_SUITES.find((one) => one === match[2]?.toUpperCase());
  const key = masterKeyOf(match[3] ?? "");
  if (!suite || key === null || !(match[4] ?? "").trim().split(/\s+/).every(isHarmless)) return null;
  return { tag: Number(match[1]), suite, key };
}

/**
 * The key lifetime is its owner's responsibility. Lines with a key identifier (MKI), which would be in every packet,
 * are not supported; Asterisk does not support them either.
 */
function masterKeyOf(text: string): string | null {
  const [, key, , identifier] = /^([A-Za-z0-9+/]{40})={0,2}(\|[0-9^]{1,20})?(\|\d+:\d+)?$/.exec(text) ?? [];
  if (key === undefined || identifier !== undefined) return null;
  return Buffer.from(key, "base64").length === MASTER_BYTES ? key : null;
}

/** Of the session parameters, only the window size hint has no effect; those that start with "-" may be ignored. */
function isHarmless(parameter: string): boolean {
  return parameter === "" || parameter.startsWith("-") || /^WSH=\d+$/i.test(parameter);
}

export function writeCryptoLine({ tag, suite, key }: CryptoLine): string {
  return `a=crypto:${tag} ${suite} inline:${key}`;
}

/** Keys of a section: the usable lines in the peer's order, and the number of all lines. */
export interface SectionCrypto {
  usable: CryptoLine[];
  lines: number;
}

export function addCryptoLine(section: SectionCrypto, value: string): void {
  section.lines += 1;
  const line = section.lines > MOST_LINES ? null : parseCryptoLine(value);
  if (line) section.usable.push(line);
}
