// Client of the posting thread. TLS is half of the cost of a delivery, so it must not run on the thread that serves
// requests and calls. The thread starts before the appliance is reachable or on the first post, and restarts on the
// next post after it has ended.
import { monotonicMs, SECOND_MS, systemClock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { within } from "../../core/within.ts";
import type { WorkerPort } from "../../core/worker-port.ts";
import { createSafePost, type PostResult, type SafePost } from "./safe-post.ts";
import {
  pack,
  type FromPostWorker,
  type NumberedPost,
  type Packed,
  type ThreadOptions,
  type ToPostWorker,
} from "./thread-protocol.ts";

/** Startup does not wait longer for the thread, which is needed only for the first post. */
const LONGEST_START_MS = 5 * SECOND_MS;

export type PostWorker = WorkerPort<ToPostWorker, FromPostWorker>;

interface UnderWay {
  sinceMs: number;
  resolve(result: PostResult): void;
}

/** Throws at once for a bad setting, as createSafePost does. */
export function createThreadPost(options: ThreadOptions, startWorker: () => PostWorker): SafePost {
  const { checkUrl } = createSafePost(options);
  const underWay = new Map<number, UnderWay>();
  let worker: PostWorker | null = null;
  let isThere: Promise<void> = Promise.resolve();
  let posts: NumberedPost[] = [];
  let lastNumber = 0;

  function started(): PostWorker {
    const thread = startWorker();
    const hello = Promise.withResolvers<void>();
    isThere = hello.promise;
    thread.onMessage((results) => {
      hello.resolve();
      for (const { number, ...result } of results) end(number, () => result);
    });
    thread.onEnd((reason) => {
      worker = null;
      hello.resolve();
      giveUp(underWay.keys(), `The delivery thread ended: ${reason}.`);
    });
    thread.post({ type: "options", options });
    return thread;
  }

  function end(number: number, resultAfter: (durationMs: number) => PostResult): void {
    const post = underWay.get(number);
    underWay.delete(number);
    post?.resolve(resultAfter(Math.round(monotonicMs() - post.sinceMs)));
  }

  function giveUp(numbers: Iterable<number>, detail: string): void {
    for (const number of numbers) end(number, (durationMs) => ({ kind: "our_fault", detail, durationMs }));
  }

  async function sendSoon(): Promise<void> {
    // A microtask batches posts made together. A macrotask would be too late: a long write may come first and leave the
    // thread idle.
    await Promise.resolve();
    const together = posts;
    posts = [];
    try {
      worker ??= started();
      const packed: Packed = [];
      const others = together.filter((post) => !pack(post, packed));
      worker.post({ type: "posts", posts: others, packed });
    } catch (error) {
      // The thread cannot be started: fails the waiting posts, which would otherwise never complete.
      giveUp(
        together.map(({ number }) => number),
        `The delivery thread cannot be started: ${messageOf(error)}`,
      );
    }
  }

  return {
    checkUrl,
    keepsPlaces: true,
    async ready() {
      try {
        worker ??= started();
      } catch {
        // The first post retries and reports the error.
      }
      await within(systemClock, LONGEST_START_MS, () => isThere, undefined);
    },
    post(request) {
      return new Promise((resolve) => {
        const number = ++lastNumber;
        underWay.set(number, { sinceMs: monotonicMs(), resolve });
        if (posts.push({ ...request, number }) === 1) void sendSoon();
      });
    },
  };
}
