// Playout delay: adapts to the jitter of the network and shrinks again after a calm period. It only decides; the jitter
// buffer applies the decisions.
import { FRAME_SAMPLES } from "./rtp.ts";

/** The reorder window: 60 ms covers the jitter of a wired trunk; beyond 120 ms people start to talk over each other. */
const SHORTEST_DELAY_FRAMES = 3;
const LONGEST_DELAY_FRAMES = 6;
/** Consecutive late packets, at the longest window, that indicate that the sender's clock fell behind ours. */
const LATE_PACKETS_THAT_PROVE_DRIFT = 5;
const WINDOW_PULLS = 50;
/** After 10 s without a late packet the window shrinks by a frame. */
const CALM_WINDOWS_TO_SHRINK = 10;
/** If even the slowest packet came this early for 10 s, one frame of delay is dropped. */
const SPARE_FRAMES_TO_CUT = 2;
/** A larger excess over the window is dropped at once, a smaller one at one frame per second. */
const EXCESS_FRAMES_TO_CUT = 5;
/** More samples than the buffer can hold. */
const NONE_YET = 0x7fff_ffff;

export class PlayoutDelay {
  frames = SHORTEST_DELAY_FRAMES;
  /** Packets that arrived too late to be played. */
  late = 0;
  private lateStreak = 0;
  private framesToHold = 0;
  private pullsInWindow = 0;
  private lateAtWindowStart = 0;
  /** Lowest fill level at a pull in this window. */
  private shallowest = NONE_YET;
  private calmWindows = 0;
  /** Smallest and largest lead of a packet in the calm period. */
  private leastSpare = NONE_YET;
  private mostSpare = 0;

  /** A stream starts, with the delay found so far for this network. */
  restart(): void {
    this.framesToHold = 0;
    this.lateStreak = 0;
    this.restartCalm();
    this.restartWindow();
  }

  /** A packet arrived this many samples before its time. */
  cameInTime(spare: number): void {
    this.lateStreak = 0;
    if (spare < this.leastSpare) this.leastSpare = spare;
    if (spare > this.mostSpare) this.mostSpare = spare;
  }

  /** A packet is too late to be played. True if the sender's clock fell so far behind that the stream must restart. */
  cameTooLate(isNewest: boolean): boolean {
    this.late++;
    if (isNewest) this.lateStreak++; // A reordered packet says nothing about the sender's clock.
    if (this.frames === LONGEST_DELAY_FRAMES) return this.lateStreak >= LATE_PACKETS_THAT_PROVE_DRIFT;
    this.frames++;
    this.framesToHold++;
    return false;
  }

  /** Whether this frame is held because the delay grew. */
  holdsFrame(): boolean {
    if (this.framesToHold === 0) return false;
    this.framesToHold--;
    return true;
  }

  /**
   * Called with every pull; returns how many frames to drop. Once a second it removes delay from a stall, clock drift
   * or earlier jitter. `depth` is the fill level in samples.
   */
  framesToCut(depth: number): number {
    if (depth < this.shallowest) this.shallowest = depth;
    if (++this.pullsInWindow < WINDOW_PULLS) return 0;
    const frames = this.cutAfterCalm() + this.cutOfExcess();
    if (frames > 0) this.restartCalm();
    this.restartWindow();
    return frames;
  }

  /** If the first packet of a stream was slow, all later ones wait longer than needed. */
  private cutAfterCalm(): number {
    if (this.late !== this.lateAtWindowStart) this.restartCalm();
    else this.calmWindows++;
    if (this.calmWindows < CALM_WINDOWS_TO_SHRINK) return 0;
    if (this.frames > SHORTEST_DELAY_FRAMES) this.frames--;
    const isSpare =
      this.leastSpare >= SPARE_FRAMES_TO_CUT * FRAME_SAMPLES && this.mostSpare >= (this.frames + 2) * FRAME_SAMPLES;
    this.restartCalm();
    return isSpare ? 1 : 0;
  }

  /** One packet arrives between two pulls, so a stream on time never holds less than its delay plus one frame. */
  private cutOfExcess(): number {
    const excess = Math.floor(this.shallowest / FRAME_SAMPLES) - (this.frames + 1);
    if (excess < 1) return 0;
    return excess >= EXCESS_FRAMES_TO_CUT ? excess : 1;
  }

  private restartWindow(): void {
    this.pullsInWindow = 0;
    this.shallowest = NONE_YET;
    this.lateAtWindowStart = this.late;
  }

  private restartCalm(): void {
    this.calmWindows = 0;
    this.leastSpare = NONE_YET;
    this.mostSpare = 0;
  }
}
