// A single scheduler loop for all due work. It has no timer per item: it polls its sources, sleeps until the earliest
// due time (at most 30 s, to notice a clock set forward), and wakes immediately when something earlier is written.
// After a sleep it polls the first due source and all after it, because a source may create work for later ones. A
// source that creates work for an earlier one must wake the loop.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";

export interface SchedulerLoop {
  start(): void;
  /** Something is due at `dueAt`, or now if omitted; perhaps earlier than planned. */
  wake(dueAt?: number): void;
  /** Time of the last pass, for /readyz: by Clock.elapsedMs, so it is independent of changes to the wall clock. */
  beatAtElapsedMs(): number;
  /** Resolves when the current pass has ended; no other starts. */
  stop(): Promise<void>;
}

export const LONGEST_SLEEP_MS = 30 * SECOND_MS;
const PAUSE_AFTER_FAILURE_MS = SECOND_MS;

interface Asked {
  source: DueSource;
  /** Its last answer. */
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
  /** A wake-up does not name its source. */
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

  /** Time until a source is polled: when it asked for, and at the latest 30 s after the last poll. */
  function sleepOf({ nextAt, atElapsedMs }: Asked): number {
    const longest = atElapsedMs + LONGEST_SLEEP_MS - clock.elapsedMs();
    return nextAt === null ? longest : Math.min(nextAt - clock.now(), longest);
  }

  async function ask(source: DueSource): Promise<number | null> {
    try {
      return await source.runDue();
    } catch (error) {
      logger.error("A scheduled task failed; retrying later.", { source: source.name, error: messageOf(error) });
      return clock.now() + PAUSE_AFTER_FAILURE_MS;
    }
  }

  function sleep(delayMs: number): void {
    state = "sleeping";
    // The limit also applies without sources, to keep the heartbeat.
    cancelSleep = clock.after(Math.min(Math.max(delayMs, 0), LONGEST_SLEEP_MS), () => {
      round = goRound();
    });
  }

  /** A function, because the state changes while a pass awaits its sources. */
  const isStopped = () => state === "stopped";

  return {
    start() {
      if (state === "idle") sleep(0);
    },
    wake(dueAt = -Infinity) {
      // Every source is polled before then anyway.
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
