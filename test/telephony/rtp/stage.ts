// Two audio streams over loopback on a manual clock: real sockets, real codecs, no waiting.
import { silentLogger, type Logger } from "../../../src/core/logger.ts";
import { createMediaEngine, type MediaEngine } from "../../../src/telephony/rtp/engine.ts";
import type { AudioStream, RemoteMedia } from "../../../src/telephony/rtp/audio-stream.ts";
import { audioPorts } from "../../support/free-ports.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";

export const LOOPBACK = "127.0.0.1";

export interface Stage {
  clock: ManualClock;
  engine: MediaEngine;
}

export function stageWith(options: { logger?: Logger; pairs?: number } = {}): Stage {
  const clock = createManualClock(Date.parse("2026-11-15T06:00:00Z"));
  const engine = createMediaEngine({
    logger: options.logger ?? silentLogger,
    bindAddress: LOOPBACK,
    portRange: audioPorts((options.pairs ?? 5) * 2),
    clock,
    nowMs: () => clock.now(),
  });
  return { clock, engine };
}

export function remoteAt(port: number, changes: Partial<RemoteMedia> = {}): RemoteMedia {
  return {
    address: LOOPBACK,
    port,
    codec: "PCMU",
    payloadType: 0,
    dtmfPayloadType: 101,
    direction: "sendrecv",
    trunkAddresses: [LOOPBACK],
    symmetricRtp: false,
    keys: null,
    ...changes,
  };
}

/** Everything that a stream hears, one sample after the other. */
export function heardBy(stream: AudioStream): { samples: number[]; frames: boolean[] } {
  const heard = { samples: [] as number[], frames: [] as boolean[] };
  stream.onFrame((frame, isHeard) => {
    heard.samples.push(...frame);
    heard.frames.push(isHeard);
  });
  return heard;
}

export async function talkingPair(
  { engine }: Stage,
  {
    changes = {},
    files = [null, null],
  }: { changes?: Partial<RemoteMedia>; files?: [string | null, string | null] } = {},
): Promise<[AudioStream, AudioStream]> {
  const a = await engine.open("call_a", { recordingFile: files[0] });
  const b = await engine.open("call_b", { recordingFile: files[1] });
  a.negotiated(remoteAt(b.localPort, changes));
  b.negotiated(remoteAt(a.localPort, changes));
  a.answered();
  b.answered();
  a.record(true);
  b.record(true);
  return [a, b];
}

/** A voice-like sound that never repeats, so that it correlates with itself in one place only. */
export function voice(seconds: number, seed = 1): Int16Array {
  let state = seed;
  let slow = 0;
  return Int16Array.from({ length: Math.round(seconds * 8_000) }, (_, i) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    slow += ((state / 2_147_483_648) * 2 - 1 - slow) * 0.3;
    const syllable = 0.6 + 0.4 * Math.sin((2 * Math.PI * 3 * i) / 8_000);
    return Math.round(syllable * (9_000 * Math.sin((2 * Math.PI * (180 + seed * 40) * i) / 8_000) + 12_000 * slow));
  });
}

/** The best match of `said` anywhere in `heard` at a whole frame: its correlation, and where it starts. */
export function correlate(heard: ArrayLike<number>, said: Int16Array): { correlation: number; lagMs: number } {
  let best = { correlation: -1, lagMs: 0 };
  for (let lag = 0; lag + said.length <= heard.length; lag += 160) {
    let [product, heardPower, saidPower] = [0, 1, 1];
    for (let i = 0; i < said.length; i++) {
      product += heard[lag + i]! * said[i]!;
      heardPower += heard[lag + i]! ** 2;
      saidPower += said[i]! ** 2;
    }
    const correlation = product / Math.sqrt(heardPower * saidPower);
    if (correlation > best.correlation) best = { correlation, lagMs: lag / 8 };
  }
  return best;
}
