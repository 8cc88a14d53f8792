// ringward sharing on | off | status: public links to single calls.
import { CLI_ACTOR } from "../core/actor.ts";
import { SHARE_EXPIRIES } from "../media/share-service.ts";
import { UsageError, type Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { printJson } from "./output.ts";

export const sharing: Command = {
  name: "sharing",
  summary: "Turn public links to calls on or off, or show the status. Turning them off invalidates every link at once.",
  positionals: ["ON_OFF_OR_STATUS"],
  options: {
    expiry: { type: "string", value: "LIFE", help: `Lifetime of new links: ${SHARE_EXPIRIES.join(", ")}.` },
    ...ORG_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const [choice = ""] = args.positionals;
      if (!["on", "off", "status"].includes(choice)) throw new UsageError("Expected on, off or status.");
      const expiry = args.text("expiry");
      if (choice !== "status" || expiry !== undefined) {
        await services.shares.configure(
          organisationId,
          { ...(choice === "status" ? {} : { enabled: choice === "on" }), ...(expiry === undefined ? {} : { expiry }) },
          CLI_ACTOR,
        );
      }
      printJson(await services.shares.status(organisationId));
      return 0;
    }),
};
