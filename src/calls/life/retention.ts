// Hourly job that erases calls and appointments past the retention period, and recordings past their own.
import type { Config } from "../../config/schema.ts";
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Logger } from "../../core/logger.ts";
import type { RecurringJob } from "../../scheduler/recurring.ts";
import { pruneDialled } from "../queue/dialled-store.ts";
import type { createErasure } from "./erasure.ts";
import { createRecordingRetention, type RecordingRetentionDeps } from "./recording-retention.ts";

export interface RetentionDeps extends RecordingRetentionDeps {
  erasure: Pick<ReturnType<typeof createErasure>, "enforceRetention">;
  logger: Logger;
  config: Pick<Config, "retention" | "recordings">;
}

export function createRetention(deps: RetentionDeps): RecurringJob {
  const { db, erasure, logger, config } = deps;
  const expireRecordings = createRecordingRetention(deps);
  // 0 keeps everything.
  const days = config.retention.days;
  const recordingDays = config.recordings.keep_days;
  return {
    name: "retention",
    pattern: "23 * * * *",
    isDestructive: true,
    async run(now) {
      await pruneDialled(db, now);
      if (days > 0) {
        const retired = await erasure.enforceRetention(days, SYSTEM_ACTOR, now);
        const total = retired.calls + retired.appointments + retired.campaigns;
        if (total > 0) logger.info("What was past its retention was erased.", { ...retired });
      }
      const recordings = recordingDays > 0 ? await expireRecordings(recordingDays, now) : 0;
      if (recordings > 0) logger.info("recordings past their retention removed", { recordings });
    },
  };
}
