// The two sockets of a call, RTP on an even port of our range and RTCP on the next.
import type { Logger } from "../../../core/logger.ts";
import { openDatagrams, type Datagrams } from "./datagrams.ts";
import type { PortPool, PortRange } from "./ports.ts";
import { tappedDatagrams, tappedReceive, type PacketTap, type Receive } from "./tap.ts";

/** Other programs may hold ports of our range; so many are tried before we give up. */
const MOST_PORT_TRIES = 10;

export interface PortPair {
  port: number;
  rtp: Datagrams;
  rtcp: Datagrams;
}

/** What both sockets of a call have in common. */
export interface CallSockets {
  bindAddress: string;
  /** What their `send` sends. */
  outgoing: Uint8Array<ArrayBuffer>;
  tap: PacketTap | undefined;
}

/** Rejects where every port is taken or resting. What is given back to the pool later is `port`. */
export async function openPortPair(
  ports: PortPool,
  range: PortRange,
  sockets: CallSockets,
  receive: { rtp: Receive; rtcp: Receive },
): Promise<PortPair> {
  let lastError: unknown = null;
  for (let i = 0; i < MOST_PORT_TRIES; i++) {
    const port = ports.take();
    if (port === null) break;
    let rtp: Datagrams | null = null;
    try {
      rtp = await openSocket(port, sockets, receive.rtp);
      const rtcp = await openSocket(port + 1, sockets, receive.rtcp);
      return { port, rtp, rtcp };
    } catch (error) {
      lastError = error;
      rtp?.close();
      ports.release(port);
    }
  }
  throw new Error(
    `No pair of RTP ports is free on ${sockets.bindAddress} between ${range.from} and ${range.to}; widen the range.`,
    { cause: lastError },
  );
}

async function openSocket(port: number, sockets: CallSockets, receive: Receive): Promise<Datagrams> {
  const { bindAddress, outgoing, tap } = sockets;
  if (!tap) return openDatagrams({ bindAddress, port, outgoing, receive });
  const local = { address: bindAddress, port };
  const tapped = { bindAddress, port, outgoing, receive: tappedReceive(receive, local, tap) };
  return tappedDatagrams(await openDatagrams(tapped), outgoing, local, tap);
}

/** A listener that throws must not bring down the Worker, and with it every other call. */
export function guarded(receive: Receive, logger: Logger): Receive {
  return (bytes, address, port) => {
    try {
      receive(bytes, address, port);
    } catch (error) {
      logger.error("a packet could not be handled", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  };
}
