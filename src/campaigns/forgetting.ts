// Erases the people on closed lists after the retention period, or at an owner's request. The campaign itself and the
// time of erasure remain.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { campaignById, campaignsToForget, moveCampaign, updateCampaign } from "./campaign-store.ts";
import { ROWS_PER_COMMAND } from "./preparations.ts";
import type { Campaign } from "./records.ts";
import { deleteRows } from "./row-store.ts";

export interface CampaignForgettingDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
}

const MOST_PER_BATCH = 20;

type Step = "more" | "forgotten" | "alive";

export function createCampaignForgetting({ db, clock, audit }: CampaignForgettingDeps) {
  /** Erases one batch of the list. A retry of failed rows may have reopened the campaign meanwhile. */
  async function forgetSome(tx: Tx, { id, organisation_id: organisationId }: Campaign, actor: Actor): Promise<Step> {
    const present = await campaignById(tx, id);
    if (present?.state !== "stopped" && present?.state !== "finished") return "alive";
    if (present.forgotten_at !== null) return "forgotten";
    if ((await deleteRows(tx, id, ROWS_PER_COMMAND)) === ROWS_PER_COMMAND) return "more";
    await updateCampaign(tx, id, { name: "", list_hash: null, forgotten_at: clock.now() });
    await audit.record(tx, { organisationId, actor, action: "campaign.forgotten", subjectId: id });
    return "forgotten";
  }

  /** A crash in between leaves a shorter list, which the next run erases. False if the campaign was reopened. */
  async function forget(campaign: Campaign, actor: Actor): Promise<boolean> {
    await db.write(async (tx) => {
      // Stops a campaign that was paused and never resumed.
      const now = clock.now();
      await moveCampaign(tx, campaign, "stop", { look_at: null, finished_at: now, updated_at: campaign.updated_at });
    });
    let step: Step;
    do step = await db.write((tx) => forgetSome(tx, campaign, actor));
    while (step === "more");
    return step === "forgotten";
  }

  return {
    forget,
    /** Returns how many campaigns were erased that had ended or were paused at `until`. */
    async forgetUntil(until: number, actor: Actor): Promise<number> {
      let forgotten = 0;
      for (;;) {
        const old = await campaignsToForget(db.reader, until, MOST_PER_BATCH);
        for (const campaign of old) if (await forget(campaign, actor)) forgotten++;
        if (old.length < MOST_PER_BATCH) return forgotten;
      }
    },
  };
}

export type CampaignForgetting = ReturnType<typeof createCampaignForgetting>;
