// What recurs, by cron pattern (croner reads the pattern, the injected clock says when).
import { Cron } from "croner";
import type { Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";

export interface RecurringJob {
  name: string;
  /** Five fields, or six with seconds before them, in UTC. */
  pattern: string;
  run(): Promise<void>;
}

export function createRecurring(clock: Clock, logger: Logger, jobs: readonly RecurringJob[]): DueSource {
  const nextOf = (pattern: Cron) => pattern.nextRun(new Date(clock.now()))?.getTime() ?? Infinity;
  const planned = jobs.map((job) => {
    const pattern = new Cron(job.pattern, { timezone: "UTC" });
    return { job, pattern, nextAt: nextOf(pattern) };
  });
  let lastSeenAt = clock.now();

  return {
    name: "recurring jobs",
    async runDue() {
      const now = clock.now();
      const clockWasSetBack = now < lastSeenAt;
      lastSeenAt = now;
      for (const plan of planned) {
        // After a clock set back, a time planned before could lie days ahead.
        if (clockWasSetBack) plan.nextAt = nextOf(plan.pattern);
        if (plan.nextAt > now) continue;
        await runLogged(plan.job);
        plan.nextAt = nextOf(plan.pattern);
      }
      return Math.min(...planned.map(({ nextAt }) => nextAt));
    },
  };

  async function runLogged(job: RecurringJob): Promise<void> {
    try {
      await job.run();
    } catch (error) {
      logger.error("A recurring job failed; it runs again at its next time.", {
        job: job.name,
        error: messageOf(error),
      });
    }
  }
}
