// UDP socket for media: marked for priority, receives from every address, sends fast to one peer, and ignores ICMP
// errors.
import { fastSendTo, ignoreRefusals, setSocketOption, type FastSend } from "../libc.ts";

export interface Datagrams {
  readonly port: number;
  /** Sets the destination of `send`. */
  aim(address: string, port: number): void;
  /**
   * Sends the first `length` bytes of the buffer given at opening. False if there is no destination or the kernel
   * refused.
   */
  send(length: number): boolean;
  /** Sends any bytes to any address, for rare packets. */
  sendTo(bytes: Uint8Array, address: string, port: number): void;
  close(): void;
}

export interface DatagramOptions {
  bindAddress: string;
  port: number;
  /** Buffer of `send`. Its memory must not move, so it has its own ArrayBuffer. */
  outgoing: Uint8Array<ArrayBuffer>;
  receive(bytes: Uint8Array, address: string, port: number): void;
}

/** Rejects if the port is in use. */
export async function openDatagrams({ bindAddress, port, outgoing, receive }: DatagramOptions): Promise<Datagrams> {
  const socket = await Bun.udpSocket({
    hostname: bindAddress,
    port,
    socket: {
      data(_socket, bytes, fromPort, fromAddress) {
        if (!datagrams.isClosed) receive(bytes, fromAddress, fromPort);
      },
      // A peer that does not listen yet, or no longer, answers with ICMP; media continues.
      error() {},
    },
  });
  const datagrams = new UdpDatagrams(socket, outgoing);
  // A dual-stack IPv6 socket needs both marks.
  if (bindAddress.includes(":")) setSocketOption(datagrams.descriptor, "expeditedForwardingV6");
  setSocketOption(datagrams.descriptor, "expeditedForwarding");
  setSocketOption(datagrams.descriptor, "receiveBuffer");
  ignoreRefusals(datagrams.descriptor);
  return datagrams;
}

class UdpDatagrams implements Datagrams {
  readonly port: number;
  /** Missing in Bun's types. Without it the socket works, but unmarked and slightly slower. */
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
    // Most peers do not listen for reports, and Bun throws an exception for each ICMP error: 5 % of all work at 400
    // calls.
    const fast = fastSendTo(this.descriptor, bytes, address, port);
    if (fast) return fast(bytes.length);
    try {
      return this.socket.send(bytes, port, address);
    } catch {
      return false; // ECONNREFUSED of an earlier packet, or no route: the next frame is sent anyway.
    }
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }
}
