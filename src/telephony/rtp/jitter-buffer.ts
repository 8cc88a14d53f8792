// Jitter buffer: turns reordered, duplicate, late and lost packets into one frame every 20 ms. Samples are placed by
// RTP timestamp, so packets of 10 or 30 ms, silence suppression and counter wraparound need no special case.
import { FrameRing } from "./frame-ring.ts";
import { PlayoutDelay } from "./playout-delay.ts";
import { FRAME_MS, FRAME_SAMPLES, sequenceDistance, timestampDistance } from "./rtp.ts";

/** 160 ms of G.711: more than any peer sends in one packet. */
const MOST_PAYLOAD = 1_280;
/** A timestamp more than 800 ms off means that the sender restarted its clock, once a second packet confirms it. */
const JUMP_SAMPLES = 6_400;
const PACKETS_THAT_PROVE_A_JUMP = 2;
const SEQUENCES_REMEMBERED = 64;

/**
 * `audio` came from the peer, `partial` lacks a piece (see `present`), `lost` is a frame to conceal, and `silence` is
 * before the first packet. Missing bytes are filled with silence.
 */
export type PulledFrame = "audio" | "partial" | "lost" | "silence";

export interface JitterBuffer {
  /** False for a duplicate. */
  push(sequence: number, timestamp: number, bytes: Uint8Array, start: number, end: number): boolean;
  /** A packet of the stream without audio, such as a key event: its time is a pause, not a loss. */
  passOver(sequence: number): void;
  /** Fills `into`, 160 bytes, with the next 20 ms. */
  pull(into: Uint8Array): PulledFrame;
  /** Byte map of the frame pulled last, unless it was complete: 1 for every byte from the peer. */
  readonly present: Uint8Array;
  /** Whether frames were dropped right before the one pulled last, to shorten the delay. */
  readonly wasCut: boolean;
  /** Number of frames dropped for that reason so far. */
  readonly givenUp: number;
  /** A new source: the buffer is cleared, the counts stay. */
  reset(silence: number): void;
  readonly delayMs: number;
  /** Packets that arrived too late to be played. */
  readonly late: number;
  readonly duplicates: number;
  /** Frames lost in part or whole, and concealed. A pause of the peer does not count. */
  readonly gaps: number;
}

export function createJitterBuffer(silenceByte: number): JitterBuffer {
  return new RingBuffer(silenceByte);
}

class RingBuffer implements JitterBuffer {
  readonly present = new Uint8Array(FRAME_SAMPLES);
  wasCut = false;
  givenUp = 0;
  duplicates = 0;
  gaps = 0;
  private readonly ring = new FrameRing();
  private readonly delay = new PlayoutDelay();
  private readonly recent = new RecentPackets();
  private isStarted = false;
  /** Timestamp of the next sample to play, and of the sample after the newest one held. */
  private playout = 0;
  private newestEnd = 0;
  private newestSequence = 0;
  /** Start of the current talk spurt: nothing before it is missing. */
  private spurtStart = 0;
  private jumpStreak = 0;
  /** Empty frames after the newest packet: a pause or a loss, which the next packet decides. */
  private undecidedFrames = 0;

  constructor(private silence: number) {}

  get delayMs(): number {
    return this.delay.frames * FRAME_MS;
  }

  get late(): number {
    return this.delay.late;
  }

  push(sequence: number, timestamp: number, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (length <= 0 || length > MOST_PAYLOAD) return true;
    if (this.recent.has(sequence, timestamp)) {
      this.duplicates++;
      return false;
    }
    if (!this.isStarted) {
      this.startAt(timestamp);
      this.newestSequence = sequence;
    }
    if (!this.isNear(timestamp)) return true;
    const ahead = this.noteSequence(sequence);
    if (ahead === 1 && timestampDistance(timestamp, this.newestEnd) > 0) this.spurtStart = timestamp | 0;
    if (!this.isInTime(timestamp, length, ahead > 0)) return true;
    const at = timestampDistance(timestamp, this.playout);
    if (at >= 0) this.ring.lay(at, bytes, start, end);
    else this.ring.lay(0, bytes, start - at, end);
    const packetEnd = (timestamp + length) | 0;
    if (timestampDistance(packetEnd, this.newestEnd) > 0) this.newestEnd = packetEnd;
    return true;
  }

  passOver(sequence: number): void {
    if (this.isStarted) this.noteSequence(sequence);
  }

  pull(into: Uint8Array): PulledFrame {
    this.wasCut = false;
    if (!this.isStarted) return this.nothing(into, "silence");
    if (this.delay.holdsFrame()) return this.nothing(into, "lost");
    const cut = this.delay.framesToCut(timestampDistance(this.newestEnd, this.playout));
    if (cut > 0) this.skip(cut);
    const found = this.ring.take(into, this.present);
    const frameStart = this.playout;
    this.playout = (frameStart + FRAME_SAMPLES) | 0;
    if (found === FRAME_SAMPLES) return "audio";
    if (found === 0) this.nothing(into, "lost");
    else this.silenceMissing(into);
    this.countMissing(frameStart);
    return found > 0 ? "partial" : "lost";
  }

  reset(silence: number): void {
    this.silence = silence;
    this.isStarted = false;
    this.undecidedFrames = 0;
    this.recent.forget();
  }

  private startAt(timestamp: number): void {
    this.ring.clear();
    this.delay.restart();
    this.isStarted = true;
    this.playout = (timestamp - this.delay.frames * FRAME_SAMPLES) | 0;
    this.newestEnd = timestamp | 0;
    this.spurtStart = timestamp | 0;
    this.jumpStreak = 0;
  }

  /** False for a single packet with a distant timestamp. Several of them restart the stream. */
  private isNear(timestamp: number): boolean {
    if (Math.abs(timestampDistance(timestamp, this.playout)) > JUMP_SAMPLES) {
      if (++this.jumpStreak < PACKETS_THAT_PROVE_A_JUMP) return false;
      this.startAt(timestamp);
    }
    this.jumpStreak = 0;
    return true;
  }

  /**
   * Distance to the newest packet. The sequence number after empty frames distinguishes a pause of the peer from packet
   * loss.
   */
  private noteSequence(sequence: number): number {
    const ahead = sequenceDistance(sequence, this.newestSequence);
    if (ahead <= 0) return ahead;
    this.newestSequence = sequence;
    this.gaps += Math.min(this.undecidedFrames, ahead - 1);
    this.undecidedFrames = 0;
    return ahead;
  }

  /** False if the packet is too late to be played. */
  private isInTime(timestamp: number, length: number, isNewest: boolean): boolean {
    const spare = timestampDistance(timestamp, this.playout);
    if (spare + length > 0) {
      this.delay.cameInTime(spare);
      return true;
    }
    if (!this.delay.cameTooLate(isNewest)) return false;
    this.startAt(timestamp);
    return true;
  }

  private skip(frames: number): void {
    this.ring.skip(frames);
    this.playout = (this.playout + frames * FRAME_SAMPLES) | 0;
    this.wasCut = true;
    this.givenUp += frames;
  }

  private nothing(into: Uint8Array, kind: PulledFrame): PulledFrame {
    into.fill(this.silence);
    this.present.fill(0);
    return kind;
  }

  private silenceMissing(into: Uint8Array): void {
    for (let i = 0; i < FRAME_SAMPLES; i++) if (this.present[i] === 0) into[i] = this.silence;
  }

  private countMissing(frameStart: number): void {
    const isInSpurt = timestampDistance(frameStart + this.present.lastIndexOf(0), this.spurtStart) >= 0;
    if (timestampDistance(this.newestEnd, this.playout) <= 0) this.undecidedFrames++;
    else if (isInSpurt) this.gaps++;
  }
}

/** Recently received packets, by sequence number and timestamp: a sender that restarts may reuse sequence numbers. */
class RecentPackets {
  /** Sequence number and timestamp as one number. */
  private readonly packets = new Float64Array(SEQUENCES_REMEMBERED).fill(-1);

  /** Returns whether the packet is known, and remembers it. */
  has(sequence: number, timestamp: number): boolean {
    const slot = sequence & (SEQUENCES_REMEMBERED - 1);
    const packet = sequence * 0x1_0000_0000 + timestamp;
    if (this.packets[slot] === packet) return true;
    this.packets[slot] = packet;
    return false;
  }

  forget(): void {
    this.packets.fill(-1);
  }
}
