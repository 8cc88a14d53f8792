// What recurs, by cron pattern (croner reads the pattern, the injected clock says when).
import { Cron } from "croner";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import { lazily } from "../core/lazily.ts";
import type { Logger } from "../core/logger.ts";

export interface RecurringJob {
  name: string;
  /** Five fields, or six with seconds before them, in UTC. */
  pattern: string;
  /**
   * It takes away for good what is older than something. It runs only while the wall clock can be believed, and
   * otherwise as soon as it can again. It must judge age by the `now` it is handed, which is the time that was checked.
   */
  isDestructive?: boolean;
  run(now: number): Promise<void>;
}

export interface RecurringDeps {
  clock: Clock;
  logger: Logger;
  /** The time, or null while the clock is not to be believed; see trusted-clock.ts. */
  trustedNow: () => number | null;
}

/** How often a job that waits for the clock asks again. */
const ASK_AGAIN_MS = MINUTE_MS;

export function createRecurring(deps: RecurringDeps, jobs: readonly RecurringJob[]): DueSource {
  const { clock, logger, trustedNow } = deps;
  const nextOf = (pattern: Cron, after: number) => pattern.nextRun(new Date(after))?.getTime() ?? Infinity;
  const madeAt = clock.now();
  const patterns = jobs.map((job) => ({ job, pattern: new Cron(job.pattern, { utcOffset: 0 }) }));
  // Reckoned when it is first asked for: the port waits for whoever makes this.
  const plans = lazily(() => patterns.map((plan) => ({ ...plan, nextAt: nextOf(plan.pattern, madeAt) })));
  let lastSeenAt = madeAt;

  return {
    name: "recurring jobs",
    async runDue() {
      const now = clock.now();
      const clockWasSetBack = now < lastSeenAt;
      lastSeenAt = now;
      for (const plan of plans()) {
        // After a clock set back, a time planned before could lie days ahead.
        if (clockWasSetBack) plan.nextAt = nextOf(plan.pattern, now);
        if (plan.nextAt > now) continue;
        const runNow = plan.job.isDestructive ? trustedNow() : now;
        if (runNow === null) {
          plan.nextAt = now + ASK_AGAIN_MS;
          continue;
        }
        await runLogged(plan.job, runNow);
        plan.nextAt = nextOf(plan.pattern, clock.now());
      }
      return Math.min(...plans().map(({ nextAt }) => nextAt));
    },
  };

  async function runLogged(job: RecurringJob, now: number): Promise<void> {
    try {
      await job.run(now);
    } catch (error) {
      logger.error("A recurring job failed; it runs again at its next time.", {
        job: job.name,
        error: messageOf(error),
      });
    }
  }
}
