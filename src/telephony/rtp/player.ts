// Plays queued sounds frame by frame. Nothing is buffered beyond the due frame, so a stop takes effect at once; a 20 ms
// fade avoids a click.
import type { Playable } from "./playable.ts";
import { FRAME_MS, WIDE_FRAME_SAMPLES } from "./rtp.ts";

/**
 * `finished` is false if it was stopped; `playedMs` is the part that was sent, so that only heard words are remembered.
 */
export type PlayEnd = (finished: boolean, playedMs: number) => void;

export interface Player {
  /** Queues a sound after those already playing. The returned function gives the milliseconds sent so far. */
  play(playable: Playable, onEnd: PlayEnd): () => number;
  /** Fades out and clears the queue; every onEnd gets false at once. */
  stop(): void;
  /** Fades out and keeps the position. */
  pause(): void;
  resume(): void;
  readonly isPlaying: boolean;
  /** Fills a whole frame: 160 samples at 8 kHz, or 320 at 16 kHz. */
  nextFrame(into: Int16Array): void;
  /** Calls onEnd of the sounds that ended in the last frame; called once that frame is sent. */
  tellEnded(): void;
}

interface Playing {
  playable: Playable;
  onEnd: PlayEnd;
  playedMs: number;
}

export function createPlayer(): Player {
  return new SoundPlayer();
}

class SoundPlayer implements Player {
  private queue: Playing[] = [];
  private readonly ended: Playing[] = [];
  private fadingOut: Playing | null = null;
  private isPaused = false;
  private isFadingIn = false;

  get isPlaying(): boolean {
    return this.queue.length > 0;
  }

  play(playable: Playable, onEnd: PlayEnd): () => number {
    const playing = { playable, onEnd, playedMs: 0 };
    this.queue.push(playing);
    return () => playing.playedMs;
  }

  stop(): void {
    const stopped = this.queue;
    this.queue = [];
    const [current] = stopped;
    if (current && current.playedMs > 0 && !this.isPaused) this.fadingOut = current;
    this.isPaused = false;
    this.isFadingIn = false;
    for (const playing of stopped) playing.onEnd(false, playing.playedMs);
  }

  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    const [current] = this.queue;
    if (current && current.playedMs > 0) this.fadingOut = current;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.isFadingIn = this.fadingOut === null;
    this.fadingOut = null;
  }

  nextFrame(into: Int16Array): void {
    if (this.fadingOut) {
      this.fadeOut(this.fadingOut, into);
      this.fadingOut = null;
    } else if (this.isPaused || this.queue.length === 0) {
      into.fill(0);
    } else {
      this.readQueue(into);
      if (this.isFadingIn) for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) * (i / into.length);
      this.isFadingIn = false;
    }
  }

  tellEnded(): void {
    for (let playing = this.ended.shift(); playing; playing = this.ended.shift()) playing.onEnd(true, playing.playedMs);
  }

  private readQueue(into: Int16Array): void {
    let at = 0;
    for (let playing = this.queue[0]; playing; playing = this.queue[0]) {
      at += readOne(playing, into, at);
      if (!playing.playable.isOver) break;
      this.ended.push(playing);
      this.queue.shift();
    }
    if (at < into.length) into.fill(0, at);
  }

  private fadeOut(playing: Playing, into: Int16Array): void {
    const count = readOne(playing, into, 0);
    into.fill(0, count);
    for (let i = 0; i < count; i++) into[i] = (into[i] ?? 0) * (1 - (i + 1) / into.length);
    if (this.queue[0] !== playing || !playing.playable.isOver) return;
    this.ended.push(playing);
    this.queue.shift();
  }
}

function readOne(playing: Playing, into: Int16Array, at: number): number {
  const count = playing.playable.read(into, at, into.length === WIDE_FRAME_SAMPLES);
  playing.playedMs += (count * FRAME_MS) / into.length;
  return count;
}
