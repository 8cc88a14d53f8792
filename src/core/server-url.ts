// Reads the base URL of a server with an API into where to connect and what stands before every path. No DNS here.
import { parseIp } from "./addresses.ts";
import { isHostName } from "./host-name.ts";

export interface ServerUrl {
  isTls: boolean;
  /** Lower case, without brackets or final dot: what is resolved, sent as SNI and looked for in the certificate. */
  host: string;
  isLiteral: boolean;
  port: number;
  /** As in the Host header. */
  authority: string;
  /** Path before /chat/completions, without a slash at its end. */
  path: string;
}

const LONGEST_URL = 2_048;

/** Throws an Error that says what to write instead. */
export function readServerUrl(text: string): ServerUrl {
  if (text.length > LONGEST_URL) throw new Error(`must have at most ${LONGEST_URL} characters`);
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) {
    throw new Error("must be the address before /chat/completions, such as https://gpu.hospital.example:8000/v1");
  }
  // The parser drops tabs and line ends and reads "\" as "/": what a person saw would not be what is called.
  if (/[\p{Cc}\s\\]/u.test(text)) throw new Error("must not hold spaces, control characters or backslashes");
  if (/[?#]/.test(text)) throw new Error("must not have a query or a fragment");
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  if (username !== "" || password !== "" || /^https?:\/\/[^/]*@/i.test(text)) {
    throw new Error("must not hold a user name or password; the key has a field of its own");
  }
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const isLiteral = parseIp(host) !== null;
  if (!isLiteral && !isHostName(host)) throw new Error("must name a host by its DNS name or IP address");
  if (port === "0") throw new Error("must have a port between 1 and 65535, or none");
  const isTls = protocol === "https:";
  return {
    isTls,
    host,
    isLiteral,
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    authority: (host.includes(":") ? `[${host}]` : host) + (port === "" ? "" : `:${port}`),
    path: pathname.replace(/\/+$/, ""),
  };
}
