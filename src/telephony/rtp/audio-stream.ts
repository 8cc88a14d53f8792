// The media of one call: sends a packet every 20 ms once the address is known, receives, records, and counts.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { FileKey } from "../../core/sealed-frames.ts";
import type { Codec } from "../../audio/codec.ts";
import type { MediaStats } from "../line-report.ts";
import { createArrivals, type Arrivals, type OpenArrivals } from "./arrivals.ts";
import type { Datagrams } from "./datagrams.ts";
import { createHoldWatch } from "./hold-watch.ts";
import type { Incoming } from "./incoming.ts";
import { createListening, type FrameListener, type Listening } from "./listening.ts";
import { createLostAudioWatch } from "./lost-audio-watch.ts";
import { mediaStats } from "./media-stats.ts";
import { createOneWayWarning, createOneWayWatch, type OneWayWatch } from "./one-way-watch.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Paced } from "./pacer.ts";
import type { PlayEnd, Player } from "./player.ts";
import type { Playable } from "./playable.ts";
import { createProtection, type ProtectionKeys } from "./protection.ts";
import type { Recorded } from "./recorder.ts";
import { createReporting, type Reporting } from "./reporting.ts";
import { FRAME_MS } from "./rtp.ts";
import { createSending, type Sending } from "./sending.ts";

/** Interval of the periodic checks: silent or lost peer, and due reports. */
const FRAMES_PER_LOOK = 5;
/** A suspension longer than one minute is not filled with silence in the recording. */
const MOST_FRAMES_FILLED = 60_000 / FRAME_MS;
const BEFORE_FIRST_FRAME = -1;

/** The peer's own direction in SDP: `sendonly` means that it holds us and plays music. */
export type MediaDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export interface RemoteMedia {
  address: string;
  port: number;
  codec: Codec;
  payloadType: number;
  /** Null if the peer did not offer telephone-event: DTMF is then in-band, both ways. */
  dtmfPayloadType: number | null;
  direction: MediaDirection;
  /** The trunk's own addresses. Audio is accepted only from them and from the SDP address. */
  trunkAddresses: readonly string[];
  /** The trunk's setting: its audio comes through a NAT, from an address that SDP does not name. */
  symmetricRtp: boolean;
  /** Null for unencrypted audio. */
  keys: ProtectionKeys | null;
}

export interface AudioStream {
  readonly localAddress: string;
  /** RTP port; RTCP uses the next. */
  readonly localPort: number;
  /** Called with the first SDP and every later one. Sending starts within 20 ms. */
  negotiated(remote: RemoteMedia): void;
  /** Starts the wait for the peer's first packet. */
  answered(): void;
  /** Starts, stops or continues the recording. No effect without a file. */
  record(isOn: boolean): void;
  /**
   * Queues a sound after those already playing. On hold, sounds wait. The returned function gives the milliseconds sent
   * so far.
   */
  play(playable: Playable, onEnd: PlayEnd): () => number;
  /** Silent within 40 ms; every onEnd gets false before this returns. */
  stopPlaying(): void;
  pausePlaying(): void;
  resumePlaying(): void;
  /** Throws on anything but 0–9, *, # and A–D. */
  sendDtmf(digits: string): void;
  /** Single listener; a later one replaces it. A key is reported when it goes down. */
  onDtmf(listener: (digit: string) => void): void;
  /** Single listener, called every 20 ms from the opening on, whether or not the peer sends. */
  onFrame(listener: FrameListener): void;
  /** Single listener, called when the peer puts us on hold and when it resumes. */
  onHold(listener: (isHeld: boolean) => void): void;
  /**
   * Single listener, called when the peer's audio stopped for this long, and again after each further period; 0 turns
   * it off.
   */
  onAudioLost(afterMs: number, listener: () => void): void;
  /** Calls the same listener if nothing arrives within this time. */
  expectAudioWithin(limitMs: number): void;
  stats(): MediaStats;
  /** Seconds since the answer, by frames: a change of the wall clock has no effect. */
  talkedSeconds(): number;
  /** Idempotent: repeated calls return the same result. */
  close(): Promise<Recorded>;
}

/** Driven by the engine: ticks of the clock and packets of the sockets. */
export interface DrivenStream extends AudioStream, Arrivals, Paced {}

export interface StreamParts {
  logger: Logger;
  clock: Clock;
  nowMs: () => number;
  callId: string;
  localAddress: string;
  recordingFile: string | null;
  fileKey?: FileKey | null;
  ssrc: number;
  /** Any integer: staggers this call's periodic work against that of others. */
  random: number;
  outgoing: Outgoing;
  rtp: Datagrams;
  rtcp: Datagrams;
  onClose(): void;
}

export function createAudioStream(parts: StreamParts): DrivenStream {
  return new CallAudio(parts);
}

class CallAudio implements DrivenStream {
  readonly localAddress: string;
  readonly localPort: number;
  private readonly parts: StreamParts;
  private readonly outgoing: Outgoing;
  private readonly player: Player;
  private readonly listening: Listening;
  private readonly incoming: Incoming;
  private readonly protection = createProtection();
  private readonly sending: Sending;
  private readonly reporting: Reporting;
  private readonly arrivals: OpenArrivals;
  private readonly oneWay: OneWayWatch;
  private readonly warnOfOneWay: (frames: number) => void;
  private readonly lostAudio = createLostAudioWatch();
  private readonly holdWatch = createHoldWatch();
  private remote: RemoteMedia | null = null;
  private maySend = false;
  private lastFrame: number | null = null;
  /** Null until the answer. Moves with a suspension that is not filled. */
  private answeredFrame: number | null = null;
  private framesToLook: number;
  private closed: Promise<Recorded> | null = null;

  constructor(parts: StreamParts) {
    const { outgoing, nowMs } = parts;
    this.parts = parts;
    this.localAddress = parts.localAddress;
    this.localPort = parts.rtp.port;
    this.outgoing = outgoing;
    this.player = outgoing.player;
    this.listening = createListening(outgoing);
    const { incoming } = this.listening;
    const { protection, lostAudio } = this;
    this.incoming = incoming;
    this.sending = createSending(outgoing, protection, parts.rtp);
    const { sending } = this;
    this.reporting = createReporting({ ...parts, incoming, protection, audioPlace: () => sending.place });
    this.arrivals = createArrivals({ incoming, protection, sending, reporting: this.reporting, lostAudio, nowMs });
    this.oneWay = createOneWayWatch(nowMs);
    this.warnOfOneWay = createOneWayWarning({ ...parts, watch: this.oneWay, incoming, protection });
    this.framesToLook = 1 + (parts.random % FRAMES_PER_LOOK);
  }

  negotiated(newRemote: RemoteMedia): void {
    const { incoming, sending, oneWay } = this;
    const nowMs = this.parts.nowMs();
    const hasPlace = isSomewhere(newRemote);
    const remote: RemoteMedia = hasPlace ? newRemote : { ...newRemote, direction: "inactive" };
    const { direction } = remote;
    this.remote = remote;
    this.maySend = direction === "sendrecv" || direction === "recvonly";
    this.protection.configure(remote.keys);
    sending.configure();
    this.arrivals.configure();
    this.outgoing.configure(remote);
    this.listening.configure(remote);
    if (hasPlace) incoming.lock.expect(remote, nowMs);
    sending.aimAt(incoming.lock.target);
    this.lostAudio.expectAudio(direction === "sendrecv");
    oneWay.expectAudio(direction === "sendrecv" || direction === "sendonly");
    this.holdWatch.negotiated(this.maySend);
  }

  answered(): void {
    if (this.closed) return;
    this.oneWay.answered(this.incoming.reception.received);
    this.incoming.lock.answered(this.parts.nowMs());
    this.lostAudio.answered();
    this.answeredFrame ??= this.lastFrame ?? BEFORE_FIRST_FRAME;
  }

  record(isOn: boolean): void {
    const { logger, recordingFile, fileKey = null } = this.parts;
    if (this.closed || recordingFile === null) return;
    if (isOn) this.listening.record(recordingFile, logger, fileKey);
    else this.listening.stopRecording();
  }

  tick(frame: number): void {
    const missed = this.lastFrame === null ? this.firstTick(frame) : frame - this.lastFrame - 1;
    this.lastFrame = frame;
    if (missed > 0) this.makeUpFor(missed);
    this.listening.hear(this.sayFrame());
    this.player.tellEnded();
    if (--this.framesToLook === 0) this.look();
  }

  receiveRtp(bytes: Uint8Array, address: string, port: number): void {
    this.arrivals.receiveRtp(bytes, address, port);
  }

  receiveRtcp(bytes: Uint8Array, address: string, port: number): void {
    this.arrivals.receiveRtcp(bytes, address, port);
  }

  /** Plays nothing once closed. */
  play(playable: Playable, onEnd: PlayEnd): () => number {
    if (!this.closed) return this.player.play(playable, onEnd);
    onEnd(false, 0);
    return () => 0;
  }

  stopPlaying(): void {
    this.player.stop();
  }

  pausePlaying(): void {
    this.player.pause();
  }

  resumePlaying(): void {
    this.player.resume();
  }

  sendDtmf(digits: string): void {
    this.outgoing.sendDtmf(digits);
  }

  onDtmf(listener: (digit: string) => void): void {
    this.listening.onDtmf(listener);
  }

  onFrame(listener: FrameListener): void {
    this.listening.onFrame(listener);
  }

  onHold(listener: (isHeld: boolean) => void): void {
    this.holdWatch.onHold(listener);
  }

  onAudioLost(afterMs: number, listener: () => void): void {
    this.lostAudio.limit(afterMs, listener);
  }

  expectAudioWithin(limitMs: number): void {
    this.lostAudio.expectWithin(limitMs);
  }

  stats(): MediaStats {
    const { incoming, outgoing, reporting, protection } = this;
    const isOneWay = this.oneWay.isOneWay(incoming.reception.received);
    return { ...mediaStats(incoming, outgoing, reporting, protection, isOneWay), codec: this.remote?.codec ?? null };
  }

  talkedSeconds(): number {
    if (this.answeredFrame === null || this.lastFrame === null) return 0;
    return ((this.lastFrame - this.answeredFrame) * FRAME_MS) / SECOND_MS;
  }

  async close(): Promise<Recorded> {
    return (this.closed ??= this.end());
  }

  /** The audio sent in this frame, for the recording. */
  private sayFrame(): Uint8Array | null {
    if (this.maySend) return this.sending.sendFrame();
    this.outgoing.skip(1);
    return null;
  }

  /** Frames are counted from the start of the engine. */
  private firstTick(frame: number): number {
    if (this.answeredFrame === BEFORE_FIRST_FRAME) this.answeredFrame = frame - 1;
    return 0;
  }

  private makeUpFor(missed: number): void {
    const filled = Math.min(missed, MOST_FRAMES_FILLED);
    if (this.answeredFrame !== null) this.answeredFrame += missed - filled;
    for (let i = 0; i < filled; i++) this.listening.hear(null);
    this.outgoing.skip(filled);
  }

  private look(): void {
    this.framesToLook = FRAMES_PER_LOOK;
    this.warnOfOneWay(FRAMES_PER_LOOK);
    this.reporting.passed(FRAMES_PER_LOOK);
    this.lostAudio.passed(FRAMES_PER_LOOK, this.incoming.reception.received);
  }

  private async end(): Promise<Recorded> {
    const { rtp, rtcp, onClose } = this.parts;
    this.reporting.goodbye();
    onClose();
    rtp.close();
    rtcp.close();
    this.player.stop();
    return this.listening.close();
  }
}

/** A zero address is how old peers signal hold (RFC 3264, section 8.4): there is no destination. */
function isSomewhere({ address, port }: RemoteMedia): boolean {
  return !/^[0.:]+$/.test(address) && port !== 0;
}
