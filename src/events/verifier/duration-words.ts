// Durations in words.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";

const UNITS = [
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", SECOND_MS],
] as const;

/** In the largest unit that leaves no remainder: `2 minutes`, `90 seconds`. */
export function durationWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? (["millisecond", 1] as const);
  const count = ms / unitMs;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
