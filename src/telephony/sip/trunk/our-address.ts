// Our address as announced to a trunk in Contact: from the address that the trunk reports, and from the settings.
import { canonicalAddress } from "../../../net/addresses.ts";
import { outerAddress } from "../transport/addresses.ts";
import type { SipResponse } from "../message/message.ts";
import type { Endpoint } from "../transport/flow.ts";
import { sipUri } from "../message/uri.ts";
import type { TransportName, TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface OurAddress {
  /** Learns from `received` and `rport` in its responses (RFC 3581). */
  learn(response: SipResponse): void;
  /** The trunk is reached over another flow now. */
  forget(): void;
  /** `sip:user@address:port`. */
  uriOf(user: string): string;
}

export interface OurAddressOptions {
  settings: TrunkSettings;
  externalAddress: string | null;
  /** Null before there is a flow to the trunk. */
  local: () => Endpoint | null;
  listensOn: (transport: TransportName) => number | null;
}

export function createOurAddress({ settings, externalAddress, ...options }: OurAddressOptions): OurAddress {
  const { transport, register } = settings;
  let seenAs: Endpoint | null = null;
  return {
    learn({ via }) {
      const { received, rport } = via.parameters as Partial<Record<string, string>>;
      // Some peers wrongly put IPv6 in brackets here.
      const address = canonicalAddress((received ?? via.host).replaceAll(/[[\]]/g, ""));
      const port = Number(rport === undefined || rport === "" ? via.port : rport);
      if (port > 0) seenAs = { address, port };
    },
    forget: () => (seenAs = null),
    /**
     * A TCP or TLS trunk reaches us over the connection that we keep to it, which it finds by the address and port it
     * sees. An unregistered trunk may open its own connections, if we listen.
     */
    uriOf(user) {
      const local = options.local() ?? { address: "127.0.0.1", port: 5060 };
      const listensOn = transport === "udp" || register ? null : options.listensOn(transport);
      const own = listensOn === null ? (seenAs ?? local) : { address: local.address, port: listensOn };
      const address = outerAddress(externalAddress, own.address);
      const port = transport === "udp" && address === externalAddress ? local.port : own.port;
      return sipUri(user, address, port, transport === "udp" ? {} : { transport });
    },
  };
}
