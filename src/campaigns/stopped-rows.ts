// Takes the people who still wait out of a campaign that was stopped, a few at a time. A crash in between leaves the
// rest to the feeder's next round: a stopped campaign calls nobody, whatever its rows say.
import type { Database } from "../db/database.ts";
import { campaignById, updateCampaign } from "./campaign-store.ts";
import { ROWS_PER_COMMAND } from "./preparations.ts";
import { cancelWaiting } from "./row-store.ts";

export function createStoppedRows({ db }: { db: Database }) {
  return {
    async cancel(campaignId: string): Promise<void> {
      for (;;) {
        const isLast = await db.write(async (tx) => {
          // Whoever called the failed ones again meanwhile has brought it back to life.
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
