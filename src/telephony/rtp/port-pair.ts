// The socket pair of a call: RTP on an even port of the range and RTCP on the next. It may be open before there is a
// call; packets are dropped until then.
import { randomUint32 } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { openDatagrams, type Datagrams } from "./datagrams.ts";
import { createOutgoing, type Outgoing } from "./outgoing.ts";
import type { PortPool, PortRange } from "./ports.ts";
import { tappedDatagrams, tappedReceive, type PacketTap, type Receive } from "./tap.ts";

/** Other programs may use ports of the range; gives up after this many tries. */
const MOST_PORT_TRIES = 10;
/** Another port would not help: the process or the machine has no file descriptor left. */
const NO_DESCRIPTOR = ["EMFILE", "ENFILE"];

export interface PortPair {
  readonly port: number;
  readonly ssrc: number;
  readonly outgoing: Outgoing;
  /** Assigns the pair to a call, with its tap. */
  use(receive: { rtp: Receive; rtcp: Receive }, tap: PacketTap | undefined): { rtp: Datagrams; rtcp: Datagrams };
  close(): void;
}

/** Rejects if every port is in use or cooling down, or no file descriptor is left. Release `port` to the pool later. */
export async function openPortPair(ports: PortPool, range: PortRange, bindAddress: string): Promise<PortPair> {
  let lastError: unknown = null;
  for (let i = 0; i < MOST_PORT_TRIES; i++) {
    const port = ports.take();
    if (port === null) break;
    try {
      return await openPair(port, bindAddress);
    } catch (error) {
      lastError = error;
      const isPortToBlame = !NO_DESCRIPTOR.includes((error as { code?: string }).code ?? "");
      if (!isPortToBlame) {
        ports.putBack(port);
        break;
      }
      ports.release(port);
    }
  }
  throw new Error(
    `No pair of RTP ports is free on ${bindAddress} between ${range.from} and ${range.to}; widen the range.`,
    { cause: lastError },
  );
}

async function openPair(port: number, bindAddress: string): Promise<PortPair> {
  const ssrc = randomUint32();
  // In the lower half, as RFC 3711, section 3.3.1, advises: eleven minutes pass before SRTP's rollover counter
  // increases.
  const outgoing = createOutgoing({ ssrc, sequence: randomUint32() & 0x7fff, timestamp: randomUint32() });
  const hears: { rtp: Receive; rtcp: Receive } = { rtp() {}, rtcp() {} };
  const open = (kind: "rtp" | "rtcp", at: number) =>
    openDatagrams({ bindAddress, port: at, outgoing: outgoing.packet, receive: (...packet) => hears[kind](...packet) });
  const rtp = await open("rtp", port);
  const rtcp = await open("rtcp", port + 1).catch((error: unknown) => {
    rtp.close();
    throw error;
  });
  return {
    port,
    ssrc,
    outgoing,
    use(receive, tap) {
      const local = (at: number) => ({ address: bindAddress, port: at });
      hears.rtp = tap ? tappedReceive(receive.rtp, local(port), tap) : receive.rtp;
      hears.rtcp = tap ? tappedReceive(receive.rtcp, local(port + 1), tap) : receive.rtcp;
      if (!tap) return { rtp, rtcp };
      return {
        rtp: tappedDatagrams(rtp, outgoing.packet, local(port), tap),
        rtcp: tappedDatagrams(rtcp, outgoing.packet, local(port + 1), tap),
      };
    },
    close() {
      rtp.close();
      rtcp.close();
    },
  };
}

/** A listener that throws must not crash the Worker with every other call. */
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
