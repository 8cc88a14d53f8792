// Media engine of all calls: ports, sockets and one pacer. It runs in its own Worker, without a database.
import { monotonicMs, systemClock, type Clock } from "../../core/clock.ts";
import { randomUint32 } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { FileKey } from "../../core/sealed-frames.ts";
import { createAudioStream, type DrivenStream, type AudioStream } from "./audio-stream.ts";
import { createHeldPorts } from "./held-ports.ts";
import { createPacer, type Pacer } from "./pacer.ts";
import { guarded, openPortPair } from "./port-pair.ts";
import { createPortPool, type PortRange } from "./ports.ts";
import type { PacketTap } from "./tap.ts";

export interface MediaEngineOptions {
  logger: Logger;
  /** Bind address of the sockets, and the default address in SDP. */
  bindAddress: string;
  portRange: PortRange;
  clock?: Clock;
  nowMs?: () => number;
}

export interface StreamOptions {
  recordingFile: string | null;
  /** Encrypts the recording; absent: it is plain. */
  fileKey?: FileKey | null | undefined;
  /** Gets every packet if set. */
  tap?: PacketTap | undefined;
  /** Takes held ports if there are any. */
  fromHeld?: boolean;
}

export interface MediaEngine {
  /**
   * Opens audio ports for this many calls and returns how many there are; only streams opened with `fromHeld` take
   * them.
   */
  hold(calls: number): Promise<number>;
  /** Rejects if every port is in use or cooling down. */
  open(callId: string, options: StreamOptions): Promise<AudioStream>;
  /** Send lag of frames; above 20 ms no new call should be accepted. */
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

  async function open(
    callId: string,
    { recordingFile, fileKey = null, tap, fromHeld }: StreamOptions,
  ): Promise<AudioStream> {
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
      fileKey,
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
