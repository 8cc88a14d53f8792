// One loop for everything that is due. It holds no timer per item: it asks its sources, sleeps until the earliest next time
// (never more than 30 s, so that a clock set forward is noticed), and wakes at once when something earlier is written.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";

export interface SchedulerLoop {
  start(): void;
  /** Something may be due earlier than planned. */
  wake(): void;
  /** When the loop last went round, for /readyz: by Clock.elapsedMs, so that a clock that was set makes it neither late nor early. */
  beatAtElapsedMs(): number;
  /** Resolves when the round under way has ended; no other begins. */
  stop(): Promise<void>;
}

export const LONGEST_SLEEP_MS = 30 * SECOND_MS;
const PAUSE_AFTER_FAILURE_MS = SECOND_MS;

export function createSchedulerLoop(deps: {
  clock: Clock;
  logger: Logger;
  sources: readonly DueSource[];
}): SchedulerLoop {
  const { clock, logger, sources } = deps;
  let state: "idle" | "sleeping" | "running" | "stopped" = "idle";
  let wokenWhileRunning = false;
  let cancelSleep = () => {};
  let round: Promise<void> = Promise.resolve();
  let lastBeatAtElapsedMs = clock.elapsedMs();

  async function goRound(): Promise<void> {
    state = "running";
    let nextAt = clock.now() + LONGEST_SLEEP_MS;
    for (const source of sources) {
      const sourceNextAt = await ask(source);
      if (sourceNextAt !== null) nextAt = Math.min(nextAt, sourceNextAt);
    }
    lastBeatAtElapsedMs = clock.elapsedMs();
    if (isStopped()) return;
    sleep(wokenWhileRunning ? 0 : nextAt - clock.now());
    wokenWhileRunning = false;
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
    // The upper bound holds here, too: a clock set back during the round makes the next time look far away.
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
    wake() {
      if (state === "running") wokenWhileRunning = true;
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
