// Logs, at most once an hour, that a proxy is in front whose client address header is not configured. All clients then
// appear to share one address, and password guesses slow down the real person.
import { isOfKind, type AddressKind } from "../net/addresses.ts";
import { HOUR_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import { infoOf } from "./request-info.ts";

const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;
/** Where an operator's own proxy is located. */
const OWN_NETWORK: readonly AddressKind[] = ["loopback", "private", "unique-local", "link-local"];

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
      if (header === undefined || !isOfKind(OWN_NETWORK, infoOf(request).source())) return;
      saidAt = clock.now();
      logger.warn(
        "Requests arrive through a proxy, but server.client_address_header is empty, so all clients share the proxy's address. Set it to the header in which the proxy sends the client's address.",
        { header },
      );
    },
  };
}
