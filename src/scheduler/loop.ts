// One loop for everything that is due. It holds no timer per item: it asks its sources, sleeps until the earliest next
// time (never more than 30 s, so that a clock set forward is noticed), and wakes at once when something earlier is
// written. After a sleep it asks the first source that is due and those behind it, which may have been given work by
// it; whoever gives work to a source before its own must wake the loop.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";

export interface SchedulerLoop {
  start(): void;
  /** Something is due at `dueAt`, at once where that is not said; perhaps earlier than planned. */
  wake(dueAt?: number): void;
  /**
   * When the loop last went round, for /readyz: by Clock.elapsedMs, so that a clock that was set makes it neither late
   * nor early.
   */
  beatAtElapsedMs(): number;
  /** Resolves when the round under way has ended; no other begins. */
  stop(): Promise<void>;
}

export const LONGEST_SLEEP_MS = 30 * SECOND_MS;
const PAUSE_AFTER_FAILURE_MS = SECOND_MS;

interface Asked {
  source: DueSource;
  /** What it answered when it was asked last. */
  nextAt: number | null;
  atElapsedMs: number;
}

export function createSchedulerLoop(deps: {
  clock: Clock;
  logger: Logger;
  sources: readonly DueSource[];
}): SchedulerLoop {
  const { clock, logger } = deps;
  const asked = deps.sources.map((source): Asked => ({ source, nextAt: null, atElapsedMs: -Infinity }));
  let state: "idle" | "sleeping" | "running" | "stopped" = "idle";
  /** Whoever woke the loop did not say for which source. */
  let isWoken = true;
  let cancelSleep = () => {};
  let round: Promise<void> = Promise.resolve();
  let lastBeatAtElapsedMs = clock.elapsedMs();

  async function goRound(): Promise<void> {
    state = "running";
    const first = isWoken ? 0 : asked.findIndex((one) => sleepOf(one) <= 0);
    isWoken = false;
    for (const one of first < 0 ? [] : asked.slice(first)) {
      one.nextAt = await ask(one.source);
      one.atElapsedMs = clock.elapsedMs();
    }
    lastBeatAtElapsedMs = clock.elapsedMs();
    if (!isStopped()) sleep(untilNext());
  }

  const untilNext = () => (isWoken ? 0 : Math.min(...asked.map(sleepOf)));

  /** How long until a source is to be asked: when it said, and at the latest 30 s after it was asked last. */
  function sleepOf({ nextAt, atElapsedMs }: Asked): number {
    const longest = atElapsedMs + LONGEST_SLEEP_MS - clock.elapsedMs();
    return nextAt === null ? longest : Math.min(nextAt - clock.now(), longest);
  }

  async function ask(source: DueSource): Promise<number | null> {
    try {
      return await source.runDue();
    } catch (error) {
      logger.error("A scheduled task failed; it is tried again.", { source: source.name, error: messageOf(error) });
      return clock.now() + PAUSE_AFTER_FAILURE_MS;
    }
  }

  function sleep(delayMs: number): void {
    state = "sleeping";
    // The upper bound holds without any source, too: there is a beat to be seen.
    cancelSleep = clock.after(Math.min(Math.max(delayMs, 0), LONGEST_SLEEP_MS), () => {
      round = goRound();
    });
  }

  /** Asked through a function because the state changes while a round awaits its sources. */
  const isStopped = () => state === "stopped";

  return {
    start() {
      if (state === "idle") sleep(0);
    },
    wake(dueAt = -Infinity) {
      // Every source is asked again before then.
      if (dueAt - clock.now() > LONGEST_SLEEP_MS) return;
      isWoken = true;
      if (state !== "sleeping") return;
      cancelSleep();
      sleep(0);
    },
    beatAtElapsedMs: () => lastBeatAtElapsedMs,
    async stop() {
      state = "stopped";
      cancelSleep();
      await round;
    },
  };
}
