// Sounds one after the other, frame by frame. Nothing is queued beyond the frame that is due, so that a stop is heard
// at once; a 20 ms fade keeps it from clicking.
import type { Playable } from "./playable.ts";
import { FRAME_MS, WIDE_FRAME_SAMPLES } from "./rtp.ts";

/** `finished` is false where it was stopped; `playedMs` is what went out, so that only what was heard is remembered. */
export type PlayEnd = (finished: boolean, playedMs: number) => void;

export interface Player {
  /** Plays after what is playing already. What comes back tells how much of it has gone out, in ms. */
  play(playable: Playable, onEnd: PlayEnd): () => number;
  /** Fades the sound out and forgets what was to follow; every onEnd hears false, at once. */
  stop(): void;
  /** Fades out and keeps the place. */
  pause(): void;
  resume(): void;
  readonly isPlaying: boolean;
  /** Fills a whole frame: 160 samples of 8 kHz, or 320 of 16 kHz. */
  nextFrame(into: Int16Array): void;
  /** Tells who waited for sounds that ended in the last frame; called when that frame is on its way. */
  tellEnded(): void;
}

interface Playing {
  playable: Playable;
  onEnd: PlayEnd;
  playedMs: number;
}

export function createPlayer(): Player {
  let queue: Playing[] = [];
  const ended: Playing[] = [];
  let fadingOut: Playing | null = null;
  let isPaused = false;
  let isFadingIn = false;

  function readOne(playing: Playing, into: Int16Array, at: number): number {
    const count = playing.playable.read(into, at, into.length === WIDE_FRAME_SAMPLES);
    playing.playedMs += (count * FRAME_MS) / into.length;
    return count;
  }

  function readQueue(into: Int16Array): void {
    let at = 0;
    for (let playing = queue[0]; playing; playing = queue[0]) {
      at += readOne(playing, into, at);
      if (!playing.playable.isOver) break;
      ended.push(playing);
      queue.shift();
    }
    into.fill(0, at);
  }

  function fadeOut(playing: Playing, into: Int16Array): void {
    const count = readOne(playing, into, 0);
    into.fill(0, count);
    for (let i = 0; i < count; i++) into[i] = (into[i] ?? 0) * (1 - (i + 1) / into.length);
    if (queue[0] !== playing || !playing.playable.isOver) return;
    ended.push(playing);
    queue.shift();
  }

  return {
    play(playable, onEnd) {
      const playing = { playable, onEnd, playedMs: 0 };
      queue.push(playing);
      return () => playing.playedMs;
    },
    stop() {
      const stopped = queue;
      queue = [];
      const [current] = stopped;
      if (current && current.playedMs > 0 && !isPaused) fadingOut = current;
      isPaused = false;
      isFadingIn = false;
      for (const playing of stopped) playing.onEnd(false, playing.playedMs);
    },
    pause() {
      if (isPaused) return;
      isPaused = true;
      const [current] = queue;
      if (current && current.playedMs > 0) fadingOut = current;
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      isFadingIn = fadingOut === null;
      fadingOut = null;
    },
    get isPlaying() {
      return queue.length > 0;
    },
    nextFrame(into) {
      if (fadingOut) {
        fadeOut(fadingOut, into);
        fadingOut = null;
      } else if (isPaused || queue.length === 0) {
        into.fill(0);
      } else {
        readQueue(into);
        if (isFadingIn) for (let i = 0; i < into.length; i++) into[i] = (into[i] ?? 0) * (i / into.length);
        isFadingIn = false;
      }
    },
    tellEnded() {
      for (let playing = ended.shift(); playing; playing = ended.shift()) playing.onEnd(true, playing.playedMs);
    },
  };
}
