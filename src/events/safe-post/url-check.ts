// Parses an endpoint's URL into connection target and request, and rejects URLs that can never be sent to. No DNS.
import { messageOf } from "../../core/errors.ts";
import { parseIp } from "../../net/addresses.ts";
import { readHttpUrl, type HttpUrl } from "../../net/http-url.ts";
import { refusal, type AllowList } from "./allow-list.ts";
import { isLocalhostName } from "../../net/host-name.ts";

export class UrlFault extends Error {
  override name = "UrlFault";
}

const LOOPBACKS = ["127.0.0.1", "::1"].flatMap((text) => parseIp(text) ?? []);

/** Throws a UrlFault with a message for the user who registers the endpoint. */
export function readTarget(url: string, allow: AllowList): HttpUrl {
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

function parseTarget(url: string): HttpUrl {
  if (!/^https:\/\//i.test(url)) throw new UrlFault("url must start with https://.");
  if (url.includes("#")) throw new UrlFault("url must not have a fragment (#…): it is never sent to a server.");
  try {
    return readHttpUrl(url, "a valid URL, such as https://hospital.example/hooks");
  } catch (error) {
    throw new UrlFault(`url ${messageOf(error)}.`);
  }
}
