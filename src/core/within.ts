// A promise with a deadline, for what a caller waits on.
import type { Clock } from "./clock.ts";

/** What `work` comes to, or `late()` as its fault where it takes longer than `mostMs`. Nobody hears of what it does then. */
export function inTime<Value>(clock: Clock, mostMs: number, work: Promise<Value>, late: () => Error): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const cancel = clock.after(mostMs, () => limit.reject(late()));
  return Promise.race([work, limit.promise]).finally(cancel);
}

/** What `work` gives, or `otherwise` where it fails or takes longer than `mostMs`. Never rejects. */
export function within<Value, Otherwise>(
  clock: Clock,
  mostMs: number,
  work: () => Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  // The work may throw before it gives a promise.
  return inTime(clock, mostMs, Promise.try(work), () => new Error("Too late.")).catch(() => otherwise);
}
