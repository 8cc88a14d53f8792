// Timeouts for promises.
import type { Clock } from "./clock.ts";

/** Resolves like `work`, or rejects with `late()` after `mostMs`. A later result of `work` is ignored. */
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

/** The result of `work`, or `otherwise` if it fails or takes longer than `mostMs`. Never rejects. */
export function within<Value, Otherwise>(
  clock: Clock,
  mostMs: number,
  work: () => Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  // The work may throw synchronously.
  return inTime(clock, mostMs, Promise.try(work), () => new Error("Too late.")).catch(() => otherwise);
}
