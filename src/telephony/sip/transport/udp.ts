// SIP over UDP: one socket for all trunks. Packets from other addresses are dropped here, before parsing.
import { ignoreRefusals, setSocketOption } from "../../libc.ts";
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { sendSurely } from "./send-surely.ts";

export interface UdpTransport {
  readonly port: number;
  flowTo(remote: Endpoint, localAddress: string): Flow;
  close(): void;
}

export interface UdpOptions {
  bind: Endpoint;
  /** Whether this address belongs to a trunk. */
  isKnown: (address: string) => boolean;
  /** A packet from another address was dropped. */
  dropped: () => void;
  listener: FlowListener;
  /** Our address as this peer sees it, for the Via and Contact of responses. */
  localAddressFor: (remoteAddress: string) => string;
}

export async function openUdp(options: UdpOptions): Promise<UdpTransport> {
  const { bind, isKnown, dropped, listener, localAddressFor } = options;
  const socket = await Bun.udpSocket({
    hostname: bind.address,
    port: bind.port,
    socket: {
      data(_, bytes, port, rawAddress) {
        const address = plainAddress(rawAddress);
        if (!isKnown(address)) dropped();
        // CRLF and single zero bytes are keep-alives (RFC 5626, section 3.5.1, and common phones).
        else if (bytes.length > 4) listener.received(bytes, flowTo({ address, port }, localAddressFor(address)));
      },
      // An ICMP "port unreachable" arrives here without its peer. The transaction timers detect the failure.
      error() {},
    },
  });

  const descriptor = (socket as { fd?: number }).fd ?? -1;
  setSocketOption(descriptor, "signallingBuffer");
  ignoreRefusals(descriptor);

  function flowTo(remote: Endpoint, localAddress: string): Flow {
    return {
      transport: "udp",
      isReliable: false,
      remote,
      local: () => ({ address: localAddress, port: socket.port }),
      send(bytes) {
        return !socket.closed && sendSurely(() => socket.send(bytes, remote.port, remote.address));
      },
    };
  }

  return { port: socket.port, flowTo, close: () => socket.close() };
}

/** A dual-stack socket reports IPv4 peers as `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").toLowerCase();
}
