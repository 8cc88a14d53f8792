// Writes the rows of a new campaign in batches, so that the writer stays free for other commands. Until the last row is
// on disk the campaign is `preparing` and calls nobody. A preparation that a crash or a full disk cut short is removed
// whole: the client was never told that the campaign exists, and sends it again, with the same Idempotency-Key or
// without. Every batch of a removal looks at the state in its own transaction: a campaign that was acknowledged
// meanwhile stays, with every row.
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { campaignById, campaignsPreparing, deleteCampaign, insertCampaign, moveCampaign } from "./campaign-store.ts";
import type { Campaign, CampaignPerson } from "./records.ts";
import { countRows, deleteRows, insertRow } from "./row-store.ts";

/** A larger command would keep other writes waiting for longer than they notice. */
export const ROWS_PER_COMMAND = 250;

export function createPreparations({ db }: { db: Database }) {
  /** Those that this process works on. */
  const underWay = new Set<string>();
  /** Those that could not be taken away: on a full disk even that is a write. */
  const leftBehind = new Set<string>();

  async function remove(id: string): Promise<void> {
    while (await db.write((tx) => removeSome(tx, id)));
    leftBehind.delete(id);
  }

  return {
    /** `begun` runs in the first transaction, `finished` in the last: what is told of the campaign commits with it. */
    async write(
      campaign: Campaign,
      rows: readonly CampaignPerson[],
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
            await assertPreparing(tx, campaign.id);
            for (const row of rows.slice(from, from + ROWS_PER_COMMAND)) await insertRow(tx, row);
          });
        }
        await db.write(async (tx) => {
          const { look_at, updated_at } = campaign;
          const preparing = { ...campaign, state: "preparing" as const };
          // A removal may have taken rows and left the campaign: what is acknowledged is whole.
          if ((await countRows(tx, campaign.id)) !== rows.length) throw removedMeanwhile();
          if (!(await moveCampaign(tx, preparing, "prepared", { look_at, updated_at }))) throw removedMeanwhile();
          await finished(tx);
        });
      } catch (error) {
        // What cannot be removed now is removed with the next list, or at the next start. Where the outcome of the last
        // commit is unknown and it was stored, nothing is removed: the campaign is not `preparing` any more.
        await remove(campaign.id).catch(() => leftBehind.add(campaign.id));
        throw error;
      } finally {
        underWay.delete(campaign.id);
      }
    },

    /** Removes preparations that an earlier process left behind. */
    async clear(): Promise<void> {
      const left = await campaignsPreparing(db.reader);
      for (const { id } of left) if (!underWay.has(id)) await remove(id);
    },
  };
}

/** Answers whether more is left to remove. */
async function removeSome(tx: Tx, id: string): Promise<boolean> {
  if ((await campaignById(tx, id))?.state !== "preparing") return false;
  if ((await deleteRows(tx, id, ROWS_PER_COMMAND)) === ROWS_PER_COMMAND) return true;
  await deleteCampaign(tx, id);
  return false;
}

async function assertPreparing(tx: Tx, id: string): Promise<void> {
  if ((await campaignById(tx, id))?.state !== "preparing") throw removedMeanwhile();
}

/** A server that started meanwhile took the campaign of this process for one that a crash left behind. */
const removedMeanwhile = () =>
  new AppError("CONFLICT", "The list was not taken: the server was started meanwhile. Try again.");

export type Preparations = ReturnType<typeof createPreparations>;
