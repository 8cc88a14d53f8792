// Says in the log, at most once an hour, that a proxy stands in front whose header we were not told to read: everybody
// then seems to come from one address, and guesses at a password slow down the person who knows it.
import { HOUR_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import { infoOf } from "./request-info.ts";

const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;
/** Loopback, private and link-local, also as IPv6 writes IPv4: where one's own proxy is. */
const OWN_NETWORK =
  /^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|169\.254\.)|^::1$|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/i;

export interface ProxyNotice {
  look(request: Request): void;
}

export function createProxyNotice(deps: { clock: Clock; logger: Logger; addressHeader: string }): ProxyNotice {
  const { clock, logger, addressHeader } = deps;
  let saidAt = -Infinity;
  return {
    look(request) {
      if (addressHeader !== "" || Math.abs(clock.now() - saidAt) < HOUR_MS) return;
      const header = FORWARDING_HEADERS.find((name) => request.headers.has(name));
      if (header === undefined || !OWN_NETWORK.test(infoOf(request).source ?? "")) return;
      saidAt = clock.now();
      logger.warn(
        "A proxy passes requests on, but server.client_address_header is empty: everybody seems to come from the proxy. Set it to the header in which the proxy puts the caller's address.",
        { header },
      );
    },
  };
}
