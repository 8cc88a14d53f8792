// Creates the calls of campaigns, in portions at each campaign's pace. Each portion is one transaction that links rows
// and calls: a crash leaves both or neither. The next step is stored in the database, not in memory.
import { commonHours, nextAllowedInstant } from "../agents/calling-hours.ts";
import { agentById } from "../agents/store.ts";
import { newCallRow, placeOf, type NewCall } from "../calls/call/new-call.ts";
import { countNotBegun } from "../calls/queue/campaign-calls-store.ts";
import { insertCall } from "../calls/call/store.ts";
import { calleeZones } from "../core/callee-zone.ts";
import { HOUR_MS, isBelieved, MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Agent } from "../agents/records.ts";
import type { Tx } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import { ruleChangesOf } from "../rules/book/change-store.ts";
import { legalHoursOf } from "../rules/book/legal-hours.ts";
import type { OrganisationChanges } from "../rules/book/rule-book.ts";
import { campaignById, dueCampaigns, earliestLook, moveCampaign, updateCampaign } from "./campaign-store.ts";
import { LOOK_AGAIN_MS, portionOf, type Portion } from "./pace.ts";
import type { Preparations } from "./preparations.ts";
import type { Campaign, CampaignPerson } from "./records.ts";
import { retriesOf } from "./retry.ts";
import { dueRows, earliestDue, isAnyCalling, rowIsCalled, updateRow } from "./row-store.ts";
import type { StoppedRows } from "./stopped-rows.ts";

export interface FeederDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  preparations: Pick<Preparations, "clear">;
  stoppedRows: StoppedRows;
  /** See `rules.enforce`. */
  hoursAreEnforced: boolean;
}

/** Each is its own transaction; the next round follows at once with the rest. */
const MOST_CAMPAIGNS_PER_ROUND = 50;
/** Rows examined per portion, including those outside their calling hours. */
const MOST_ROWS_LOOKED_AT = 250;

export function createFeeder(deps: FeederDeps): DueSource {
  const { db, clock, preparations, stoppedRows } = deps;
  let hasCleared = false;

  return {
    name: "campaigns",
    async runDue() {
      // Removes preparations that an earlier process left half written.
      if (!hasCleared) await preparations.clear();
      hasCleared = true;
      const due = await dueCampaigns(db.reader, clock.now(), MOST_CAMPAIGNS_PER_ROUND);
      // While the clock is not trusted, no calls are created; stopped campaigns are still cleared.
      const mayCall = isBelieved(clock);
      for (const { id, state } of due.filter((campaign) => mayCall || campaign.state === "stopped")) {
        await (state === "stopped" ? stoppedRows.cancel(id) : db.write((tx) => feed(deps, tx, id))).catch(
          (error: unknown) => putOff(deps, id, error),
        );
      }
      return mayCall ? earliestLook(db.reader) : null;
    },
  };
}

/** A campaign that fails does not block the others. */
async function putOff({ db, clock, logger }: FeederDeps, campaignId: string, error: unknown): Promise<void> {
  logger.error("A campaign could not be gone on with; it is tried again in a minute.", {
    campaign_id: campaignId,
    error: error instanceof Error ? error.name : typeof error,
  });
  await db.write((tx) => updateCampaign(tx, campaignId, { look_at: clock.now() + MINUTE_MS }));
}

async function feed({ clock, ids, hoursAreEnforced }: FeederDeps, tx: Tx, campaignId: string): Promise<void> {
  const now = clock.now();
  const campaign = await running(tx, campaignId, now);
  if (!campaign) return;
  const agent = await agentById(tx, campaign.organisation_id, campaign.agent_id);
  if (!agent) throw new Error("A campaign has no agent.");
  const portion = portionOf({
    now,
    nextCallAt: campaign.next_call_at,
    callsPerMinute: campaign.calls_per_minute,
    notBegun: await countNotBegun(tx, campaignId),
  });
  const changes = await ruleChangesOf(tx, campaign.organisation_id);
  const allowedAt = hoursAreEnforced ? allowedBy(campaign, agent, changes) : (_: CampaignPerson, at: number) => at;
  const made = portion.most === 0 ? 0 : await makeCalls(tx, ids, campaign, agent, portion, now, allowedAt);
  const nextCallAt = made === 0 ? campaign.next_call_at : portion.timeOf(made);
  const isHeldUp = portion.most === 0 && campaign.next_call_at <= now;
  await plan(tx, campaign, nextCallAt, isHeldUp ? now + LOOK_AGAIN_MS : 0, now);
}

/** The campaign if it may call now; any other due campaign is rescheduled. */
async function running(tx: Tx, campaignId: string, now: number): Promise<Campaign | null> {
  const campaign = await campaignById(tx, campaignId);
  if (campaign?.state === "running") return campaign;
  if (campaign?.state === "ready" && campaign.start_at <= now)
    return moveCampaign(tx, campaign, "begin", { updated_at: now });
  if (campaign && campaign.look_at !== null && campaign.look_at <= now)
    await updateCampaign(tx, campaignId, { look_at: campaign.state === "ready" ? campaign.start_at : null });
  return null;
}

/** Returns how many calls were created. */
async function makeCalls(
  tx: Tx,
  ids: Ids,
  campaign: Campaign,
  agent: Agent,
  portion: Portion,
  now: number,
  allowedAt: AllowedAt,
): Promise<number> {
  let made = 0;
  for (const row of await dueRows(tx, campaign.id, now, MOST_ROWS_LOOKED_AT)) {
    if (made === portion.most) break;
    const at = portion.timeOf(made);
    const callableAt = allowedAt(row, at);
    if (callableAt > at) {
      await updateRow(tx, row, { due_at: callableAt });
      continue;
    }
    const call = newCallRow(ids, callOf(campaign, agent, row, at), now);
    await insertCall(tx, call);
    await rowIsCalled(tx, row, call.id);
    made += 1;
  }
  return made;
}

function callOf(campaign: Campaign, agent: Agent, row: CampaignPerson, scheduledAt: number): NewCall {
  return {
    organisationId: campaign.organisation_id,
    agent,
    source: "campaign",
    contactNumber: row.contact_number ?? "",
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    preferredLanguage: row.preferred_language,
    place: placeOf(row),
    identifiers: identifiersIn(row.user_identifiers),
    additionalInfo: row.additional_info,
    scheduledAt,
    retryCount: row.attempts,
    ...(row.call_id === null ? {} : { followsCallId: row.call_id }),
    campaign: {
      id: campaign.id,
      retries: retriesOf(campaign.retry, row.attempts + 1),
      callingHours: campaign.calling_hours,
    },
  };
}

/** Finishes the campaign, or stores its next due time. */
async function plan(tx: Tx, campaign: Campaign, nextCallAt: number, notBefore: number, now: number): Promise<void> {
  const dueAt = await earliestDue(tx, campaign.id);
  if (dueAt === null && !(await isAnyCalling(tx, campaign.id))) {
    await moveCampaign(tx, campaign, "finish", { look_at: null, finished_at: now, updated_at: now });
    return;
  }
  // If no row waits, the end of a call schedules the next look (ended-calls.ts).
  const lookAt = dueAt === null ? null : Math.max(dueAt, nextCallAt, notBefore);
  await updateCampaign(tx, campaign.id, { next_call_at: nextCallAt, look_at: lookAt });
}

/** The first moment from `at` on at which the person may be called. */
type AllowedAt = (row: CampaignPerson, at: number) => number;

/**
 * Within the hours of agent, campaign and law. A call outside them would wait in the queue and keep others from being
 * made. If the hours never open, checks again later, because they may be changed.
 */
function allowedBy(campaign: Campaign, agent: Agent, changes: OrganisationChanges): AllowedAt {
  const own = commonHours(agent.calling_hours, campaign.calling_hours);
  return (row, at) => {
    const { contact_number: number, contact_region: region } = row;
    if (number === null) return at;
    const hours = commonHours(own, legalHoursOf({ number, region, purpose: agent.purpose }, changes));
    return (hours && nextAllowedInstant(hours, calleeZones(number, placeOf(row)), at)) ?? at + HOUR_MS;
  };
}
