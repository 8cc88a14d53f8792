// Reads an endpoint's URL into where to connect and what to ask for, and refuses what can never be sent to. No DNS here.
import { parseIp, type IpBytes } from "../../core/addresses.ts";
import { refusal, type AllowList } from "./allow-list.ts";
import { isHostName, isLocalhostName } from "../../core/host-name.ts";

export interface Target {
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

export class UrlFault extends Error {
  override name = "UrlFault";
}

const LONGEST_URL = 2_048;
const HTTPS_PORT = 443;
const LOOPBACKS = ["127.0.0.1", "::1"].flatMap((text) => parseIp(text) ?? []);

/** Throws a UrlFault with a message for the person who registers the endpoint. */
export function readTarget(url: string, allow: AllowList): Target {
  const target = parseTarget(url);
  if (target.literal) {
    const reason = refusal(allow, target.host, target.literal);
    if (reason !== null) throw new UrlFault(`url must name a receiver this appliance may reach: ${reason}.`);
  } else if (
    isLocalhostName(target.host) &&
    LOOPBACKS.every((address) => refusal(allow, target.host, address) !== null)
  ) {
    throw new UrlFault("url must name a receiver this appliance may reach: localhost is this machine itself.");
  }
  return target;
}

function parseTarget(url: string): Target {
  if (url.length > LONGEST_URL) throw new UrlFault(`url must have at most ${LONGEST_URL} characters.`);
  if (!/^https:\/\//i.test(url)) throw new UrlFault("url must start with https://.");
  // The parser drops tabs and line ends and reads "\" as "/": what a person saw would not be what is called.
  if (/[\p{Cc}\s\\]/u.test(url)) throw new UrlFault("url must not hold spaces, control characters or backslashes.");
  if (url.includes("#")) throw new UrlFault("url must not have a fragment (#…): it is never sent to a server.");
  const authority = /^https:\/\/([^/?]*)/i.exec(url)?.[1] ?? "";
  if (authority.includes("@")) throw new UrlFault("url must not hold a user name or password.");
  // The parser takes "https:///host/" for "https://host/".
  if (authority === "" || !URL.canParse(url))
    throw new UrlFault("url must be a valid URL, such as https://hospital.example/hooks.");

  const { hostname, port, pathname, search } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const literal = parseIp(host);
  if (!literal && !isHostName(host)) throw new UrlFault("url must name a host by its DNS name or IP address.");
  if (port === "0") throw new UrlFault("url must have a port between 1 and 65535, or none.");
  return {
    host,
    literal,
    port: port === "" ? HTTPS_PORT : Number(port),
    authority: (host.includes(":") ? `[${host}]` : host) + (port === "" ? "" : `:${port}`),
    path: pathname + search,
  };
}
