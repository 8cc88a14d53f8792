// Cancels the waiting rows of a stopped campaign in batches. After a crash the feeder's next round continues: a stopped
// campaign makes no calls, whatever the state of its rows.
import type { Database } from "../db/database.ts";
import { campaignById, updateCampaign } from "./campaign-store.ts";
import { ROWS_PER_COMMAND } from "./preparations.ts";
import { cancelWaiting } from "./row-store.ts";

export function createStoppedRows({ db }: { db: Database }) {
  return {
    async cancel(campaignId: string): Promise<void> {
      for (;;) {
        const isLast = await db.write(async (tx) => {
          // A retry of failed rows has reopened the campaign meanwhile.
          if ((await campaignById(tx, campaignId))?.state !== "stopped") return true;
          const count = await cancelWaiting(tx, campaignId, ROWS_PER_COMMAND);
          if (count === ROWS_PER_COMMAND) return false;
          await updateCampaign(tx, campaignId, { look_at: null });
          return true;
        });
        if (isLast) return;
      }
    },
  };
}

export type StoppedRows = ReturnType<typeof createStoppedRows>;
