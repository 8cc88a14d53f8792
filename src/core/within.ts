// A promise with a deadline, for what a caller waits on.
import type { Clock } from "./clock.ts";

/** What `work` gives, or `otherwise` where it fails or takes longer than `mostMs`. Never rejects. */
export function within<Value, Otherwise>(
  clock: Clock,
  mostMs: number,
  work: () => Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  return new Promise((resolve) => {
    const cancel = clock.after(mostMs, () => resolve(otherwise));
    const settle = (value: Value | Otherwise): void => {
      cancel();
      resolve(value);
    };
    // The work may throw before it gives a promise.
    void Promise.try(work).then(settle, () => settle(otherwise));
  });
}
