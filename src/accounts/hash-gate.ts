// Concurrency limit for password hashing: a hash takes 19 MiB and a whole core for about 30 ms, and strangers can
// trigger it. Known devices are served first; strangers are served round-robin by source.
import { AppError } from "../core/errors.ts";

/**
 * Serves 30 people a second: a hospital's whole shift within a minute, while all other cores stay available to calls.
 */
const AT_ONCE = 1;
/** About 8 s of waiting at 30 ms each; longer exceeds the timeouts of proxies and the patience of people. */
const MOST_WAITING = 256;
const MOST_WAITING_PER_SOURCE = 64;

export interface HashGate {
  /** `source` for a stranger; null for a known device or session. Throws RATE_LIMITED if too many are waiting. */
  run<T>(source: string | null, work: () => Promise<T>): Promise<T>;
}

export function createHashGate(atOnce = AT_ONCE): HashGate {
  const known: (() => void)[] = [];
  /** In round-robin order of the sources. */
  const strangers = new Map<string, (() => void)[]>();
  let running = 0;
  let waitingStrangers = 0;

  function nextOne(): (() => void) | undefined {
    const first = known.shift();
    if (first) return first;
    const [entry] = strangers;
    if (!entry) return undefined;
    const [source, queue] = entry;
    const turn = queue.shift();
    strangers.delete(source);
    if (queue.length > 0) strangers.set(source, queue);
    waitingStrangers--;
    return turn;
  }

  async function waitForTurn(source: string | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (source === null) {
      if (known.length >= MOST_WAITING) throw tooMany();
      known.push(resolve);
    } else {
      const queue = strangers.get(source) ?? [];
      if (waitingStrangers >= MOST_WAITING || queue.length >= MOST_WAITING_PER_SOURCE) throw tooMany();
      queue.push(resolve);
      strangers.set(source, queue);
      waitingStrangers++;
    }
    await promise;
  }

  return {
    async run(source, work) {
      // The next waiter takes over the slot of the one that finishes, so `running` does not change.
      if (running >= atOnce) await waitForTurn(source);
      else running++;
      try {
        return await work();
      } finally {
        const turn = nextOne();
        if (turn) turn();
        else running--;
      }
    },
  };
}

function tooMany(): AppError {
  return new AppError("RATE_LIMITED", "Too many people are signing in right now. Try again in a few seconds.", {
    retryAfterSeconds: 5,
  });
}
