// Passwords are hashed one at a time: a hash takes 19 MiB and a whole core for some 30 ms, and strangers ask for them.
// Whoever signs in on a device we know is served first; among strangers each source gets its turn.
import { AppError } from "../core/errors.ts";

/** 30 people a second: a hospital's whole shift within a minute, and every core but one stays with the calls. */
const AT_ONCE = 1;
/** Some 8 s of waiting at 30 ms each; more would outlast the patience of people and proxies. */
const MOST_WAITING = 256;
const MOST_WAITING_PER_SOURCE = 64;

export interface HashGate {
  /** `source` where a stranger asks; null where it is somebody we know. Throws RATE_LIMITED where too many wait. */
  run<T>(source: string | null, work: () => Promise<T>): Promise<T>;
}

export function createHashGate(): HashGate {
  const known: (() => void)[] = [];
  /** In the order in which the sources get their turn. */
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
      // Whoever is let in by a leaver takes over its place, so `running` is not counted down in between.
      if (running >= AT_ONCE) await waitForTurn(source);
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
