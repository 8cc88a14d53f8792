// ringward hook regenerate | signature | status
import { CLI_ACTOR } from "../core/actor.ts";
import { UsageError, type Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson } from "./output.ts";

export const hookRegenerate: Command = {
  name: "hook regenerate",
  summary: "Create or replace the inbound webhook. The old address stops working at once.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const hook = await services.hooks.regenerate(await organisationOf(args, services), CLI_ACTOR);
      if (args.flag("json")) printJson({ url: hook.url, signing_secret: hook.signingSecret });
      else print(`${hook.url}\n\nSigning secret: ${hook.signingSecret}\nKeep both now: they cannot be shown again.`);
      return 0;
    }),
};

export const hookSignature: Command = {
  name: "hook signature",
  summary: 'Require signed requests on the inbound webhook ("on") or not ("off").',
  positionals: ["ON_OR_OFF"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [choice] = args.positionals;
      if (choice !== "on" && choice !== "off") throw new UsageError("Say on or off.");
      await services.hooks.requireSignature(await organisationOf(args, services), choice === "on", CLI_ACTOR);
      print(`Signature required: ${choice}.`);
      return 0;
    }),
};

export const hookStatus: Command = {
  name: "hook status",
  summary: "Show the inbound webhook and how much of today's quota is used.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      printJson(await services.hooks.status(await organisationOf(args, services)));
      return 0;
    }),
};
