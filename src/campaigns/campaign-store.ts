// Store of campaigns. States are written by compare-and-set along the table in state.ts.
import { campaignWithin } from "../accounts/reach-store.ts";
import type { Reach } from "../core/reach.ts";
import { sql } from "kysely";
import { behind } from "../db/index-slices.ts";
import { prepared, preparedWrite } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { campaignMeaning, type Campaign } from "./records.ts";
import { nextCampaignState, OPEN_STATES, type CampaignEvent } from "./state.ts";

export async function insertCampaign(tx: Tx, row: Campaign): Promise<void> {
  await tx.insertInto("campaigns").values(campaignMeaning.write(row)).execute();
}

const selectCampaign = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("campaigns").selectAll().where("id", "=", id),
);

/** For internal use only; requests go through campaignOf. */
export async function campaignById(executor: Executor, id: string): Promise<Campaign | undefined> {
  const [row] = await selectCampaign(executor, { id });
  return row && campaignMeaning.read(row);
}

/** Another organisation's campaign is treated like an unknown one, and so is a campaign whose people were erased. */
export async function campaignOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<Campaign | undefined> {
  const row = await campaignById(executor, id);
  return row?.organisation_id === organisationId && row.forgotten_at === null ? row : undefined;
}

type Change = Partial<Omit<Campaign, "id" | "organisation_id" | "state" | "created_at">>;

/** Returns the changed campaign, or null if the event does not apply to its state. */
export async function moveCampaign(
  tx: Tx,
  campaign: Campaign,
  event: CampaignEvent,
  change: Change & { updated_at: number },
): Promise<Campaign | null> {
  const state = nextCampaignState(campaign.state, event);
  if (state === null) return null;
  const { numUpdatedRows } = await tx
    .updateTable("campaigns")
    .set({ ...campaignMeaning.write(change), state })
    .where("id", "=", campaign.id)
    .where("state", "=", campaign.state)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n ? { ...campaign, ...change, state } : null;
}

/** Updates any columns except the state. */
export async function updateCampaign(tx: Tx, id: string, change: Change): Promise<void> {
  await tx.updateTable("campaigns").set(campaignMeaning.write(change)).where("id", "=", id).execute();
}

const lookAgainQuery = preparedWrite<{ id: string; at: number }>()((db, { id, at }) =>
  db
    .updateTable("campaigns")
    .set({ look_at: at })
    .where("id", "=", id)
    .where("state", "=", sql.lit("running" as const))
    .where((eb) => eb.or([eb("look_at", "is", null), eb("look_at", ">", at)])),
);

/** While the campaign runs, the feeder processes it by then at the latest. */
export async function lookAgainBy(tx: Tx, id: string, at: number): Promise<void> {
  await lookAgainQuery(tx, { id, at });
}

const selectDue = prepared<{ now: number; limit: number }>()((db, { now, limit }) =>
  db.selectFrom("campaigns").selectAll().where("look_at", "<=", now).orderBy("look_at").orderBy("id").limit(limit),
);

/** Campaigns with work for the feeder, longest due first. */
export async function dueCampaigns(executor: Executor, now: number, limit: number): Promise<Campaign[]> {
  return campaignMeaning.readAll(await selectDue(executor, { now, limit }));
}

const selectEarliestLook = prepared<object>()((db) =>
  db
    .selectFrom("campaigns")
    .select("look_at")
    .where("look_at", "is not", null)
    .orderBy("look_at")
    .orderBy("id")
    .limit(1),
);

export async function earliestLook(executor: Executor): Promise<number | null> {
  const [row] = await selectEarliestLook(executor, {});
  return row?.look_at ?? null;
}

export type ListedCampaign = Campaign & { agent_name: string };

/** Newest first. */
export async function listCampaigns(
  executor: Executor,
  question: {
    organisationId: string;
    reach?: Reach | undefined;
    before?: { createdAt: number; id: string } | undefined;
    limit: number;
  },
): Promise<ListedCampaign[]> {
  const { organisationId, before, limit, reach } = question;
  let query = executor
    .selectFrom("campaigns")
    .innerJoin("agents", "agents.id", "campaigns.agent_id")
    .selectAll("campaigns")
    .select("agents.name as agent_name")
    .where("campaigns.organisation_id", "=", organisationId)
    .where("campaigns.forgotten_at", "is", null);
  if (reach) query = query.where(campaignWithin(reach));
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("campaigns.created_at", "<", before.createdAt),
        eb.and([eb("campaigns.created_at", "=", before.createdAt), eb("campaigns.id", "<", before.id)]),
      ]),
    );
  }
  const rows = await query
    .orderBy("campaigns.created_at", "desc")
    .orderBy("campaigns.id", "desc")
    .limit(limit)
    .execute();
  return campaignMeaning.readAll(rows);
}

export async function countOpen(executor: Executor, organisationId: string): Promise<number> {
  const { open } = await executor
    .selectFrom("campaigns")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("organisation_id", "=", organisationId)
    .where("state", "in", OPEN_STATES)
    .executeTakeFirstOrThrow();
  return open;
}

/** An open campaign created from the same list. */
export async function openWithList(
  executor: Executor,
  organisationId: string,
  listHash: string,
): Promise<Campaign | undefined> {
  const row = await executor
    .selectFrom("campaigns")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("state", "in", OPEN_STATES)
    .where("list_hash", "=", listHash)
    .limit(1)
    .executeTakeFirst();
  return row && campaignMeaning.read(row);
}

/** Open campaigns about a closure. */
export async function openOfClosure(
  executor: Executor,
  organisationId: string,
  closureId: string,
): Promise<Campaign[]> {
  const rows = await executor
    .selectFrom("campaigns")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("closure_id", "=", closureId)
    .where("state", "in", OPEN_STATES)
    .execute();
  return campaignMeaning.readAll(rows);
}

/** Campaigns that are calling or about to start. */
export async function callingCampaigns(executor: Executor, organisationId: string): Promise<Campaign[]> {
  const rows = await executor
    .selectFrom("campaigns")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("state", "in", ["ready", "running"])
    .execute();
  return campaignMeaning.readAll(rows);
}

/** Whether an open campaign uses this agent. */
export async function hasOpenCampaign(executor: Executor, organisationId: string, agentId: string): Promise<boolean> {
  const row = await executor
    .selectFrom("campaigns")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("agent_id", "=", agentId)
    .where("state", "in", OPEN_STATES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Campaigns whose rows were being written when the process ended. */
export async function campaignsPreparing(executor: Executor): Promise<Campaign[]> {
  const rows = await executor.selectFrom("campaigns").selectAll().where("state", "=", "preparing").execute();
  return campaignMeaning.readAll(rows);
}

/**
 * Campaigns that ended or were paused before `until` and still have people on their lists, oldest first, after the last
 * one of the slice before.
 */
export async function campaignsToForget(
  executor: Executor,
  until: number,
  limit: number,
  after: Campaign | null,
): Promise<Campaign[]> {
  let query = executor
    .selectFrom("campaigns")
    .selectAll()
    .where("forgotten_at", "is", null)
    .where("state", "in", ["stopped", "finished", "paused"])
    .where("updated_at", "<=", until);
  if (after) query = query.where(behind(["updated_at", "id"], after));
  const rows = await query.orderBy("updated_at").orderBy("id").limit(limit).execute();
  return campaignMeaning.readAll(rows);
}

export async function deleteCampaign(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("campaigns").where("id", "=", id).execute();
}
