// Reads campaigns with their progress, and the results of their rows.
import type { Actor } from "../core/actor.ts";
import { agentById } from "../agents/store.ts";
import { liveByCampaign } from "../calls/queue/campaign-calls-store.ts";
import { invalidField } from "../core/errors.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Reach } from "../core/reach.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { listCampaigns, type ListedCampaign } from "./campaign-store.ts";
import { knownCampaign } from "./known-campaign.ts";
import { ROW_STATES, type CampaignView, type ListCampaignsInput, type ListResultsInput } from "./model.ts";
import { pageOfResults, rowCounts } from "./result-store.ts";
import { OUTCOMES } from "./retry.ts";
import type { CampaignServiceDeps } from "./service-deps.ts";
import { campaignView, resultView } from "./view.ts";

const RESULTS_PER_PAGE = 500;

export function createCampaignReading({ db, readNotes }: Pick<CampaignServiceDeps, "db" | "readNotes">) {
  return {
    async list(organisationId: string, input: ListCampaignsInput, reach?: Reach) {
      const limit = pageSize(input.limit);
      const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
      const campaigns = await listCampaigns(db.reader, { organisationId, reach, before, limit: limit + 1 });
      const page = campaigns.slice(0, limit);
      const last = page.at(-1);
      return {
        data: await viewsOf(db.reader, organisationId, page),
        next_cursor:
          campaigns.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
      };
    },

    async get(organisationId: string, id: string, executor: Executor = db.reader): Promise<CampaignView> {
      const campaign = await knownCampaign(executor, organisationId, id);
      const agent = await agentById(executor, organisationId, campaign.agent_id);
      const [view] = await viewsOf(executor, organisationId, [{ ...campaign, agent_name: agent?.name ?? "" }]);
      if (!view) throw new Error("A campaign without a view.");
      return view;
    },

    async results(organisationId: string, id: string, input: ListResultsInput, actor: Actor) {
      await knownCampaign(db.reader, organisationId, id);
      const limit = pageSize(input.limit);
      const after =
        input.cursor === undefined ? undefined : decodeCursor(input.cursor, { ...input, campaign: id }).createdAt;
      const question = { campaignId: id, ...resultFilter(input), after, reach: actor.reach, limit: limit + 1 };
      const rows = await pageOfResults(db.heavy, question);
      const page = rows.slice(0, limit).map(resultView);
      await readNotes.note({
        organisationId,
        actor,
        action: "campaign.read",
        subjectId: id,
        detail: { count: page.length },
      });
      const last = page.at(-1);
      return {
        data: page,
        next_cursor:
          rows.length > limit && last ? encodeCursor({ createdAt: last.row, id }, { ...input, campaign: id }) : null,
      };
    },

    /** All results in pages, with one audit entry, recorded before the first page is returned. */
    async exported(organisationId: string, id: string, actor: Actor) {
      await knownCampaign(db.reader, organisationId, id);
      await readNotes.note({ organisationId, actor, action: "campaign.exported", subjectId: id });
      return resultPages(db, id, actor.reach);
    },
  };
}

async function viewsOf(executor: Executor, organisationId: string, campaigns: readonly ListedCampaign[]) {
  const counts = await rowCounts(
    executor,
    campaigns.map(({ id }) => id),
  );
  const live = await liveByCampaign(executor, organisationId);
  return campaigns.map((campaign) =>
    campaignView(campaign, counts, live.find(({ campaign_id }) => campaign_id === campaign.id)?.count ?? 0),
  );
}

function resultFilter({ state, outcome }: ListResultsInput) {
  const knownState = ROW_STATES.find((each) => each === state);
  if (state !== undefined && !knownState) throw invalidField("state", `state must be one of ${ROW_STATES.join(", ")}.`);
  const knownOutcome = OUTCOMES.find((each) => each === outcome);
  if (outcome !== undefined && !knownOutcome)
    throw invalidField("outcome", `outcome must be one of ${OUTCOMES.join(", ")}.`);
  return { state: knownState, outcome: knownOutcome };
}

async function* resultPages(db: Database, campaignId: string, reach?: Reach) {
  let after: number | undefined;
  for (;;) {
    const rows = await pageOfResults(db.heavy, { campaignId, after, reach, limit: RESULTS_PER_PAGE });
    yield rows.map(resultView);
    if (rows.length < RESULTS_PER_PAGE) return;
    after = rows.at(-1)?.row_number;
  }
}
