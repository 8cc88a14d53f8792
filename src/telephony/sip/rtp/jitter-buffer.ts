// What arrives out of order, twice, late or not at all becomes one frame every 20 ms. It is a ring of samples laid out
// by RTP timestamp, so that packets of 10 or 30 ms, gaps of silent peers and wrapping counters need no special case.
import { FRAME_MS, FRAME_SAMPLES, sequenceDistance, timestampDistance } from "./rtp.ts";

/** The reorder window: 60 ms outlasts the jitter of a wired trunk; past 120 ms people begin to talk over each other. */
const SHORTEST_DELAY_FRAMES = 3;
const LONGEST_DELAY_FRAMES = 6;
/** About a second. A power of two, so that wrapped timestamps still index it. */
const RING_SAMPLES = 8_192;
const RING_MASK = RING_SAMPLES - 1;
/** 160 ms of G.711: more than any peer packs into one packet. */
const MOST_PAYLOAD = 1_280;
/** A timestamp further off than 800 ms is a sender that set its clock anew, once a second packet agrees. */
const JUMP_SAMPLES = 6_400;
const PACKETS_THAT_PROVE_A_JUMP = 2;
/** Late packets in a row, at the longest window, that prove the sender's clock fell behind ours. */
const LATE_PACKETS_THAT_PROVE_DRIFT = 5;
const WINDOW_PULLS = 50;
/** 10 s without a late packet and the window shrinks by a frame. */
const CALM_WINDOWS_TO_SHRINK = 10;
/** 10 s in which even the slowest packet came this much too early, and a frame of delay is given up. */
const SPARE_FRAMES_TO_CUT = 2;
/** More than this above the window is cut at once, less is given up a frame per second. */
const EXCESS_FRAMES_TO_CUT = 5;
const SEQUENCES_REMEMBERED = 64;

/**
 * `audio` came from the peer, of `partial` a piece is missing (`present` tells which), `lost` is a frame to be made up, and
 * `silence` is before the first. What is missing is filled with silence.
 */
export type PulledFrame = "audio" | "partial" | "lost" | "silence";

export interface JitterBuffer {
  /** False for a copy of what was here before. */
  push(sequence: number, timestamp: number, bytes: Uint8Array, start: number, end: number): boolean;
  /** A packet of the stream that carries no audio, such as a key: its time is a pause, not a loss. */
  passOver(sequence: number): void;
  /** Fills `into`, 160 bytes, with the next 20 ms. */
  pull(into: Uint8Array): PulledFrame;
  /** Of the frame that was pulled last: 1 for every byte that came from the peer. */
  readonly present: Uint8Array;
  /** Whether frames were given up right before the one that was pulled last, to shorten the delay. */
  readonly wasCut: boolean;
  /** A new source: what was buffered is dropped, the counts stay. */
  reset(silence: number): void;
  readonly delayMs: number;
  /** Packets that came too late to be played. */
  readonly late: number;
  readonly duplicates: number;
  /** Frames that were lost, in part or whole, and had to be made up. A pause of the peer is none. */
  readonly gaps: number;
}

export function createJitterBuffer(silenceByte: number): JitterBuffer {
  const ring = new Uint8Array(RING_SAMPLES);
  const isFilled = new Uint8Array(RING_SAMPLES);
  const seen = new Int32Array(SEQUENCES_REMEMBERED).fill(-1);
  /** Beside its sequence number: a sender that counts anew comes by the same numbers at other times. */
  const seenAt = new Int32Array(SEQUENCES_REMEMBERED);
  const present = new Uint8Array(FRAME_SAMPLES);
  let silence = silenceByte;
  let isStarted = false;
  /** Timestamp of the next sample to play, and of the sample after the newest one we hold. */
  let playout = 0;
  let newestEnd = 0;
  let newestSequence = 0;
  /** Where the peer began to send again after a pause: nothing before it is missing. */
  let spurtStart = 0;
  let delayFrames = SHORTEST_DELAY_FRAMES;
  let framesToHold = 0;
  let jumpStreak = 0;
  let lateStreak = 0;
  let pullsInWindow = 0;
  let shallowest = RING_SAMPLES;
  let calmWindows = 0;
  /** How long before its time the slowest and the fastest packet of the calm came. */
  let leastSpare = RING_SAMPLES;
  let mostSpare = 0;
  let late = 0;
  let lateAtWindowStart = 0;
  let duplicates = 0;
  let gaps = 0;
  /** Empty frames at the end of what we hold: a pause or a loss, as the next packet will tell. */
  let undecidedFrames = 0;
  let wasCut = false;

  function startAt(timestamp: number): void {
    isFilled.fill(0);
    isStarted = true;
    playout = (timestamp - delayFrames * FRAME_SAMPLES) | 0;
    newestEnd = timestamp | 0;
    spurtStart = timestamp | 0;
    framesToHold = 0;
    jumpStreak = 0;
    lateStreak = 0;
    restartCalm();
    restartWindow();
  }

  function restartWindow(): void {
    pullsInWindow = 0;
    shallowest = RING_SAMPLES;
    lateAtWindowStart = late;
  }

  function restartCalm(): void {
    calmWindows = 0;
    leastSpare = RING_SAMPLES;
    mostSpare = 0;
  }

  function isDuplicate(sequence: number, timestamp: number): boolean {
    const slot = sequence & (SEQUENCES_REMEMBERED - 1);
    if (seen[slot] === sequence && seenAt[slot] === (timestamp | 0)) return true;
    seen[slot] = sequence;
    seenAt[slot] = timestamp;
    return false;
  }

  function noteSequence(sequence: number): number {
    const distance = sequenceDistance(sequence, newestSequence);
    if (distance > 0) newestSequence = sequence;
    return distance;
  }

  /** False where the packet cannot be played any more. */
  function isInTime(timestamp: number, length: number, isNewest: boolean): boolean {
    const spare = timestampDistance(timestamp, playout);
    if (spare + length > 0) {
      lateStreak = 0;
      leastSpare = Math.min(leastSpare, spare);
      mostSpare = Math.max(mostSpare, spare);
      return true;
    }
    late++;
    if (isNewest) lateStreak++; // A straggler says nothing of the sender's clock.
    if (delayFrames < LONGEST_DELAY_FRAMES) {
      delayFrames++;
      framesToHold++;
    } else if (lateStreak >= LATE_PACKETS_THAT_PROVE_DRIFT) {
      startAt(timestamp);
      return true;
    }
    return false;
  }

  /** Nothing is played from the ring in this frame. */
  function empty(into: Uint8Array, kind: PulledFrame): PulledFrame {
    into.fill(silence);
    present.fill(0);
    return kind;
  }

  /** What came next after empty frames: by its sequence number, the peer paused or packets of it were lost. */
  function decideOnEmptyFrames(packetsAhead: number): void {
    if (packetsAhead <= 0) return;
    gaps += Math.min(undecidedFrames, packetsAhead - 1);
    undecidedFrames = 0;
  }

  /** Once a second: gives up delay that built up after a stall, by drift, or in worse times. */
  function trim(): void {
    shallowest = Math.min(shallowest, timestampDistance(newestEnd, playout));
    if (++pullsInWindow < WINDOW_PULLS) return;
    if (late === lateAtWindowStart) calmWindows++;
    else restartCalm();
    if (calmWindows >= CALM_WINDOWS_TO_SHRINK) {
      if (delayFrames > SHORTEST_DELAY_FRAMES) delayFrames--;
      // Where the first packet of a stream was a slow one, all that follow wait for longer than they need.
      if (leastSpare >= SPARE_FRAMES_TO_CUT * FRAME_SAMPLES && mostSpare >= (delayFrames + 2) * FRAME_SAMPLES) skip(1);
      restartCalm();
    }
    // Between two pulls one packet arrives, so a stream on time is never shallower than its delay plus one frame.
    const excess = Math.floor(shallowest / FRAME_SAMPLES) - (delayFrames + 1);
    if (excess >= 1) skip(excess >= EXCESS_FRAMES_TO_CUT ? excess : 1);
    restartWindow();
  }

  function skip(frames: number): void {
    for (let i = 0; i < frames * FRAME_SAMPLES; i++) isFilled[(playout + i) & RING_MASK] = 0;
    playout = (playout + frames * FRAME_SAMPLES) | 0;
    wasCut = true;
    restartCalm();
  }

  return {
    present,
    push(sequence, timestamp, bytes, start, end) {
      const length = end - start;
      if (length <= 0 || length > MOST_PAYLOAD) return true;
      if (isDuplicate(sequence, timestamp)) {
        duplicates++;
        return false;
      }
      if (!isStarted) {
        startAt(timestamp);
        newestSequence = sequence;
      }
      if (Math.abs(timestampDistance(timestamp, playout)) > JUMP_SAMPLES) {
        if (++jumpStreak < PACKETS_THAT_PROVE_A_JUMP) return true;
        startAt(timestamp);
      }
      jumpStreak = 0;
      const ahead = noteSequence(sequence);
      decideOnEmptyFrames(ahead);
      if (ahead === 1 && timestampDistance(timestamp, newestEnd) > 0) spurtStart = timestamp | 0;
      if (!isInTime(timestamp, length, ahead > 0)) return true;
      for (let i = Math.max(0, timestampDistance(playout, timestamp)); i < length; i++) {
        const slot = (timestamp + i) & RING_MASK;
        ring[slot] = bytes[start + i] ?? silence;
        isFilled[slot] = 1;
      }
      const packetEnd = (timestamp + length) | 0;
      if (timestampDistance(packetEnd, newestEnd) > 0) newestEnd = packetEnd;
      return true;
    },
    passOver(sequence) {
      if (isStarted) decideOnEmptyFrames(noteSequence(sequence));
    },
    pull(into) {
      wasCut = false;
      if (!isStarted) return empty(into, "silence");
      if (framesToHold > 0) {
        framesToHold--;
        return empty(into, "lost");
      }
      trim();
      let found = 0;
      let lastMissing = 0;
      for (let i = 0; i < FRAME_SAMPLES; i++) {
        const slot = (playout + i) & RING_MASK;
        const filled = isFilled[slot] ?? 0;
        found += filled;
        if (filled === 0) lastMissing = i;
        present[i] = filled;
        into[i] = filled === 1 ? (ring[slot] ?? silence) : silence;
        isFilled[slot] = 0;
      }
      const isInSpurt = timestampDistance(playout + lastMissing, spurtStart) >= 0;
      playout = (playout + FRAME_SAMPLES) | 0;
      if (found === FRAME_SAMPLES) return "audio";
      if (timestampDistance(newestEnd, playout) <= 0) undecidedFrames++;
      else if (isInSpurt) gaps++;
      return found > 0 ? "partial" : "lost";
    },
    reset(newSilence) {
      silence = newSilence;
      isStarted = false;
      undecidedFrames = 0;
      seen.fill(-1);
    },
    get delayMs() {
      return delayFrames * FRAME_MS;
    },
    get late() {
      return late;
    },
    get duplicates() {
      return duplicates;
    },
    get gaps() {
      return gaps;
    },
    get wasCut() {
      return wasCut;
    },
  };
}
