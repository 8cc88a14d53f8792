// Pool of audio workers: one job per thread, oldest first, with a bounded wait.
import type { Clock } from "../core/clock.ts";

/** Request to a thread, which answers with the same id. */
export interface SoundRequest {
  id: number;
  /** 8 kHz, 16 bits. */
  samples: Int16Array<ArrayBuffer>;
}

interface Job<Result> {
  id: number;
  ear: number;
  samples: Int16Array<ArrayBuffer>;
  /** The requester still waits. */
  isWanted: boolean;
  settle(result: Result | null): void;
}

interface Hand<Result> {
  port: MessagePort;
  job: Job<Result> | null;
}

export interface WorkPool<Result> {
  /** Connects one thread, or its replacement after a crash; jobs it had started are repeated. */
  connect(index: number, port: MessagePort): void;
  /** Null on timeout. */
  ask(ear: number, samples: Int16Array<ArrayBuffer>): Promise<Result | null>;
  /** Cancels jobs of this ear that have not started. */
  drop(ear: number): void;
}

export interface WorkPoolOptions<Answer, Result> {
  clock: Clock;
  longestWaitMs: number;
  mostWaiting: number;
  resultOf(answer: Answer): Result | null;
}

export function createWorkPool<Answer extends { id: number }, Result>({
  clock,
  longestWaitMs,
  mostWaiting,
  resultOf,
}: WorkPoolOptions<Answer, Result>): WorkPool<Result> {
  const hands = new Map<number, Hand<Result>>();
  let waiting: Job<Result>[] = [];
  let count = 0;

  function handOut(): void {
    for (const hand of hands.values()) {
      if (hand.job) continue;
      const job = waiting.shift();
      if (!job) return;
      hand.job = job;
      // Keeps a copy, in case this thread dies.
      hand.port.postMessage({ id: job.id, samples: job.samples } satisfies SoundRequest, []);
    }
  }

  function answered(hand: Hand<Result>, answer: Answer): void {
    const { job } = hand;
    if (job?.id !== answer.id) return;
    hand.job = null;
    job.settle(resultOf(answer));
    handOut();
  }

  return {
    connect(index, port) {
      const before = hands.get(index);
      before?.port.close();
      const hand: Hand<Result> = { port, job: null };
      hands.set(index, hand);
      port.addEventListener("message", ({ data }: MessageEvent<Answer>) => answered(hand, data));
      port.start();
      if (before?.job?.isWanted) waiting.unshift(before.job);
      handOut();
    },
    ask(ear, samples) {
      if (hands.size === 0 || waiting.length >= mostWaiting) return Promise.resolve(null);
      return new Promise((resolve) => {
        const cancelLimit = clock.after(longestWaitMs, () => job.settle(null));
        const job: Job<Result> = {
          id: ++count,
          ear,
          samples,
          isWanted: true,
          settle(result) {
            cancelLimit();
            job.isWanted = false;
            waiting = waiting.filter((other) => other !== job);
            resolve(result);
          },
        };
        waiting.push(job);
        handOut();
      });
    },
    drop(ear) {
      for (const job of waiting.filter((each) => each.ear === ear)) job.settle(null);
    },
  };
}
