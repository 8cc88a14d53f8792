// A UDP socket for media: marked for priority, hearing everybody, fast towards one peer, and deaf to refused packets.
import { fastSendTo, ignoreRefusals, setSocketOption, type FastSend } from "../libc.ts";

export interface Datagrams {
  readonly port: number;
  /** Where `send` goes from now on. */
  aim(address: string, port: number): void;
  /**
   * Sends the first `length` bytes of the buffer given at opening. False where there is no aim or the kernel refused.
   */
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
  const socket = await Bun.udpSocket({
    hostname: bindAddress,
    port,
    socket: {
      data(_socket, bytes, fromPort, fromAddress) {
        if (!datagrams.isClosed) receive(bytes, fromAddress, fromPort);
      },
      // A peer that is not listening yet, or no more, answers with ICMP; media goes on regardless.
      error() {},
    },
  });
  const datagrams = new UdpDatagrams(socket, outgoing);
  // A socket of IPv6 may carry both versions, and each has a mark of its own.
  if (bindAddress.includes(":")) setSocketOption(datagrams.descriptor, "expeditedForwardingV6");
  setSocketOption(datagrams.descriptor, "expeditedForwarding");
  setSocketOption(datagrams.descriptor, "receiveBuffer");
  ignoreRefusals(datagrams.descriptor);
  return datagrams;
}

class UdpDatagrams implements Datagrams {
  readonly port: number;
  /** Bun's types leave it out; without it the socket works, only unmarked and a little slower. */
  readonly descriptor: number;
  isClosed = false;
  private fastSend: FastSend | null = null;
  private aimed: { address: string; port: number } | null = null;

  constructor(
    private readonly socket: Bun.udp.Socket<"buffer">,
    private readonly outgoing: Uint8Array<ArrayBuffer>,
  ) {
    this.port = socket.port;
    this.descriptor = (socket as { fd?: number }).fd ?? -1;
  }

  aim(address: string, port: number): void {
    this.aimed = { address, port };
    this.fastSend = fastSendTo(this.descriptor, this.outgoing, address, port);
  }

  send(length: number): boolean {
    if (this.isClosed) return false;
    if (this.fastSend) return this.fastSend(length);
    const { aimed } = this;
    return aimed !== null && this.sendTo(this.outgoing.subarray(0, length), aimed.address, aimed.port);
  }

  sendTo(bytes: Uint8Array, address: string, port: number): boolean {
    if (this.isClosed) return false;
    // Most peers do not listen for reports, and Bun makes an exception of each refusal: a twentieth of all work at 400
    // calls.
    const fast = fastSendTo(this.descriptor, bytes, address, port);
    if (fast) return fast(bytes.length);
    try {
      return this.socket.send(bytes, port, address);
    } catch {
      return false; // ECONNREFUSED of an earlier packet, or no route: the next frame tries again.
    }
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }
}
