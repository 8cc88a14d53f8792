// The media side of all calls: ports, sockets and one tick. It runs in a Worker of its own, with no database beside it.
import { monotonicMs, systemClock, type Clock } from "../../../core/clock.ts";
import { randomUint32 } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { openDatagrams, type Datagrams } from "./datagrams.ts";
import { createAudioStream, type DrivenStream, type AudioStream } from "./audio-stream.ts";
import { createOutgoing } from "./outgoing.ts";
import { createPacer, type Pacer } from "./pacer.ts";
import { createPortPool, type PortRange } from "./ports.ts";
import { tappedDatagrams, tappedReceive, type PacketTap, type Receive } from "./tap.ts";

export interface MediaEngineOptions {
  logger: Logger;
  /** What the sockets bind to, and the default of what SDP names. */
  bindAddress: string;
  portRange: PortRange;
  clock?: Clock;
  nowMs?: () => number;
}

export interface StreamOptions {
  recordingFile: string | null;
  /** Is shown every packet, where somebody wants to see them. */
  tap?: PacketTap | undefined;
}

export interface MediaEngine {
  /** Rejects where every port is taken or resting. */
  open(callId: string, options: StreamOptions): Promise<AudioStream>;
  /** How late frames leave; past 20 ms no new call should be taken. */
  lagP99Ms(): number;
  readonly served: Pacer["served"];
  readonly streams: number;
  /** Closes every stream and waits for their recordings. */
  stop(): Promise<void>;
}

/** Other programs may hold ports of our range; so many are tried before we give up. */
const MOST_PORT_TRIES = 10;

export function createMediaEngine(options: MediaEngineOptions): MediaEngine {
  const { logger, bindAddress, clock = systemClock, nowMs = monotonicMs } = options;
  const ports = createPortPool(options.portRange, nowMs);
  const pacer = createPacer({ clock, logger, nowMs });
  const streams = new Set<DrivenStream>();
  let isStopped = false;

  async function open(callId: string, { recordingFile, tap }: StreamOptions): Promise<AudioStream> {
    const ssrc = randomUint32();
    // In the lower half, as RFC 3711, section 3.3.1, advises: eleven minutes pass before SRTP's rollover counter counts.
    const outgoing = createOutgoing({ ssrc, sequence: randomUint32() & 0x7fff, timestamp: randomUint32() });
    let stream: DrivenStream | null = null;
    const receive = {
      rtp: guarded((bytes, address, fromPort) => stream?.receiveRtp(bytes, address, fromPort)),
      rtcp: guarded((bytes, address, fromPort) => stream?.receiveRtcp(bytes, address, fromPort)),
    };
    const { port, rtp, rtcp } = await openPair(outgoing.packet, receive, tap);
    const opened = createAudioStream({
      logger,
      clock,
      nowMs,
      callId,
      localAddress: bindAddress,
      recordingFile,
      ssrc,
      random: randomUint32(),
      outgoing,
      rtp,
      rtcp,
      onClose() {
        leave();
        streams.delete(opened);
        ports.release(port);
      },
    });
    const leave = pacer.add(opened);
    stream = opened;
    streams.add(opened);
    if (isStopped) await opened.close();
    return opened;
  }

  /** A listener that throws must not bring down the Worker, and with it every other call. */
  function guarded(receive: Receive): Receive {
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

  async function openPair(
    outgoing: Uint8Array<ArrayBuffer>,
    receive: { rtp: Receive; rtcp: Receive },
    tap: PacketTap | undefined,
  ): Promise<Pair> {
    let lastError: unknown = null;
    for (let i = 0; i < MOST_PORT_TRIES; i++) {
      const port = ports.take();
      if (port === null) break;
      let rtp: Datagrams | null = null;
      try {
        rtp = await openSocket(port, outgoing, receive.rtp, tap);
        const rtcp = await openSocket(port + 1, outgoing, receive.rtcp, tap);
        return { port, rtp, rtcp };
      } catch (error) {
        lastError = error;
        rtp?.close();
        ports.release(port);
      }
    }
    const { from, to } = options.portRange;
    throw new Error(`No pair of RTP ports is free on ${bindAddress} between ${from} and ${to}; widen the range.`, {
      cause: lastError,
    });
  }

  async function openSocket(
    port: number,
    outgoing: Uint8Array<ArrayBuffer>,
    receive: Receive,
    tap: PacketTap | undefined,
  ): Promise<Datagrams> {
    if (!tap) return openDatagrams({ bindAddress, port, outgoing, receive });
    const local = { address: bindAddress, port };
    const tapped = { bindAddress, port, outgoing, receive: tappedReceive(receive, local, tap) };
    return tappedDatagrams(await openDatagrams(tapped), outgoing, local, tap);
  }

  return {
    open: async (callId, wanted) => {
      if (isStopped) throw new Error("The media engine has stopped.");
      return open(callId, wanted);
    },
    lagP99Ms: () => pacer.lagP99Ms(),
    served: pacer.served,
    get streams() {
      return streams.size;
    },
    async stop() {
      isStopped = true;
      await Promise.all([...streams].map((stream) => stream.close()));
      pacer.stop();
    },
  };
}

interface Pair {
  port: number;
  rtp: Datagrams;
  rtcp: Datagrams;
}
