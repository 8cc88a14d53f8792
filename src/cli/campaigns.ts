// ringward campaigns list | show | pause | resume | stop | retry | results. See campaigns-create.ts for creation.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CampaignView } from "../campaigns/model.ts";
import { OUTCOMES } from "../campaigns/retry.ts";
import { resultLines } from "../campaigns/routes.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Services } from "../compose/services.ts";
import type { Arguments, Command, Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { wholeNumber } from "./option-values.ts";
import { print, printJson, printTable } from "./output.ts";

const MOST_LISTED = 100;

export const campaignsList: Command = {
  name: "campaigns list",
  summary: "List the campaigns of an organisation with their progress, newest first.",
  options: {
    limit: { type: "string", value: "N", help: `Number of campaigns, at most ${MOST_LISTED}.`, default: "20" },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const limit = Math.min(MOST_LISTED, Math.max(1, wholeNumber("limit", args.text("limit") ?? "")));
      const { data } = await services.campaigns.list(await organisationOf(args, services), { limit: String(limit) });
      if (args.flag("json")) printJson(data);
      else
        printTable(
          ["id", "state", "people", "waiting", "calling", "done", "failed", "name"],
          data.map(({ campaign_id, state, rows, progress, name }) => [
            campaign_id,
            state,
            ...[rows, progress.waiting, progress.calling, progress.done, progress.failed].map(String),
            name,
          ]),
        );
      return 0;
    }),
};

export const campaignsShow: Command = {
  name: "campaigns show",
  summary: "Show a campaign: pace, hours and results so far.",
  positionals: ["CAMPAIGN_ID"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const campaign = await services.campaigns.get(await organisationOf(args, services), id);
      if (args.flag("json")) printJson(campaign);
      else print(linesAbout(campaign).join("\n"));
      return 0;
    }),
};

export const campaignsPause = act("pause", "Place no calls until it is resumed.", (campaigns, organisationId, id) =>
  campaigns.pause(organisationId, id, CLI_ACTOR),
);
export const campaignsResume = act("resume", "Go on calling.", (campaigns, organisationId, id) =>
  campaigns.resume(organisationId, id, CLI_ACTOR),
);
export const campaignsStop = act(
  "stop",
  "Place no more calls. Calls in progress end normally.",
  (campaigns, organisationId, id) => campaigns.stop(organisationId, id, CLI_ACTOR),
);

export const campaignsRetry = act(
  "retry",
  "Call people again who were not reached.",
  (campaigns, organisationId, id, args) => {
    const outcomes = args.text("outcomes");
    return campaigns.retry(organisationId, id, outcomes === undefined ? {} : { outcomes }, CLI_ACTOR);
  },
  {
    outcomes: {
      type: "string",
      value: "LIST",
      help: `Comma-separated: ${OUTCOMES.join(", ")}. Without it, all who were not reached.`,
    },
  },
);

export const campaignsResults: Command = {
  name: "campaigns results",
  summary: "Write the result of each row as CSV, to standard output or to a file.",
  positionals: ["CAMPAIGN_ID"],
  options: {
    to: { type: "string", value: "FILE", help: "Output file; it is overwritten, and readable only by you." },
    ...ORG_OPTION,
    json: { type: "boolean", help: "Print JSON lines instead." },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const organisationId = await organisationOf(args, services);
      const pages = await services.campaigns.exported(organisationId, id, CLI_ACTOR);
      const lines = args.flag("json") ? jsonLines(pages) : resultLines(pages);
      const file = args.text("to");
      if (file === undefined) for await (const text of lines) process.stdout.write(text);
      else await written(lines, file);
      return 0;
    }),
};

type Campaigns = Services["campaigns"];

function act(
  verb: "pause" | "resume" | "stop" | "retry",
  summary: string,
  done: (campaigns: Campaigns, organisationId: string, id: string, args: Arguments) => Promise<CampaignView>,
  options: Readonly<Record<string, Option>> = {},
): Command {
  return {
    name: `campaigns ${verb}`,
    summary,
    positionals: ["CAMPAIGN_ID"],
    options: { ...options, ...ORG_OPTION, ...JSON_OPTION },
    run: (args) =>
      withServices(args, async ({ services }) => {
        const [id = ""] = args.positionals;
        const organisationId = await organisationOf(args, services);
        const campaign = await done(services.campaigns, organisationId, id, args);
        if (args.flag("json")) printJson(campaign);
        else print(`${campaign.campaign_id} is ${campaign.state}; ${campaign.progress.waiting} wait to be called.`);
        return 0;
      }),
  };
}

function linesAbout({ progress, ...campaign }: CampaignView): string[] {
  const { calling_hours: hours } = campaign;
  const outcomes = Object.entries(progress.outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return [
    `${campaign.name} (${campaign.campaign_id})`,
    `State      ${campaign.state}`,
    `Agent      ${campaign.agent_name} (${campaign.agent_id})`,
    `Starts     ${campaign.start_at}`,
    `Finished   ${campaign.finished_at ?? "not yet"}`,
    `Pace       ${campaign.calls_per_minute} calls a minute`,
    `Hours      ${hours ? `${hours.start} to ${hours.end}, days ${hours.days.join(" ")}` : "the agent's"}`,
    `People     ${campaign.rows}`,
    `Waiting    ${progress.waiting}`,
    `Calling    ${progress.calling}, of them talking ${progress.talking}`,
    `Done       ${progress.done}${outcomes.length > 0 ? ` (${outcomes.join(", ")})` : ""}`,
    `Cancelled  ${progress.cancelled}`,
    `Failed     ${progress.failed}`,
  ];
}

type ResultPages = Awaited<ReturnType<Campaigns["exported"]>>;

async function* jsonLines(pages: ResultPages): AsyncGenerator<string, void> {
  for await (const page of pages) yield page.map((result) => `${JSON.stringify(result)}\n`).join("");
}

async function written(lines: AsyncGenerator<string, void>, file: string): Promise<void> {
  try {
    await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  print(`Wrote ${file}.`);
}
