// The media of one call: sends a packet every 20 ms from the moment it knows where to, receives, records, and counts.
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { MediaStats } from "../../line-report.ts";
import type { Datagrams } from "./datagrams.ts";
import { createIncoming } from "./incoming.ts";
import { createLostAudioWatch } from "./lost-audio-watch.ts";
import { mediaStats } from "./media-stats.ts";
import { createOneWayWatch } from "./one-way-watch.ts";
import { createProtection, type ProtectionKeys } from "./protection.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Paced } from "./pacer.ts";
import type { PlayEnd } from "./player.ts";
import type { Playable } from "./playable.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createReportExchange } from "./report-exchange.ts";
import { senderOfReport } from "./rtcp.ts";
import { FRAME_MS, FRAME_SAMPLES, isRtcp } from "./rtp.ts";
import { createToneKeys } from "./tone-keys.ts";

/** RFC 3550, section 6.2: every 5 s, from a random moment on, or calls that began together report together for ever. */
const FRAMES_PER_REPORT = 5_000 / FRAME_MS;
const FRAMES_PER_DEAFNESS_CHECK = 1_000 / FRAME_MS;
/** A machine that slept for longer than a minute is not made up for in the recording. */
const MOST_FRAMES_FILLED = 60_000 / FRAME_MS;

const NO_AUDIO = "no audio arrives from the peer; check NAT, firewall and the public media address";
const AUDIO_FROM_ELSEWHERE =
  "audio arrives from another address than the peer named, and is not taken; if the trunk is behind a NAT, set its symmetric_rtp";

const AUDIO_UNREADABLE =
  "audio arrives that the agreed SRTP key does not open; the other side encrypts with another key, or not at all";

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

/**
 * 160 samples of 8 kHz, to be copied by who wants to keep them; `heard` is false for silence that we made up. `wide` is the
 * same as 320 samples of 16 kHz, where the line carries so much.
 */
export type FrameListener = (frame: Int16Array, heard: boolean, wide: Int16Array | null) => void;

export interface Recorded {
  /** False where the call was not answered, not to be recorded, or the disk failed. */
  recorded: boolean;
  seconds: number;
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
  /** One listener, told when the peer sent audio and then nothing for so long, and after as long again; 0 never tells. */
  onAudioLost(afterMs: number, listener: () => void): void;
  /** The same listener is told where nothing comes within this time. */
  expectAudioWithin(limitMs: number): void;
  stats(): MediaStats;
  /** May be called again; the answer is the same. */
  close(): Promise<Recorded>;
}

/** What the engine feeds: the clock's ticks and the sockets' packets. */
export interface DrivenStream extends AudioStream, Paced {
  receiveRtp(bytes: Uint8Array, address: string, port: number): void;
  receiveRtcp(bytes: Uint8Array, address: string, port: number): void;
}

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
  const { logger, clock, nowMs, callId, outgoing, rtp, rtcp } = parts;
  const { player } = outgoing;
  const incoming = createIncoming((digit) => dtmfListener?.(digit));
  const reports = createReportExchange(parts.ssrc);
  const oneWay = createOneWayWatch(nowMs);
  const lostAudio = createLostAudioWatch();
  const tones = createToneKeys();
  const protection = createProtection();
  const clearFrame = new Uint8Array(FRAME_SAMPLES);
  let dtmfListener: ((digit: string) => void) | null = null;
  let frameListener: FrameListener | null = null;
  let remote: RemoteMedia | null = null;
  let recorder: Recorder | null = null;
  let lastFrame: number | null = null;
  let framesSinceReport = parts.random % FRAMES_PER_REPORT;
  let hasWarnedOfOneWay = false;
  let aimed: { address: string; port: number } | null = null;
  let closed: Promise<Recorded> | null = null;

  const mayWeSend = () => remote?.direction === "sendrecv" || remote?.direction === "recvonly";

  function follow(): void {
    const { target } = incoming.lock;
    if (!target || (aimed?.address === target.address && aimed.port === target.port)) return;
    aimed = { address: target.address, port: target.port };
    rtp.aim(aimed.address, aimed.port);
  }

  /** What was said in this frame, for the recording. */
  function sendFrame(): Uint8Array | null {
    if (!mayWeSend()) {
      outgoing.skip(1);
      return null;
    }
    const length = outgoing.nextPacket();
    const said = saidInClear();
    if (rtp.send(protection.sealRtp(outgoing.packet, length))) outgoing.wasSent(length);
    return said;
  }

  /** Packets are encrypted where they lie; the recording wants what they held. */
  function saidInClear(): Uint8Array | null {
    if (!outgoing.audio || protection.suite === null) return outgoing.audio;
    clearFrame.set(outgoing.audio);
    return clearFrame;
  }

  function hearFrame(agentFrame: Uint8Array | null): void {
    const isHeard = incoming.pull();
    const { hearing } = incoming;
    recorder?.write(agentFrame, isHeard ? hearing.recordable : null, outgoing.law, hearing.law);
    // A peer that knows no key events sends keys as tones, if at all.
    const listensForTones = remote?.dtmfPayloadType === null;
    if (!frameListener && !listensForTones) return;
    const samples = hearing.samples();
    const key = listensForTones ? tones.hear(samples) : null;
    if (key !== null) dtmfListener?.(key);
    frameListener?.(samples, isHeard, hearing.wide);
  }

  function sendReport(goodbye: boolean): void {
    if (!aimed) return;
    const { packets, octets } = outgoing.sent;
    const sender = packets > 0 ? { nowMs: clock.now(), rtpTimestamp: outgoing.timestamp, packets, octets } : null;
    const state = { sender, reception: incoming.reception, remoteSsrc: incoming.lock.ssrc, nowMs: nowMs() };
    rtcp.sendTo(protection.sealRtcp(reports.build(state, goodbye)), aimed.address, aimed.port + 1);
  }

  function housekeep(): void {
    framesSinceReport++;
    if (framesSinceReport % FRAMES_PER_DEAFNESS_CHECK === 0) warnOfOneWay();
    if (framesSinceReport < FRAMES_PER_REPORT) return;
    framesSinceReport = 0;
    sendReport(false);
  }

  function warnOfOneWay(): void {
    if (hasWarnedOfOneWay || !oneWay.isOneWay(incoming.reception.received)) return;
    hasWarnedOfOneWay = true;
    const cause = incoming.ignored > 0 ? AUDIO_FROM_ELSEWHERE : NO_AUDIO;
    logger.warn(protection.refused > 0 ? AUDIO_UNREADABLE : cause, { call_id: callId });
  }

  async function close(): Promise<Recorded> {
    sendReport(true);
    parts.onClose();
    rtp.close();
    rtcp.close();
    player.stop();
    return recorder ? recorder.close() : { recorded: false, seconds: 0 };
  }

  return {
    localAddress: parts.localAddress,
    localPort: rtp.port,
    negotiated(newRemote) {
      // An address of zeros is how old peers say hold (RFC 3264, section 8.4): there is nowhere to send.
      const isNowhere = /^[0.:]+$/.test(newRemote.address) || newRemote.port === 0;
      remote = isNowhere ? { ...newRemote, direction: "inactive" } : newRemote;
      protection.configure(remote.keys);
      outgoing.configure(remote);
      incoming.configure(remote);
      if (!isNowhere) incoming.lock.expect(remote, nowMs());
      follow();
      lostAudio.expectAudio(remote.direction === "sendrecv");
      oneWay.expectAudio(remote.direction === "sendrecv" || remote.direction === "sendonly");
    },
    answered() {
      if (closed) return;
      oneWay.answered(incoming.reception.received);
      incoming.lock.answered(nowMs());
      lostAudio.answered();
      if (parts.recordingFile !== null) recorder ??= createRecorder(parts.recordingFile, logger);
    },
    tick(frame) {
      const missed = lastFrame === null ? 0 : Math.min(frame - lastFrame - 1, MOST_FRAMES_FILLED);
      lastFrame = frame;
      for (let i = 0; i < missed; i++) hearFrame(null);
      outgoing.skip(missed);
      hearFrame(sendFrame());
      housekeep();
      player.tellEnded();
      lostAudio.tick();
    },
    receiveRtp(bytes, address, port) {
      if (isRtcp(bytes)) {
        this.receiveRtcp(bytes, address, port);
        return;
      }
      const opened = incoming.lock.mayCome(address, port) ? protection.openRtp(bytes) : null;
      if (!opened) {
        incoming.ignore();
        return;
      }
      if (!incoming.receive(opened, address, port, nowMs())) return;
      lostAudio.heard();
      follow();
    },
    receiveRtcp(bytes, address, port) {
      if (!incoming.lock.isPeersReport(address, port, senderOfReport(bytes))) return;
      const opened = protection.openRtcp(bytes);
      if (!opened) return;
      reports.receive(opened, clock.now(), nowMs());
      if (incoming.lock.ssrc !== null) lostAudio.heard();
    },
    play(playable, onEnd) {
      if (!closed) return player.play(playable, onEnd);
      onEnd(false, 0);
      return () => 0;
    },
    stopPlaying: () => player.stop(),
    pausePlaying: () => player.pause(),
    resumePlaying: () => player.resume(),
    sendDtmf: (digits) => outgoing.sendDtmf(digits),
    onDtmf(listener) {
      dtmfListener = listener;
    },
    expectAudioWithin: (limitMs) => lostAudio.expectWithin(limitMs),
    onFrame(listener) {
      frameListener = listener;
    },
    onAudioLost: (afterMs, listener) => lostAudio.limit(afterMs, listener),
    stats: () => ({
      ...mediaStats(incoming, outgoing, reports, protection, oneWay.isOneWay(incoming.reception.received)),
      codec: remote?.codec ?? null,
    }),
    close: () => (closed ??= close()),
  };
}
