// Hourly job that erases calls and appointments past the retention period.
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Logger } from "../../core/logger.ts";
import type { RecurringJob } from "../../scheduler/recurring.ts";
import type { createErasure } from "./erasure.ts";

export function createRetention(deps: {
  erasure: Pick<ReturnType<typeof createErasure>, "enforceRetention">;
  logger: Logger;
  /** 0 keeps everything. */
  days: number;
}): RecurringJob {
  const { erasure, logger, days } = deps;
  return {
    name: "retention",
    pattern: "23 * * * *",
    isDestructive: true,
    async run(now) {
      if (days === 0) return;
      const retired = await erasure.enforceRetention(days, SYSTEM_ACTOR, now);
      const total = retired.calls + retired.appointments + retired.campaigns;
      if (total > 0) logger.info("What was past its retention was erased.", { ...retired });
    },
  };
}
