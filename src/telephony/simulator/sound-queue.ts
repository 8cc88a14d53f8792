// Queue of the sounds that an agent plays on the simulated line, in simulated time.
import type { PlayEnd, Sound } from "../port.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

interface Playing {
  sound: Sound;
  onEnd: (end: PlayEnd) => void;
  /** Null while it waits for its turn, or is paused. */
  startedAtMs: number | null;
  /** Played before a pause, in ms. */
  playedBeforeMs: number;
}

export interface SoundQueueOptions {
  clock: SimulatedClock;
  /** Wraps every callback into the agent. */
  guard: (action: () => void) => void;
  /** The sound was played completely. */
  played: (sound: Sound) => void;
  /** The next sound starts; `isSilent` if there is none. */
  turned: (isSilent: boolean) => void;
}

export class SoundQueue {
  readonly #options: SoundQueueOptions;
  #queue: Playing[] = [];
  #cancelPlaying = () => {};
  #isPaused = false;
  #isClosed = false;

  constructor(options: SoundQueueOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The returned function gives the milliseconds played so far. */
  play(sound: Sound, onEnd: (end: PlayEnd) => void): () => number {
    if (this.#isClosed) return () => 0;
    const playing: Playing = { sound, onEnd, startedAtMs: null, playedBeforeMs: 0 };
    this.#queue.push(playing);
    if (this.#queue.length === 1) this.#playNext();
    return () => this.#playedMs(playing);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    const [playing] = this.#queue;
    if (!playing) return;
    this.#cancelPlaying();
    playing.playedBeforeMs = this.#playedMs(playing);
    playing.startedAtMs = null;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#isClosed && this.#queue.length > 0) this.#playNext();
  }

  stop(): void {
    this.#isPaused = false;
    this.#cancelPlaying();
    const stopped = this.#queue;
    this.#queue = [];
    for (const playing of stopped) this.#end(playing, false);
    if (!this.#isClosed && stopped.length > 0 && this.#queue.length === 0) this.#playNext();
  }

  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  #playNext(): void {
    const { clock, played, turned } = this.#options;
    const [playing] = this.#queue;
    turned(playing === undefined);
    if (!playing || this.#isPaused) return;
    playing.startedAtMs = clock.elapsedMs();
    this.#cancelPlaying = clock.after(playing.sound.lengthMs - playing.playedBeforeMs, () => {
      this.#queue.shift();
      played(playing.sound);
      this.#end(playing, true);
      // The callback may have started the next sound, or hung up.
      if (!this.#isClosed && (this.#queue[0]?.startedAtMs ?? null) === null) this.#playNext();
    });
  }

  #end(playing: Playing, isWhole: boolean): void {
    const ended = { isWhole, playedMs: isWhole ? playing.sound.lengthMs : this.#playedMs(playing) };
    this.#options.guard(() => playing.onEnd(ended));
  }

  #playedMs({ sound, startedAtMs, playedBeforeMs }: Playing): number {
    if (startedAtMs === null) return playedBeforeMs;
    return Math.min(playedBeforeMs + this.#options.clock.elapsedMs() - startedAtMs, sound.lengthMs);
  }
}
