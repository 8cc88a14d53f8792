// Many people whom one campaign did not reach are one line, which tells how many and calls them all again.
import { callsNotReached } from "../campaigns/row-store.ts";
import type { Database } from "../db/database.ts";
import type { Call } from "../calls/call/records.ts";
import type { Tx } from "../db/tables.ts";
import type { WorklistKind } from "./kinds.ts";
import { deleteItems, deleteItemsAbout, isOpenAbout, itemsOfKind } from "./worklist-store.ts";

/** Fewer have a line each. */
const MANY = 5;
const MOST_PER_COMMAND = 250;
const KIND = "campaign_failed";

export interface CampaignLinesDeps {
  db: Database;
  put: (tx: Tx, organisationId: string, kind: WorklistKind, subjectId: string, detail: string | null) => Promise<void>;
}

export function createCampaignLines({ db, put }: CampaignLinesDeps) {
  return {
    /** Whether the line of the campaign tells of this call; it is put down where it is not there yet. */
    async isOneOfMany(tx: Tx, { campaign_id: campaignId, organisation_id }: Call): Promise<boolean> {
      if (campaignId === null) return false;
      const count = (await callsNotReached(tx, campaignId, MANY + 1)).length;
      if (count < MANY) return false;
      const isOpen = await isOpenAbout(tx, campaignId, KIND);
      // Those who were few until now. The line may be there from before all were called again.
      if (!isOpen || count === MANY)
        await deleteItemsAbout(tx, await callsNotReached(tx, campaignId, MOST_PER_COMMAND), "call_failed");
      if (!isOpen) await put(tx, organisation_id, KIND, campaignId, null);
      return true;
    },

    /** Called again, erased, or forgotten: nobody is left to see to. */
    async clear(): Promise<void> {
      const over: string[] = [];
      for (const { id, subject_id } of await itemsOfKind(db.reader, KIND))
        if ((await callsNotReached(db.reader, subject_id, 1)).length === 0) over.push(id);
      if (over.length > 0) await db.write((tx) => deleteItems(tx, over.slice(0, MOST_PER_COMMAND)));
    },
  };
}
