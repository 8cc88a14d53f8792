// How long packets wait before they are played: as long as this network's jitter asks for and, after a while, no
// longer. It counts; what it decides, the jitter buffer does.
import { FRAME_SAMPLES } from "./rtp.ts";

/** The reorder window: 60 ms outlasts the jitter of a wired trunk; past 120 ms people begin to talk over each other. */
const SHORTEST_DELAY_FRAMES = 3;
const LONGEST_DELAY_FRAMES = 6;
/** Late packets in a row, at the longest window, that prove the sender's clock fell behind ours. */
const LATE_PACKETS_THAT_PROVE_DRIFT = 5;
const WINDOW_PULLS = 50;
/** 10 s without a late packet and the window shrinks by a frame. */
const CALM_WINDOWS_TO_SHRINK = 10;
/** 10 s in which even the slowest packet came this much too early, and a frame of delay is given up. */
const SPARE_FRAMES_TO_CUT = 2;
/** More than this above the window is cut at once, less is given up a frame per second. */
const EXCESS_FRAMES_TO_CUT = 5;
/** More samples than a buffer ever holds. */
const NONE_YET = 0x7fff_ffff;

export class PlayoutDelay {
  frames = SHORTEST_DELAY_FRAMES;
  /** Packets that came too late to be played. */
  late = 0;
  private lateStreak = 0;
  private framesToHold = 0;
  private pullsInWindow = 0;
  private lateAtWindowStart = 0;
  /** The least that was held at a pull of this window. */
  private shallowest = NONE_YET;
  private calmWindows = 0;
  /** How long before its time the slowest and the fastest packet of the calm came. */
  private leastSpare = NONE_YET;
  private mostSpare = 0;

  /** A stream begins, with the delay that the network has been found to need. */
  restart(): void {
    this.framesToHold = 0;
    this.lateStreak = 0;
    this.restartCalm();
    this.restartWindow();
  }

  /** A packet came this many samples before its time. */
  cameInTime(spare: number): void {
    this.lateStreak = 0;
    if (spare < this.leastSpare) this.leastSpare = spare;
    if (spare > this.mostSpare) this.mostSpare = spare;
  }

  /**
   * A packet cannot be played any more. True where the sender's clock fell so far behind that the stream begins anew.
   */
  cameTooLate(isNewest: boolean): boolean {
    this.late++;
    if (isNewest) this.lateStreak++; // A straggler says nothing of the sender's clock.
    if (this.frames === LONGEST_DELAY_FRAMES) return this.lateStreak >= LATE_PACKETS_THAT_PROVE_DRIFT;
    this.frames++;
    this.framesToHold++;
    return false;
  }

  /** Whether this frame waits, because the delay grew. */
  holdsFrame(): boolean {
    if (this.framesToHold === 0) return false;
    this.framesToHold--;
    return true;
  }

  /**
   * With every pull, how many frames are to be given up: once a second, what built up after a stall, by drift, or in
   * worse times. `depth` is what is held, in samples.
   */
  framesToCut(depth: number): number {
    if (depth < this.shallowest) this.shallowest = depth;
    if (++this.pullsInWindow < WINDOW_PULLS) return 0;
    const frames = this.cutAfterCalm() + this.cutOfExcess();
    if (frames > 0) this.restartCalm();
    this.restartWindow();
    return frames;
  }

  /** Where the first packet of a stream was a slow one, all that follow wait for longer than they need. */
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

  /** Between two pulls one packet arrives, so a stream on time is never shallower than its delay plus one frame. */
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
