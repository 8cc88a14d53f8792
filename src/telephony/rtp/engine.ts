// The media side of all calls: ports, sockets and one tick. It runs in a Worker of its own, with no database beside it.
import { monotonicMs, systemClock, type Clock } from "../../core/clock.ts";
import { randomUint32 } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { createAudioStream, type DrivenStream, type AudioStream } from "./audio-stream.ts";
import { createHeldPorts } from "./held-ports.ts";
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
  /** Takes ports that are held, where there are any. */
  fromHeld?: boolean;
}

export interface MediaEngine {
  /**
   * For how many of so many calls audio ports are open now; they are kept for calls that say so when they are opened.
   */
  hold(calls: number): Promise<number>;
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
  const held = createHeldPorts({ ports, range: options.portRange, bindAddress, logger });
  const pacer = createPacer({ clock, logger, nowMs });
  const streams = new Set<DrivenStream>();
  let isStopped = false;

  async function open(callId: string, { recordingFile, tap, fromHeld }: StreamOptions): Promise<AudioStream> {
    const ready = fromHeld ? held.take() : null;
    const pair = ready ?? (await openPortPair(ports, options.portRange, bindAddress));
    const { port, ssrc, outgoing } = pair;
    let stream: DrivenStream | null = null;
    const receive = {
      rtp: guarded((bytes, address, fromPort) => stream?.receiveRtp(bytes, address, fromPort), logger),
      rtcp: guarded((bytes, address, fromPort) => stream?.receiveRtcp(bytes, address, fromPort), logger),
    };
    const { rtp, rtcp } = pair.use(receive, tap);
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
    hold: async (calls) => (isStopped ? 0 : held.hold(calls)),
    lagP99Ms: () => pacer.lagP99Ms(),
    served: pacer.served,
    get streams() {
      return streams.size;
    },
    async stop() {
      isStopped = true;
      held.stop();
      await Promise.all([...streams].map((stream) => stream.close()));
      pacer.stop();
    },
  };
}
