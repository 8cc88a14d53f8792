// A test line that plays sounds in sequence and supports interruption and hold.
import type { PlayEnd, Sound } from "../../src/telephony/port.ts";
import type { createManualClock } from "../support/manual-clock.ts";

interface Item {
  sound: Sound;
  onEnd: (end: PlayEnd) => void;
  playedBeforeMs: number;
  /** Null while nothing plays. */
  since: number | null;
  cancel: () => void;
}

export function createStageLine(clock: ReturnType<typeof createManualClock>) {
  const all: Item[] = [];
  let queue: Item[] = [];
  let isHeld = false;

  const playedMs = ({ playedBeforeMs, since }: Item) => playedBeforeMs + (since === null ? 0 : clock.now() - since);

  function start(): void {
    const [first] = queue;
    if (!first || isHeld || first.since !== null) return;
    first.since = clock.now();
    first.cancel = clock.after(first.sound.lengthMs - first.playedBeforeMs, () => {
      fallSilent(first);
      queue.shift();
      first.onEnd({ playedMs: first.sound.lengthMs, isWhole: true });
      start();
    });
  }

  function fallSilent(item: Item): void {
    item.cancel();
    item.playedBeforeMs = playedMs(item);
    item.since = null;
  }

  return {
    play(sound: Sound, onEnd: (end: PlayEnd) => void): () => number {
      const item: Item = { sound, onEnd, playedBeforeMs: 0, since: null, cancel: () => {} };
      all.push(item);
      queue.push(item);
      start();
      return () => playedMs(item);
    },
    /** Also ends a pause. */
    stop(): void {
      isHeld = false;
      const stopped = queue;
      queue = [];
      stopped.forEach(fallSilent);
      for (const item of stopped) item.onEnd({ playedMs: playedMs(item), isWhole: false });
    },
    hold(): void {
      isHeld = true;
      if (queue[0]) fallSilent(queue[0]);
    },
    resume(): void {
      isHeld = false;
      start();
    },
    /** The longest playback of each sound, in one go or across a hold, in ms. */
    played(): Map<Sound, number> {
      const longest = new Map<Sound, number>();
      for (const item of all) longest.set(item.sound, Math.max(longest.get(item.sound) ?? 0, playedMs(item)));
      return longest;
    },
  };
}
