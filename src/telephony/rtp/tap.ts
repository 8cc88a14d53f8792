// Packet tap: passes every sent and received packet of a call to a listener. Untapped calls have no overhead.
import type { Endpoint } from "../udp-packet.ts";
import type { Datagrams } from "./datagrams.ts";

/**
 * RTP and RTCP, including packets from other sources. The bytes are reused, so copy them to keep them. Must not throw.
 */
export type PacketTap = (direction: "sent" | "received", bytes: Uint8Array, local: Endpoint, remote: Endpoint) => void;

export type Receive = (bytes: Uint8Array, address: string, port: number) => void;

export function tappedReceive(receive: Receive, local: Endpoint, tap: PacketTap): Receive {
  return (bytes, address, port) => {
    tap("received", bytes, local, { address, port });
    receive(bytes, address, port);
  };
}

/** `outgoing` is the buffer that `send` sends from. */
export function tappedDatagrams(inner: Datagrams, outgoing: Uint8Array, local: Endpoint, tap: PacketTap): Datagrams {
  let aim: Endpoint | null = null;
  return {
    port: inner.port,
    aim(address, port) {
      aim = { address, port };
      inner.aim(address, port);
    },
    send(length) {
      const wasSent = inner.send(length);
      if (wasSent && aim) tap("sent", outgoing.subarray(0, length), local, aim);
      return wasSent;
    },
    sendTo(bytes, address, port) {
      inner.sendTo(bytes, address, port);
      tap("sent", bytes, local, { address, port });
    },
    close: () => inner.close(),
  };
}
