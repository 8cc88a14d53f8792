// ringward break-glass seal | status | acknowledge: the sealed emergency account of an organisation.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson } from "./output.ts";

export const breakGlassSeal: Command = {
  name: "break-glass seal",
  summary: "Create the emergency account, or seal it again, with a new password that is printed once.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const sealed = await services.breakGlass.seal(await organisationOf(args, services), CLI_ACTOR);
      if (args.flag("json")) printJson(sealed);
      else {
        print(`E-mail address: ${sealed.email}`);
        print(`Password:       ${sealed.password}`);
        print("Print both, put them into an envelope and seal it. The password works once and is not shown again.");
      }
      return 0;
    }),
};

export const breakGlassStatus: Command = {
  name: "break-glass status",
  summary: "Show whether the emergency account is sealed, and its last use.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const account = await services.breakGlass.view(await organisationOf(args, services));
      if (args.flag("json")) printJson({ account });
      else if (!account) print('There is no emergency account. Create it with "ringward break-glass seal".');
      else {
        print(account.sealed_at === null ? `${account.email} is not sealed.` : `${account.email} is sealed.`);
        if (account.used_at !== null) print(`Last used at ${account.used_at} from ${account.used_from ?? "unknown"}.`);
        if (account.used_at !== null && account.acknowledged_at === null)
          print('No owner has acknowledged this use. Do so with "ringward break-glass acknowledge".');
      }
      return 0;
    }),
};

export const breakGlassAcknowledge: Command = {
  name: "break-glass acknowledge",
  summary: "End the announcement of a use of the emergency account.",
  options: {
    reason: { type: "string", value: "TEXT", help: "Why it was used; kept in the audit log.", required: true },
    ...ORG_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      await services.breakGlass.acknowledge(organisationId, args.text("reason") ?? "", CLI_ACTOR);
      print("The use is acknowledged.");
      return 0;
    }),
};
