// Recurring jobs by cron pattern (croner parses the pattern, the injected clock provides the time).
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
   * It deletes data by age. It runs only while the wall clock is trusted, and otherwise as soon as it is again. It must
   * judge age by the `now` it receives, which is the checked time.
   */
  isDestructive?: boolean;
  run(now: number): Promise<void>;
}

export interface RecurringDeps {
  clock: Clock;
  logger: Logger;
  /** The time, or null while the clock is not trusted; see trusted-clock.ts. */
  trustedNow: () => number | null;
}

/** Retry interval of a job that waits for the clock. */
const ASK_AGAIN_MS = MINUTE_MS;

export function createRecurring(deps: RecurringDeps, jobs: readonly RecurringJob[]): DueSource {
  const { clock, logger, trustedNow } = deps;
  const nextOf = (pattern: Cron, after: number) => pattern.nextRun(new Date(after))?.getTime() ?? Infinity;
  const madeAt = clock.now();
  const patterns = jobs.map((job) => ({ job, pattern: new Cron(job.pattern, { utcOffset: 0 }) }));
  // Computed on first use, to keep the start fast: the port opens after this.
  const plans = lazily(() => patterns.map((plan) => ({ ...plan, nextAt: nextOf(plan.pattern, madeAt) })));
  let lastSeenAt = madeAt;

  return {
    name: "recurring jobs",
    async runDue() {
      const now = clock.now();
      const clockWasSetBack = now < lastSeenAt;
      lastSeenAt = now;
      for (const plan of plans()) {
        // After a clock set back, an earlier plan could be days ahead.
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
