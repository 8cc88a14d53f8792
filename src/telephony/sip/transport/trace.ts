// Message ladder of one call: every message with its time and direction, without secrets and limited in size.
import type { LineMessage } from "../../line-report.ts";
import { firstLine, serialise, type SipMessage } from "../message/message.ts";
import { bracketed } from "../message/uri.ts";
import type { Flow } from "./flow.ts";

export interface Trace {
  /** Null once the ladder of this call is full. */
  entry(message: SipMessage, flow: Flow, direction: LineMessage["direction"], atMs: number): LineMessage | null;
}

/** A call with digest authentication and two holds has about 40; packet loss repeats each up to eleven times. */
const MOST_ENTRIES = 300;
const MOST_CHARACTERS = 6_000;
const SECRETS = /^((?:proxy-)?authorization:\s*\w+).*$/gim;
/** SRTP keys in SDP (RFC 4568): with the key, captured packets can be decrypted. */
const MEDIA_KEYS = /^(a=crypto:.*?inline:).*$/gim;

export function createTrace(): Trace {
  let count = 0;
  return {
    entry(message, flow, direction, atMs) {
      count += 1;
      if (count > MOST_ENTRIES) return null;
      return {
        atMs,
        direction,
        peer: `${flow.transport} ${bracketed(flow.remote.address)}:${flow.remote.port}`,
        firstLine: firstLine(message),
        text: withoutSecrets(serialise(message).toString("utf8")),
      };
    },
  };
}

export function withoutSecrets(text: string): string {
  const clean = text.replaceAll(SECRETS, "$1 (removed)").replaceAll(MEDIA_KEYS, "$1(removed)");
  return clean.length <= MOST_CHARACTERS
    ? clean
    : `${clean.slice(0, MOST_CHARACTERS)}\n(${clean.length} characters, cut)`;
}
