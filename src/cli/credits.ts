// ringward credits grant | unlimited
import { CLI_ACTOR } from "../core/actor.ts";
import { UsageError, type Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print } from "./output.ts";

export const creditsGrant: Command = {
  name: "credits grant",
  summary: "Add credits to an organisation; a negative amount removes them (write it after --).",
  positionals: ["AMOUNT"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      await services.credits.grant(organisationId, Number(args.positionals[0]), CLI_ACTOR);
      print(`The balance is ${(await services.organisations.get(organisationId)).credit_balance} now.`);
      return 0;
    }),
};

export const creditsUnlimited: Command = {
  name: "credits unlimited",
  summary: 'Let an organisation call without counting ("on"), or count again ("off").',
  positionals: ["ON_OR_OFF"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [choice] = args.positionals;
      if (choice !== "on" && choice !== "off") throw new UsageError("Say on or off.");
      await services.credits.setUnlimited(await organisationOf(args, services), choice === "on", CLI_ACTOR);
      print(`Unlimited credits: ${choice}.`);
      return 0;
    }),
};
