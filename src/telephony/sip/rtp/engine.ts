// The media side of all calls: ports, sockets and one tick. It runs in a Worker of its own, with no database beside it.
import { monotonicMs, systemClock, type Clock } from "../../../core/clock.ts";
import { randomUint32 } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { createAudioStream, type DrivenStream, type AudioStream } from "./audio-stream.ts";
import { createOutgoing } from "./outgoing.ts";
import { createPacer, type Pacer } from "./pacer.ts";
import { guarded, openPortPair } from "./port-pair.ts";
import { createPortPool, type PortRange } from "./ports.ts";
import type { PacketTap } from "./tap.ts";

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
      rtp: guarded((bytes, address, fromPort) => stream?.receiveRtp(bytes, address, fromPort), logger),
      rtcp: guarded((bytes, address, fromPort) => stream?.receiveRtcp(bytes, address, fromPort), logger),
    };
    const sockets = { bindAddress, outgoing: outgoing.packet, tap };
    const { port, rtp, rtcp } = await openPortPair(ports, options.portRange, sockets, receive);
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
