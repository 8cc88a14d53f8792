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
/** More than this above the window is cut at once, less is given up a frame per second. */
const EXCESS_FRAMES_TO_CUT = 5;
const SEQUENCES_REMEMBERED = 64;

/** `audio` came from the peer, `repeated` covers for one lost frame, `silence` is nothing to play. */
export type PulledFrame = "audio" | "repeated" | "silence";

export interface JitterBuffer {
  push(sequence: number, timestamp: number, bytes: Uint8Array, start: number, end: number): void;
  /** A packet of the stream that carries no audio, such as a key: its time is a pause, not a loss. */
  passOver(sequence: number): void;
  /** Fills `into`, 160 bytes, with the next 20 ms. */
  pull(into: Uint8Array): PulledFrame;
  /** A new source: what was buffered is dropped, the counts stay. */
  reset(silence: number): void;
  readonly delayMs: number;
  /** Packets that came too late to be played. */
  readonly late: number;
  readonly duplicates: number;
  /** Frames that were lost: repeated or left silent while later audio was already there. */
  readonly gaps: number;
}

export function createJitterBuffer(silenceByte: number): JitterBuffer {
  const ring = new Uint8Array(RING_SAMPLES);
  const isFilled = new Uint8Array(RING_SAMPLES);
  const seen = new Int32Array(SEQUENCES_REMEMBERED).fill(-1);
  const lastFrame = new Uint8Array(FRAME_SAMPLES);
  let silence = silenceByte;
  let isStarted = false;
  let mayRepeat = false;
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
  let late = 0;
  let lateAtWindowStart = 0;
  let duplicates = 0;
  let gaps = 0;

  function startAt(timestamp: number): void {
    isFilled.fill(0);
    isStarted = true;
    playout = (timestamp - delayFrames * FRAME_SAMPLES) | 0;
    newestEnd = timestamp | 0;
    spurtStart = timestamp | 0;
    framesToHold = 0;
    jumpStreak = 0;
    lateStreak = 0;
    restartWindow();
  }

  function restartWindow(): void {
    pullsInWindow = 0;
    shallowest = RING_SAMPLES;
    lateAtWindowStart = late;
  }

  function isDuplicate(sequence: number): boolean {
    const slot = sequence & (SEQUENCES_REMEMBERED - 1);
    if (seen[slot] === sequence) return true;
    seen[slot] = sequence;
    return false;
  }

  function noteSequence(sequence: number): number {
    const distance = sequenceDistance(sequence, newestSequence);
    if (distance > 0) newestSequence = sequence;
    return distance;
  }

  /** False where the packet cannot be played any more. */
  function isInTime(timestamp: number, length: number, isNewest: boolean): boolean {
    if (timestampDistance(timestamp, playout) + length > 0) {
      lateStreak = 0;
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

  function conceal(into: Uint8Array): PulledFrame {
    if (!mayRepeat) {
      into.fill(silence);
      return "silence";
    }
    mayRepeat = false;
    into.set(lastFrame);
    return "repeated";
  }

  /** Once a second: gives up delay that built up after a stall, by drift, or in worse times. */
  function trim(): void {
    shallowest = Math.min(shallowest, timestampDistance(newestEnd, playout));
    if (++pullsInWindow < WINDOW_PULLS) return;
    calmWindows = late === lateAtWindowStart ? calmWindows + 1 : 0;
    if (calmWindows >= CALM_WINDOWS_TO_SHRINK && delayFrames > SHORTEST_DELAY_FRAMES) {
      delayFrames--;
      calmWindows = 0;
    }
    // Between two pulls one packet arrives, so a stream on time is never shallower than its delay plus one frame.
    const excess = Math.floor(shallowest / FRAME_SAMPLES) - (delayFrames + 1);
    if (excess >= 1) skip(excess >= EXCESS_FRAMES_TO_CUT ? excess : 1);
    restartWindow();
  }

  function skip(frames: number): void {
    for (let i = 0; i < frames * FRAME_SAMPLES; i++) isFilled[(playout + i) & RING_MASK] = 0;
    playout = (playout + frames * FRAME_SAMPLES) | 0;
  }

  return {
    push(sequence, timestamp, bytes, start, end) {
      const length = end - start;
      if (length <= 0 || length > MOST_PAYLOAD) return;
      if (isDuplicate(sequence)) {
        duplicates++;
        return;
      }
      if (!isStarted) {
        startAt(timestamp);
        newestSequence = sequence;
      }
      if (Math.abs(timestampDistance(timestamp, playout)) > JUMP_SAMPLES) {
        if (++jumpStreak < PACKETS_THAT_PROVE_A_JUMP) return;
        startAt(timestamp);
      }
      jumpStreak = 0;
      const ahead = noteSequence(sequence);
      if (ahead === 1 && timestampDistance(timestamp, newestEnd) > 0) spurtStart = timestamp | 0;
      if (!isInTime(timestamp, length, ahead > 0)) return;
      for (let i = Math.max(0, timestampDistance(playout, timestamp)); i < length; i++) {
        const slot = (timestamp + i) & RING_MASK;
        ring[slot] = bytes[start + i] ?? silence;
        isFilled[slot] = 1;
      }
      const packetEnd = (timestamp + length) | 0;
      if (timestampDistance(packetEnd, newestEnd) > 0) newestEnd = packetEnd;
    },
    passOver(sequence) {
      if (isStarted) noteSequence(sequence);
    },
    pull(into) {
      if (!isStarted) {
        into.fill(silence);
        return "silence";
      }
      if (framesToHold > 0) {
        framesToHold--;
        return conceal(into);
      }
      trim();
      let found = 0;
      for (let i = 0; i < FRAME_SAMPLES; i++) {
        const slot = (playout + i) & RING_MASK;
        const filled = isFilled[slot] ?? 0;
        found += filled;
        into[i] = filled === 1 ? (ring[slot] ?? silence) : silence;
        isFilled[slot] = 0;
      }
      playout = (playout + FRAME_SAMPLES) | 0;
      if (found === 0) {
        if (timestampDistance(newestEnd, playout) > 0 && timestampDistance(playout, spurtStart) > 0) gaps++;
        return conceal(into);
      }
      lastFrame.set(into);
      mayRepeat = true;
      return "audio";
    },
    reset(newSilence) {
      silence = newSilence;
      isStarted = false;
      mayRepeat = false;
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
  };
}
