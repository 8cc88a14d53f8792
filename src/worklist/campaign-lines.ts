// Groups the unreached people of a campaign into one worklist item, with their count and an action to call all again.
import { callsNotReached } from "../campaigns/row-store.ts";
import type { Database } from "../db/database.ts";
import type { Call } from "../calls/call/records.ts";
import type { Tx } from "../db/tables.ts";
import type { WorklistKind } from "./kinds.ts";
import { deleteItems, deleteItemsAbout, isOpenAbout, itemsOfKind } from "./worklist-store.ts";

/** Below this number, each person has their own item. */
const MANY = 5;
const MOST_PER_COMMAND = 250;
const KIND = "campaign_failed";

export interface CampaignLinesDeps {
  db: Database;
  put: (tx: Tx, organisationId: string, kind: WorklistKind, subjectId: string, detail: string | null) => Promise<void>;
}

export function createCampaignLines({ db, put }: CampaignLinesDeps) {
  return {
    /** Whether the campaign's item covers this call. Creates the item if it is missing. */
    async isOneOfMany(tx: Tx, { campaign_id: campaignId, organisation_id }: Call): Promise<boolean> {
      if (campaignId === null) return false;
      const count = (await callsNotReached(tx, campaignId, MANY + 1)).length;
      if (count < MANY) return false;
      const isOpen = await isOpenAbout(tx, campaignId, KIND);
      // Removes the single items created below the threshold. The campaign's item may still exist from an earlier round
      // of calls.
      if (!isOpen || count === MANY)
        await deleteItemsAbout(tx, await callsNotReached(tx, campaignId, MOST_PER_COMMAND), "call_failed");
      if (!isOpen) await put(tx, organisation_id, KIND, campaignId, null);
      return true;
    },

    /** Removes items without unreached people, after a retry or an erasure. */
    async clear(): Promise<void> {
      const over: string[] = [];
      for (const { id, subject_id } of await itemsOfKind(db.reader, KIND))
        if ((await callsNotReached(db.reader, subject_id, 1)).length === 0) over.push(id);
      if (over.length > 0) await db.write((tx) => deleteItems(tx, over.slice(0, MOST_PER_COMMAND)));
    },
  };
}
