// Parser for a URL into its connection target and path. No DNS here.
import { parseIp, type IpBytes } from "./addresses.ts";
import { isHostName } from "./host-name.ts";

export interface HttpUrl {
  isTls: boolean;
  /** Lower-case, without brackets or final dot: used for DNS, SNI and certificate verification. */
  host: string;
  /** Set if the URL contains an IP address. */
  literal: IpBytes | null;
  port: number;
  /** As in the Host header. */
  authority: string;
  /** Path and query, percent-encoded. */
  path: string;
}

const LONGEST_URL = 2_048;

/** Throws an Error that says what the URL must be; further rules are up to the caller. */
export function readHttpUrl(text: string, example: string): HttpUrl {
  if (text.length > LONGEST_URL) throw new Error(`must have at most ${LONGEST_URL} characters`);
  // The parser drops tabs and line breaks and reads "\" as "/": the called URL would differ from the visible one.
  if (/[\p{Cc}\s\\]/u.test(text)) throw new Error("must not hold spaces, control characters or backslashes");
  // The parser accepts "https:///host/" as "https://host/".
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || !URL.canParse(text)) throw new Error(`must be ${example}`);
  if (authority.includes("@")) throw new Error("must not hold a user name or password");
  const { protocol, hostname, port, pathname, search } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const literal = parseIp(host);
  if (!literal && !isHostName(host)) throw new Error("must name a host by its DNS name or IP address");
  if (port === "0") throw new Error("must have a port between 1 and 65535, or none");
  const isTls = protocol === "https:";
  return {
    isTls,
    host,
    literal,
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    authority: (host.includes(":") ? `[${host}]` : host) + (port === "" ? "" : `:${port}`),
    path: pathname + search,
  };
}

/** The base URL of an API server; `path` is the prefix of every path, without a trailing slash. */
export function readServerUrl(text: string): HttpUrl {
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new Error("must not hold a user name or password; the key has a field of its own");
  }
  const url = readHttpUrl(text, "the address before /chat/completions, such as https://gpu.hospital.example:8000/v1");
  if (/[?#]/.test(text)) throw new Error("must not have a query or a fragment");
  return { ...url, path: url.path.replace(/\/+$/, "") };
}
