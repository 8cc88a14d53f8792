// Erases the people on closed lists after the retention period, or at an owner's request. The campaign itself and the
// time of erasure remain. Rows of people and calls under a hold stay until the hold ends.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { heldAmong, longer, type Held } from "../rules/holds/held.ts";
import { refuse, type Keeping } from "../rules/holds/keeping.ts";
import { campaignById, campaignsToForget, moveCampaign, updateCampaign } from "./campaign-store.ts";
import { ROWS_PER_COMMAND } from "./preparations.ts";
import type { Campaign } from "./records.ts";
import { deleteRowsNumbered, rowsAfter, type ListRow } from "./row-store.ts";

export interface CampaignForgettingDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  keeping: Keeping;
}

const MOST_PER_BATCH = 20;

/** `held`: rows that stay, at least until then. `upTo`: the last row of the slice, or null after the last slice. */
type Step = { kind: "alive" | "forgotten" } | { kind: "passed"; held: Held | null; upTo: number | null };

export function createCampaignForgetting({ db, clock, audit, keeping }: CampaignForgettingDeps) {
  async function slice(executor: Executor, { id, organisation_id: organisationId }: Campaign, after: number) {
    const rows = await rowsAfter(executor, id, after, ROWS_PER_COMMAND);
    const about = rows.map(({ call_id, contact_number }) => ({
      organisationId,
      callId: call_id,
      number: contact_number,
    }));
    const held = await heldAmong(executor, about, await keeping.timeOf(executor));
    const free: ListRow[] = rows.filter((_, i) => held[i] === null);
    const longest = held.reduce<Held | null>((one, other) => (other ? longer(one, other) : one), null);
    return { free, held: longest, upTo: rows.length === ROWS_PER_COMMAND ? (rows.at(-1)?.row_number ?? null) : null };
  }

  /** Erases one slice of the list. A retry of failed rows may have reopened the campaign meanwhile. */
  async function forgetSlice(tx: Tx, campaign: Campaign, after: number): Promise<Step> {
    const present = await campaignById(tx, campaign.id);
    if (present?.state !== "stopped" && present?.state !== "finished") return { kind: "alive" };
    if (present.forgotten_at !== null) return { kind: "forgotten" };
    const { free, held, upTo } = await slice(tx, campaign, after);
    await deleteRowsNumbered(
      tx,
      campaign.id,
      free.map(({ row_number }) => row_number),
    );
    return { kind: "passed", held, upTo };
  }

  async function close(tx: Tx, { id, organisation_id: organisationId }: Campaign, actor: Actor): Promise<void> {
    await updateCampaign(tx, id, { name: "", list_hash: null, forgotten_at: clock.now() });
    await audit.record(tx, { organisationId, actor, action: "campaign.forgotten", subjectId: id });
  }

  /**
   * A crash in between leaves a shorter list, which the next run erases. Returns "alive" if the campaign was reopened,
   * and the hold if rows had to stay.
   */
  async function forget(campaign: Campaign, actor: Actor): Promise<"forgotten" | "alive" | Held> {
    await db.write(async (tx) => {
      // Stops a campaign that was paused and never resumed.
      const now = clock.now();
      await moveCampaign(tx, campaign, "stop", { look_at: null, finished_at: now, updated_at: campaign.updated_at });
    });
    let held: Held | null = null;
    for (let after = 0; ;) {
      const from: number = after;
      const isHeldBefore = held !== null;
      const step: Step = await db.write(async (tx) => {
        const done = await forgetSlice(tx, campaign, from);
        const isLast = done.kind === "passed" && done.upTo === null;
        if (isLast && !isHeldBefore && done.held === null) await close(tx, campaign, actor);
        return done;
      });
      if (step.kind !== "passed") return step.kind;
      if (step.held) held = longer(held, step.held);
      if (step.upTo === null) return held ?? "forgotten";
      after = step.upTo;
    }
  }

  return {
    forget,
    /** Refuses the erasure of a list with a held row, or of a list younger than the least retention. */
    async assertErasable(campaign: Campaign): Promise<void> {
      const { organisation_id: organisationId, finished_at, updated_at } = campaign;
      await keeping.assertErasable(db.reader, { organisationId }, finished_at ?? updated_at);
      for (let after: number | null = 0; after !== null;) {
        const { held, upTo }: { held: Held | null; upTo: number | null } = await slice(db.reader, campaign, after);
        refuse(held);
        after = upTo;
      }
    },
    /** Returns how many campaigns were erased that had ended or were paused at `until`. */
    async forgetUntil(until: number, actor: Actor): Promise<number> {
      let forgotten = 0;
      for (let last: Campaign | null = null; ;) {
        const old: Campaign[] = await campaignsToForget(db.reader, until, MOST_PER_BATCH, last);
        const free = await keeping.erasable(db.reader, old, (campaign) => ({
          organisationId: campaign.organisation_id,
        }));
        for (const campaign of free) if ((await forget(campaign, actor)) === "forgotten") forgotten++;
        last = old.at(-1) ?? null;
        if (old.length < MOST_PER_BATCH) return forgotten;
      }
    },
  };
}

export type CampaignForgetting = ReturnType<typeof createCampaignForgetting>;
