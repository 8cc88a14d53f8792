// Phrase spotters as seen from the main thread. They start with the recognisers, and calls do not wait for them.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Speech } from "../tts/speech.ts";

/** A spotter needs about two thirds of a recogniser's time, and 170 MB of memory. */
const RECOGNISERS_A_SPOTTER = 3;
const MOST_SPOTTERS = 3;
/** Loading takes two seconds. */
const LONGEST_START_MS = 30 * SECOND_MS;

export function spotterCount(setting: number | "auto", recognisers: number): number {
  return setting === "auto" ? Math.min(MOST_SPOTTERS, Math.ceil(recognisers / RECOGNISERS_A_SPOTTER)) : setting;
}

export interface SpotterThreads {
  /** Configured number, running or not. */
  readonly count: number;
  running(): number;
  /** Why alarm phrases are searched in recognised words only, as a sentence; null if the spotter runs. */
  absence(): string | null;
  start(): void;
  serve(give: (index: number, port: MessagePort) => void): () => void;
  stop(): Promise<void>;
}

export interface SpotterThreadsOptions {
  clock: Clock;
  /** Number of spotters, or why there are none. */
  spotters: number | string;
  threadOf: (index: number) => Speech;
}

export function createSpotterThreads({ clock, spotters, threadOf }: SpotterThreadsOptions): SpotterThreads {
  const threads = Array.from({ length: typeof spotters === "number" ? spotters : 0 }, (_, index) => threadOf(index));
  let startedAt: number | null = null;
  const running = () => threads.filter((thread) => thread.status().worker === "running").length;
  return {
    count: threads.length,
    running,
    absence() {
      if (typeof spotters === "string") return spotters;
      if (running() > 0 || threads.length === 0) return null;
      const trouble = threads.map((thread) => thread.status().message).find((message) => message !== null);
      const isLate = startedAt !== null && clock.elapsedMs() - startedAt > LONGEST_START_MS;
      return trouble ?? (isLate ? "The phrase spotter takes long to start." : null);
    },
    start() {
      startedAt ??= clock.elapsedMs();
      for (const thread of threads) thread.start();
    },
    serve(give) {
      const ends = threads.map((thread, index) => thread.serve((port) => give(index, port)));
      return () => {
        for (const end of ends) end();
      };
    },
    stop: async () => void (await Promise.all(threads.map((thread) => thread.stop()))),
  };
}
