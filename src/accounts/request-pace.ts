// Counts requests by client address: at most so many in a period. Bounded, so a flood of addresses costs little memory.
import type { Clock } from "../core/clock.ts";

/** About two megabytes. */
const MOST_SOURCES = 10_000;

export function createRequestPace(clock: Clock, { most, withinMs }: { most: number; withinMs: number }) {
  /** Times by Clock.elapsedMs, oldest first. The address that asked last is at the end. */
  const bySource = new Map<string, number[]>();
  return {
    /** 0, or how long to wait. A refused request does not count. */
    take(source: string): number {
      const now = clock.elapsedMs();
      const times = (bySource.get(source) ?? []).filter((at) => now - at < withinMs);
      bySource.delete(source);
      const [oldest] = times;
      const isRefused = times.length >= most && oldest !== undefined;
      if (!isRefused) times.push(now);
      bySource.set(source, times);
      const [first] = bySource.keys();
      if (bySource.size > MOST_SOURCES && first !== undefined) bySource.delete(first);
      return isRefused ? oldest + withinMs - now : 0;
    },
  };
}
