// The media of one call: sends a packet every 20 ms from the moment it knows where to, receives, records, and counts.
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { MediaStats } from "../../line-report.ts";
import { createArrivals, type Arrivals } from "./arrivals.ts";
import type { Datagrams } from "./datagrams.ts";
import { createHoldWatch } from "./hold-watch.ts";
import { createListening, type FrameListener } from "./listening.ts";
import { createLostAudioWatch } from "./lost-audio-watch.ts";
import { mediaStats } from "./media-stats.ts";
import { createOneWayWarning, createOneWayWatch } from "./one-way-watch.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Paced } from "./pacer.ts";
import type { PlayEnd } from "./player.ts";
import type { Playable } from "./playable.ts";
import { createProtection, type ProtectionKeys } from "./protection.ts";
import type { Recorded } from "./recorder.ts";
import { createReporting } from "./reporting.ts";
import { FRAME_MS } from "./rtp.ts";
import { createSending } from "./sending.ts";

/** A machine that slept for longer than a minute is not made up for in the recording. */
const MOST_FRAMES_FILLED = 60_000 / FRAME_MS;

/** As the peer's SDP puts it: `sendonly` is a peer that holds us and plays music. */
export type MediaDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export interface RemoteMedia {
  address: string;
  port: number;
  codec: Codec;
  payloadType: number;
  /** Null where the peer did not offer telephone-event: keys are then tones, both ways. */
  dtmfPayloadType: number | null;
  direction: MediaDirection;
  /** The trunk's own addresses: beside the named address, only they are believed. */
  trunkAddresses: readonly string[];
  /** The trunk's setting: its audio comes through a NAT, from elsewhere than SDP says. */
  symmetricRtp: boolean;
  /** Null for audio in clear. */
  keys: ProtectionKeys | null;
}

export interface AudioStream {
  readonly localAddress: string;
  /** RTP; RTCP is on the next. */
  readonly localPort: number;
  /** From the first SDP on, and again with every later one. Sending starts within 20 ms. */
  negotiated(remote: RemoteMedia): void;
  /** Recording starts, and the wait for the peer's first packet. */
  answered(): void;
  /** After what is playing already. While the peer holds us, sounds wait. What comes back tells how much has gone out, in ms. */
  play(playable: Playable, onEnd: PlayEnd): () => number;
  /** Silent within 40 ms; every onEnd hears false before this returns. */
  stopPlaying(): void;
  pausePlaying(): void;
  resumePlaying(): void;
  /** Throws on anything but 0–9, *, # and A–D. */
  sendDtmf(digits: string): void;
  /** One listener; a later one takes its place. A key is told when it goes down. */
  onDtmf(listener: (digit: string) => void): void;
  /** One listener, every 20 ms of the clock from the opening on, whether or not the peer sends. */
  onFrame(listener: FrameListener): void;
  /** One listener, told when the peer begins to hold us, and when it is back. */
  onHold(listener: (isHeld: boolean) => void): void;
  /** One listener, told when the peer sent audio and then nothing for so long, and after as long again; 0 never tells. */
  onAudioLost(afterMs: number, listener: () => void): void;
  /** The same listener is told where nothing comes within this time. */
  expectAudioWithin(limitMs: number): void;
  stats(): MediaStats;
  /** May be called again; the answer is the same. */
  close(): Promise<Recorded>;
}

/** What the engine feeds: the clock's ticks and the sockets' packets. */
export interface DrivenStream extends AudioStream, Arrivals, Paced {}

export interface StreamParts {
  logger: Logger;
  clock: Clock;
  nowMs: () => number;
  callId: string;
  localAddress: string;
  recordingFile: string | null;
  ssrc: number;
  /** Any whole number: it sets this call's affairs apart from those of others. */
  random: number;
  outgoing: Outgoing;
  rtp: Datagrams;
  rtcp: Datagrams;
  onClose(): void;
}

export function createAudioStream(parts: StreamParts): DrivenStream {
  const { logger, nowMs, outgoing, rtp } = parts;
  const { player } = outgoing;
  const listening = createListening(outgoing);
  const { incoming } = listening;
  const { lock } = incoming;
  const protection = createProtection();
  const sending = createSending(outgoing, protection, rtp);
  const reporting = createReporting({ ...parts, incoming, protection, audioPlace: () => sending.place });
  const oneWay = createOneWayWatch(nowMs);
  const warnOfOneWay = createOneWayWarning({ ...parts, watch: oneWay, incoming, protection });
  const lostAudio = createLostAudioWatch();
  const holdWatch = createHoldWatch();
  let remote: RemoteMedia | null = null;
  let maySend = false;
  let lastFrame: number | null = null;
  let closed: Promise<Recorded> | null = null;

  /** What was said in this frame, for the recording. */
  function sayFrame(): Uint8Array | null {
    if (maySend) return sending.sendFrame();
    outgoing.skip(1);
    return null;
  }

  async function close(): Promise<Recorded> {
    reporting.goodbye();
    parts.onClose();
    rtp.close();
    parts.rtcp.close();
    player.stop();
    return listening.close();
  }

  return {
    ...createArrivals({ incoming, protection, sending, reporting, lostAudio, nowMs }),
    ...playing(outgoing, () => closed !== null),
    localAddress: parts.localAddress,
    localPort: rtp.port,
    negotiated(newRemote) {
      const hasPlace = isSomewhere(newRemote);
      remote = hasPlace ? newRemote : { ...newRemote, direction: "inactive" };
      const { direction } = remote;
      maySend = direction === "sendrecv" || direction === "recvonly";
      protection.configure(remote.keys);
      outgoing.configure(remote);
      listening.configure(remote);
      if (hasPlace) lock.expect(remote, nowMs());
      sending.aimAt(lock.target);
      lostAudio.expectAudio(direction === "sendrecv");
      oneWay.expectAudio(direction === "sendrecv" || direction === "sendonly");
      holdWatch.negotiated(maySend);
    },
    answered() {
      if (closed) return;
      oneWay.answered(incoming.reception.received);
      lock.answered(nowMs());
      lostAudio.answered();
      if (parts.recordingFile !== null) listening.record(parts.recordingFile, logger);
    },
    tick(frame) {
      const missed = lastFrame === null ? 0 : Math.min(frame - lastFrame - 1, MOST_FRAMES_FILLED);
      lastFrame = frame;
      for (let i = 0; i < missed; i++) listening.hear(null);
      outgoing.skip(missed);
      listening.hear(sayFrame());
      warnOfOneWay();
      reporting.tick();
      player.tellEnded();
      lostAudio.tick();
    },
    onDtmf: (listener) => listening.onDtmf(listener),
    expectAudioWithin: (limitMs) => lostAudio.expectWithin(limitMs),
    onFrame: (listener) => listening.onFrame(listener),
    onHold: holdWatch.onHold,
    onAudioLost: (afterMs, listener) => lostAudio.limit(afterMs, listener),
    stats: () => ({
      ...mediaStats(incoming, outgoing, reporting, protection, oneWay.isOneWay(incoming.reception.received)),
      codec: remote?.codec ?? null,
    }),
    close: () => (closed ??= close()),
  };
}

/** An address of zeros is how old peers say hold (RFC 3264, section 8.4): there is nowhere to send. */
function isSomewhere({ address, port }: RemoteMedia): boolean {
  return !/^[0.:]+$/.test(address) && port !== 0;
}

type Sounds = Pick<AudioStream, "play" | "stopPlaying" | "pausePlaying" | "resumePlaying" | "sendDtmf">;

/** What we say and press. Once closed, nothing is played any more. */
function playing({ player, sendDtmf }: Outgoing, isClosed: () => boolean): Sounds {
  return {
    play(playable, onEnd) {
      if (!isClosed()) return player.play(playable, onEnd);
      onEnd(false, 0);
      return () => 0;
    },
    stopPlaying: () => player.stop(),
    pausePlaying: () => player.pause(),
    resumePlaying: () => player.resume(),
    sendDtmf,
  };
}
