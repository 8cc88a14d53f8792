// A UDP socket for media: marked for priority, hearing everybody, fast towards one peer, and deaf to refused packets.
import { fastSendTo, ignoreRefusals, setSocketOption, type FastSend } from "../worker/libc.ts";

export interface Datagrams {
  readonly port: number;
  /** Where `send` goes from now on. */
  aim(address: string, port: number): void;
  /** Sends the first `length` bytes of the buffer given at opening. False where there is no aim or the kernel refused. */
  send(length: number): boolean;
  /** Any bytes to any address, for what is rare. */
  sendTo(bytes: Uint8Array, address: string, port: number): void;
  close(): void;
}

export interface DatagramOptions {
  bindAddress: string;
  port: number;
  /** What `send` sends; it must keep its memory, so it is made over an ArrayBuffer of its own. */
  outgoing: Uint8Array<ArrayBuffer>;
  receive(bytes: Uint8Array, address: string, port: number): void;
}

/** Rejects where the port is taken. */
export async function openDatagrams({ bindAddress, port, outgoing, receive }: DatagramOptions): Promise<Datagrams> {
  let isClosed = false;
  const socket = await Bun.udpSocket({
    hostname: bindAddress,
    port,
    socket: {
      data(_socket, bytes, fromPort, fromAddress) {
        if (!isClosed) receive(bytes, fromAddress, fromPort);
      },
      // A peer that is not listening yet, or no more, answers with ICMP; media goes on regardless.
      error() {},
    },
  });
  // Bun's types leave the descriptor out; without it the socket works, only unmarked and a little slower.
  const descriptor = (socket as { fd?: number }).fd ?? -1;
  // A socket of IPv6 may carry both versions, and each has a mark of its own.
  if (bindAddress.includes(":")) setSocketOption(descriptor, "expeditedForwardingV6");
  setSocketOption(descriptor, "expeditedForwarding");
  setSocketOption(descriptor, "receiveBuffer");
  ignoreRefusals(descriptor);
  let aim: { address: string; port: number } | null = null;
  let fastSend: FastSend | null = null;

  function sendTo(bytes: Uint8Array, address: string, toPort: number): boolean {
    if (isClosed) return false;
    // Most peers do not listen for reports, and Bun makes an exception of each refusal: a twentieth of all work at 400 calls.
    const fast = fastSendTo(descriptor, bytes, address, toPort);
    if (fast) return fast(bytes.length);
    try {
      return socket.send(bytes, toPort, address);
    } catch {
      return false; // ECONNREFUSED of an earlier packet, or no route: the next frame tries again.
    }
  }

  return {
    port: socket.port,
    aim(address, toPort) {
      aim = { address, port: toPort };
      fastSend = fastSendTo(descriptor, outgoing, address, toPort);
    },
    send(length) {
      if (isClosed || !aim) return false;
      if (fastSend) return fastSend(length);
      return sendTo(outgoing.subarray(0, length), aim.address, aim.port);
    },
    sendTo,
    close() {
      isClosed = true;
      socket.close();
    },
  };
}
