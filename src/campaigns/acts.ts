// Actions on a campaign: pause, resume, stop, retry failed rows, erase.
import type { Actor } from "../core/actor.ts";
import { callsNotBegun, holdCalls, releaseCalls } from "../calls/queue/campaign-calls-store.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { NO_PROGRESS, type Alongside, type Progress } from "../db/alongside.ts";
import { callingCampaigns, moveCampaign } from "./campaign-store.ts";
import { knownCampaign } from "./known-campaign.ts";
import type { CampaignView, RetryRowsInput } from "./model.ts";
import { ROWS_PER_COMMAND } from "./preparations.ts";
import { refuse } from "../rules/holds/keeping.ts";
import type { Campaign } from "./records.ts";
import { FAILED_OUTCOMES, OUTCOMES } from "./retry.ts";
import { waitAgain } from "./row-store.ts";
import type { CampaignServiceDeps } from "./service-deps.ts";

type ActDeps = Pick<
  CampaignServiceDeps,
  "db" | "clock" | "audit" | "wake" | "calls" | "stoppedRows" | "forgetting" | "wipe"
>;
type Act = "pause" | "resume" | "stop";
type ViewOf = (organisationId: string, id: string, executor?: Executor) => Promise<CampaignView>;

const PAST: Readonly<Record<Act, string>> = { pause: "paused", resume: "resumed", stop: "stopped" };
/** States in which an action has already taken effect, so repeating it is a no-op. */
const DONE_IN: Readonly<Record<Act, readonly Campaign["state"][]>> = {
  pause: ["paused"],
  resume: ["ready", "running"],
  stop: ["stopped"],
};

export function createCampaignActs(deps: ActDeps, viewOf: ViewOf) {
  const { db, wake, calls, stoppedRows, forgetting, wipe } = deps;
  const stopCalls =
    ({ id, actor }: Asked) =>
    async (tx: Tx): Promise<void> => {
      for (const call of await callsNotBegun(tx, id)) await calls.cancelWithin(tx, call, actor);
    };
  return {
    async pause(organisationId: string, id: string, actor: Actor): Promise<CampaignView> {
      await act(deps, { organisationId, id, actor }, "pause", (tx, now) => holdCalls(tx, id, now));
      return viewOf(organisationId, id);
    },

    /** Pauses every campaign that is calling or would start by itself. Returns how many. */
    async pauseAll(organisationId: string, actor: Actor): Promise<number> {
      const calling = await callingCampaigns(db.reader, organisationId);
      for (const { id } of calling)
        await act(deps, { organisationId, id, actor }, "pause", (tx, now) => holdCalls(tx, id, now));
      return calling.length;
    },

    async resume(organisationId: string, id: string, actor: Actor): Promise<CampaignView> {
      await act(deps, { organisationId, id, actor }, "resume", (tx, now) => releaseCalls(tx, id, now));
      return viewOf(organisationId, id);
    },

    /** Live calls continue to their end; no other person is called. */
    async stop(organisationId: string, id: string, actor: Actor): Promise<CampaignView> {
      await act(deps, { organisationId, id, actor }, "stop", stopCalls({ organisationId, id, actor }));
      await stoppedRows.cancel(id);
      return viewOf(organisationId, id);
    },

    /** Runs in the caller's transaction; the feeder removes the rows that still wait. */
    stopWithin: (tx: Tx, organisationId: string, id: string, actor: Actor): Promise<void> =>
      actWithin(deps, tx, { organisationId, id, actor }, "stop", stopCalls({ organisationId, id, actor })),

    /**
     * Requeues rows with these outcomes in list order; without outcomes, the failed rows. `alongside` commits with the
     * last batch, `progress` with each batch before.
     */
    async retry(
      organisationId: string,
      id: string,
      input: RetryRowsInput,
      actor: Actor,
      once: { alongside?: Alongside<CampaignView>; progress?: Progress } = {},
    ): Promise<CampaignView> {
      const { alongside = async () => {}, progress = NO_PROGRESS } = once;
      await knownCampaign(db.reader, organisationId, id);
      const outcomes = outcomesIn(input);
      await stoppedRows.cancel(id);
      let after = progress.from;
      for (;;) {
        const done = await db.write(async (tx) => {
          const rows = await retryRows(deps, tx, { organisationId, id, actor }, outcomes, after ?? 0);
          if (after === null && rows.length === 0)
            throw new AppError("CONFLICT", "Nobody on the list has to be called again.");
          if (rows.length === ROWS_PER_COMMAND) {
            const upTo = rows.at(-1) ?? 0;
            await progress.keep(tx, upTo);
            return { upTo };
          }
          const view = await viewOf(organisationId, id, tx);
          await alongside(tx, view);
          return { view };
        });
        if (!done.view) {
          after = done.upTo;
          continue;
        }
        wake();
        return done.view;
      }
    },

    /** Erases the list and its rows; the campaign's calls are erased like other calls. */
    async erase(organisationId: string, id: string, actor: Actor): Promise<void> {
      const campaign = await knownCampaign(db.reader, organisationId, id);
      if (campaign.state !== "stopped" && campaign.state !== "finished")
        throw new AppError("CONFLICT", `This campaign is ${campaign.state}. Stop it first.`);
      await forgetting.assertErasable(campaign);
      const done = await forgetting.forget(campaign, actor);
      if (done === "alive")
        throw new AppError("CONFLICT", "This campaign was taken up again meanwhile. Stop it first.");
      // A hold that was added meanwhile kept some rows.
      if (done !== "forgotten") refuse(done);
      await wipe();
    },
  };
}

interface Asked {
  organisationId: string;
  id: string;
  actor: Actor;
}

/** Changes the state and its dependent rows in one transaction. */
async function act(deps: ActDeps, asked: Asked, event: Act, withIt: WithIt): Promise<void> {
  await deps.db.write((tx) => actWithin(deps, tx, asked, event, withIt));
  deps.wake();
}

type WithIt = (tx: Tx, now: number) => Promise<void>;

async function actWithin(
  { clock, audit }: ActDeps,
  tx: Tx,
  { organisationId, id, actor }: Asked,
  event: Act,
  withIt: WithIt,
): Promise<void> {
  const campaign = await knownCampaign(tx, organisationId, id);
  if (DONE_IN[event].includes(campaign.state)) return;
  const now = clock.now();
  const moved = await moveCampaign(tx, campaign, event, { ...changeBy(event, campaign, now), updated_at: now });
  if (!moved) throw new AppError("CONFLICT", `This campaign is ${campaign.state} and can no longer be ${PAST[event]}.`);
  await withIt(tx, now);
  await audit.record(tx, { organisationId, actor, action: `campaign.${PAST[event]}`, subjectId: id });
}

/** The feeder processes a stopped campaign until no row waits. */
function changeBy(event: Act, campaign: Campaign, now: number): Partial<Campaign> {
  if (event === "pause") return { look_at: null };
  if (event === "resume") return { look_at: Math.max(now, campaign.start_at) };
  return { look_at: now, finished_at: now };
}

function outcomesIn({ outcomes }: RetryRowsInput): readonly string[] {
  if (outcomes === undefined) return FAILED_OUTCOMES;
  const named = outcomes.split(",").map((outcome) => outcome.trim());
  if (named.every((outcome) => OUTCOMES.some((known) => known === outcome))) return named;
  throw invalidField("outcomes", `outcomes must be among ${OUTCOMES.join(", ")}, separated by commas.`);
}

/** Returns the requeued rows after `after`; the first batch reopens the campaign. */
async function retryRows(
  { clock, audit }: ActDeps,
  tx: Tx,
  { organisationId, id, actor }: Asked,
  outcomes: readonly string[],
  after: number,
): Promise<number[]> {
  const now = clock.now();
  const campaign = await knownCampaign(tx, organisationId, id);
  const rows = await waitAgain(tx, id, { outcomes, after, limit: ROWS_PER_COMMAND }, now);
  if (rows.length === 0) return [];
  const lookAt = campaign.state === "paused" ? null : Math.max(now, campaign.start_at);
  const change = { look_at: lookAt, finished_at: null, updated_at: now };
  if (!(await moveCampaign(tx, campaign, "retry", change)))
    throw new AppError("CONFLICT", `This campaign is ${campaign.state}; its rows cannot be called again yet.`);
  const detail = { rows: rows.length };
  await audit.record(tx, { organisationId, actor, action: "campaign.retried", subjectId: id, detail });
  return rows;
}
