// A promise with a deadline, for what a caller waits on.
import type { Clock } from "./clock.ts";

/**
 * What `work` comes to, or `late()` as its fault where it takes longer than `mostMs`. Nobody hears of what it does
 * then.
 */
export function inTime<Value>(clock: Clock, mostMs: number, work: Promise<Value>, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(mostMs, () => reject(late()));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
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
