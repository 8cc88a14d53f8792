// Redirects console output of libraries. The console bypasses our log, blocks while its reader does not read, and may
// quote a person. The log reports that it happened and from where, without the text.
import { framesOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const MOST_FRAMES = 4;

export type QuietedConsole = Record<(typeof METHODS)[number], (...words: unknown[]) => void>;

export function quietConsole(logger: Pick<Logger, "warn">, target: QuietedConsole = console): void {
  for (const method of METHODS) {
    target[method] = () => {
      // The first frame is this function.
      const trace = framesOf(new Error())
        .slice(1, 1 + MOST_FRAMES)
        .join(" | ");
      logger.warn("A library wrote to the console.", { method, trace });
    };
  }
}
