// Libraries may write to the console, which goes past our log: it waits for whoever reads it, for ever where nobody does, and it may
// quote what somebody said. The log tells that it happened and from where, without the words.
import type { Logger } from "./logger.ts";

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const MOST_FRAMES = 4;

export type QuietedConsole = Record<(typeof METHODS)[number], (...words: unknown[]) => void>;

/** Answers how to undo it. */
export function quietConsole(logger: Pick<Logger, "warn">, target: QuietedConsole = console): () => void {
  const before = METHODS.map((method) => [method, target[method]] as const);
  for (const method of METHODS)
    target[method] = () => logger.warn("A library wrote to the console.", { method, trace: callers(new Error()) });
  return () => {
    for (const [method, write] of before) target[method] = write;
  };
}

/** Frames only; the first is ours. */
function callers({ stack = "" }: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s*at /.test(line));
  return frames
    .slice(1, 1 + MOST_FRAMES)
    .map((line) => line.trim())
    .join(" | ");
}
