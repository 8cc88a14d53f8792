// Writes the rows of a new campaign, a few at a time so that the writer stays free for others. Until the last one is on disk the
// campaign is `preparing` and calls nobody. One that a crash or a full disk cut short is taken away whole: whoever asked for it was
// never told that it exists, and asks again, with the same Idempotency-Key or without.
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { CampaignRow, CampaignRowRow, Tx } from "../db/tables.ts";
import { campaignsPreparing, deleteCampaign, insertCampaign, moveCampaign } from "./campaign-store.ts";
import { deleteRows, insertRow } from "./row-store.ts";

/** A larger command would keep other writes waiting for longer than they notice. */
export const ROWS_PER_COMMAND = 250;

export function createPreparations({ db }: { db: Database }) {
  /** Those that this process works on. */
  const underWay = new Set<string>();
  /** Those that could not be taken away: on a full disk even that is a write. */
  const leftBehind = new Set<string>();

  async function remove(id: string): Promise<void> {
    while ((await db.write((tx) => deleteRows(tx, id, ROWS_PER_COMMAND))) === ROWS_PER_COMMAND);
    await db.write((tx) => deleteCampaign(tx, id));
    leftBehind.delete(id);
  }

  return {
    /** `begun` runs in the first transaction, `finished` in the last: what is told of the campaign commits with it. */
    async write(
      campaign: CampaignRow,
      rows: readonly CampaignRowRow[],
      begun: (tx: Tx) => Promise<void>,
      finished: (tx: Tx) => Promise<void>,
    ): Promise<void> {
      // Or the same list would be refused because of what is left of itself.
      for (const id of leftBehind) await remove(id);
      underWay.add(campaign.id);
      try {
        await db.write(async (tx) => {
          await begun(tx);
          await insertCampaign(tx, { ...campaign, state: "preparing", look_at: null });
        });
        for (let from = 0; from < rows.length; from += ROWS_PER_COMMAND) {
          await db.write(async (tx) => {
            for (const row of rows.slice(from, from + ROWS_PER_COMMAND)) await insertRow(tx, row);
          });
        }
        await db.write(async (tx) => {
          const { look_at, updated_at } = campaign;
          const preparing = { ...campaign, state: "preparing" as const };
          // A server that started meanwhile took it for what a crash left behind.
          if (!(await moveCampaign(tx, preparing, "prepared", { look_at, updated_at })))
            throw new AppError("CONFLICT", "The list was not taken: the server was started meanwhile. Try again.");
          await finished(tx);
        });
      } catch (error) {
        // Whatever of it cannot be taken away now is taken away with the next list, or at the next start.
        await remove(campaign.id).catch(() => leftBehind.add(campaign.id));
        throw error;
      } finally {
        underWay.delete(campaign.id);
      }
    },

    /** Takes away what nobody finishes any more. */
    async clear(): Promise<void> {
      const left = await campaignsPreparing(db.reader);
      for (const { id } of left) if (!underWay.has(id)) await remove(id);
    },
  };
}

export type Preparations = ReturnType<typeof createPreparations>;
