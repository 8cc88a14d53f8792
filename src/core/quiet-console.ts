// Libraries may write to the console, which goes past our log: it waits for whoever reads it, for ever where nobody
// does, and it may quote what somebody said. The log tells that it happened and from where, without the words.
import { framesOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const MOST_FRAMES = 4;

export type QuietedConsole = Record<(typeof METHODS)[number], (...words: unknown[]) => void>;

export function quietConsole(logger: Pick<Logger, "warn">, target: QuietedConsole = console): void {
  for (const method of METHODS) {
    target[method] = () => {
      // The first frame is ours.
      const trace = framesOf(new Error())
        .slice(1, 1 + MOST_FRAMES)
        .join(" | ");
      logger.warn("A library wrote to the console.", { method, trace });
    };
  }
}
