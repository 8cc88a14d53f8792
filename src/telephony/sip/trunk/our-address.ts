// Where a trunk reaches us, as we tell it in Contact: by what it says of how it sees us, and by how it is set up.
import { canonicalAddress } from "../../../net/addresses.ts";
import { outerAddress } from "../transport/addresses.ts";
import type { SipResponse } from "../message/message.ts";
import type { Endpoint } from "../transport/flow.ts";
import { sipUri } from "../message/uri.ts";
import type { TransportName, TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface OurAddress {
  /** Takes note of `received` and `rport` in its answers (RFC 3581). */
  learn(response: SipResponse): void;
  /** It is spoken to by another way now. */
  forget(): void;
  /** `sip:user@address:port`. */
  uriOf(user: string): string;
}

export interface OurAddressOptions {
  settings: TrunkSettings;
  externalAddress: string | null;
  /** Null before there is a way to the trunk. */
  local: () => Endpoint | null;
  listensOn: (transport: TransportName) => number | null;
}

export function createOurAddress({ settings, externalAddress, ...options }: OurAddressOptions): OurAddress {
  const { transport, register } = settings;
  let seenAs: Endpoint | null = null;
  return {
    learn({ via }) {
      const { received, rport } = via.parameters as Partial<Record<string, string>>;
      // Some write IPv6 in brackets here, where none belong.
      const address = canonicalAddress((received ?? via.host).replaceAll(/[[\]]/g, ""));
      const port = Number(rport === undefined || rport === "" ? via.port : rport);
      if (port > 0) seenAs = { address, port };
    },
    forget: () => (seenAs = null),
    /**
     * A trunk over TCP or TLS reaches us over the connection that we keep to it, and finds it by the address and port
     * that it sees on it. One that is not registered may open connections of its own to us, where we take any.
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
