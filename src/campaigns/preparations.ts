// Writes the rows of a new campaign in batches, so that the writer stays free for other commands. Until the last row is
// stored the campaign is `preparing` and makes no calls. A preparation interrupted by a crash or a full disk is removed
// completely: the client got no confirmation and sends the campaign again, with the same Idempotency-Key or without.
// Each batch of a removal checks the state in its own transaction: a campaign acknowledged meanwhile stays, with every
// row.
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { campaignById, campaignsPreparing, deleteCampaign, insertCampaign, moveCampaign } from "./campaign-store.ts";
import type { Campaign, CampaignPerson } from "./records.ts";
import { countRows, deleteRows, insertRow } from "./row-store.ts";

/** Larger commands would delay other writes noticeably. */
export const ROWS_PER_COMMAND = 250;

export function createPreparations({ db }: { db: Database }) {
  /** Campaigns that this process is preparing. */
  const underWay = new Set<string>();
  /** Campaigns whose removal failed: a removal is a write and needs disk space. */
  const leftBehind = new Set<string>();

  async function remove(id: string): Promise<void> {
    while (await db.write((tx) => removeSome(tx, id)));
    leftBehind.delete(id);
  }

  return {
    /** `begun` runs in the first transaction, `finished` in the last: the response commits with the campaign. */
    async write(
      campaign: Campaign,
      rows: readonly CampaignPerson[],
      begun: (tx: Tx) => Promise<void>,
      finished: (tx: Tx) => Promise<void>,
    ): Promise<void> {
      // Otherwise the leftover would make the same list look like a duplicate.
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
          // A concurrent removal may have deleted rows but not the campaign: an acknowledged campaign is complete.
          if ((await countRows(tx, campaign.id)) !== rows.length) throw removedMeanwhile();
          if (!(await moveCampaign(tx, preparing, "prepared", { look_at, updated_at }))) throw removedMeanwhile();
          await finished(tx);
        });
      } catch (error) {
        // A failed removal is repeated with the next list or at the next start. If the last commit has an unknown
        // outcome but was stored, nothing is removed, because the campaign is no longer `preparing`.
        await remove(campaign.id).catch(() => leftBehind.add(campaign.id));
        throw error;
      } finally {
        underWay.delete(campaign.id);
      }
    },

    /** Removes preparations of an earlier process. */
    async clear(): Promise<void> {
      const left = await campaignsPreparing(db.reader);
      for (const { id } of left) if (!underWay.has(id)) await remove(id);
    },
  };
}

/** Returns whether more is left to remove. */
async function removeSome(tx: Tx, id: string): Promise<boolean> {
  if ((await campaignById(tx, id))?.state !== "preparing") return false;
  if ((await deleteRows(tx, id, ROWS_PER_COMMAND)) === ROWS_PER_COMMAND) return true;
  await deleteCampaign(tx, id);
  return false;
}

async function assertPreparing(tx: Tx, id: string): Promise<void> {
  if ((await campaignById(tx, id))?.state !== "preparing") throw removedMeanwhile();
}

/** A server that started meanwhile took this process's campaign for a leftover of a crash. */
const removedMeanwhile = () =>
  new AppError("CONFLICT", "The list was not taken: the server was started meanwhile. Try again.");

export type Preparations = ReturnType<typeof createPreparations>;
