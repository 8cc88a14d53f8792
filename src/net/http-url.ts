// Reads a URL into where to connect and what to ask for. No DNS here.
import { parseIp, type IpBytes } from "./addresses.ts";
import { isHostName } from "./host-name.ts";

export interface HttpUrl {
  isTls: boolean;
  /** Lower case, without brackets or final dot: what is resolved, sent as SNI and looked for in the certificate. */
  host: string;
  /** Set where the URL names an address. */
  literal: IpBytes | null;
  port: number;
  /** As in the Host header. */
  authority: string;
  /** Path and query, percent-encoded. */
  path: string;
}

const LONGEST_URL = 2_048;

/** Throws an Error that says what the URL must be; what it must look like beyond that is the caller's rule. */
export function readHttpUrl(text: string, example: string): HttpUrl {
  if (text.length > LONGEST_URL) throw new Error(`must have at most ${LONGEST_URL} characters`);
  // The parser drops tabs and line ends and reads "\" as "/": what a person saw would not be what is called.
  if (/[\p{Cc}\s\\]/u.test(text)) throw new Error("must not hold spaces, control characters or backslashes");
  // The parser takes "https:///host/" for "https://host/".
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

/** The base URL of a server with an API; `path` is what stands before every path, without a slash at its end. */
export function readServerUrl(text: string): HttpUrl {
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new Error("must not hold a user name or password; the key has a field of its own");
  }
  const url = readHttpUrl(text, "the address before /chat/completions, such as https://gpu.hospital.example:8000/v1");
  if (/[?#]/.test(text)) throw new Error("must not have a query or a fragment");
  return { ...url, path: url.path.replace(/\/+$/, "") };
}
