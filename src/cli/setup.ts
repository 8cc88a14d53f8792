// ringward setup: creates the first organisation and its owner, without the dashboard.
import { createServices } from "../compose/services.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/logger.ts";
import { isServed, openDatabase } from "../db/database.ts";
import { loadSealingKey } from "../db/folder-keys.ts";
import type { Command } from "./command.ts";
import { configOf, JSON_OPTION, PASSWORD_OPTION, passwordOf, placeOf } from "./context.ts";
import { print, printJson } from "./output.ts";

export const setup: Command = {
  name: "setup",
  summary: "Create the first organisation and its owner on an empty appliance.",
  options: {
    organisation: { type: "string", value: "NAME", help: "Name of the hospital.", required: true },
    email: { type: "string", value: "EMAIL", help: "E-mail address of the owner, for signing in.", required: true },
    name: { type: "string", value: "NAME", help: "Name of the owner.", default: "Owner" },
    "time-zone": { type: "string", value: "ZONE", help: "IANA name.", default: "Asia/Kolkata" },
    ...PASSWORD_OPTION,
    ...JSON_OPTION,
  },
  async run(args) {
    const config = configOf(args);
    const password = await passwordOf(args);
    // Works on an empty folder, and beside a server that waits for setup.
    const as = (await isServed(placeOf(config))) ? "command" : "server";
    const db = await openDatabase(placeOf(config), { logger: silentLogger, as });
    try {
      const services = createServices({
        config,
        db,
        clock: systemClock,
        logger: silentLogger,
        rootKey: await loadSealingKey(placeOf(config), db.reader),
      });
      const made = await services.setup.createFirst(
        {
          organisation: args.text("organisation") ?? "",
          timeZone: args.text("time-zone") ?? "",
          email: args.text("email") ?? "",
          name: args.text("name") ?? "",
          password,
        },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson({ organisation_id: made.organisationId, person_id: made.personId });
      else
        print(
          `Created ${made.organisationId} with its owner. Next: "ringward keys create --name … --scopes all", then "ringward serve".`,
        );
      return 0;
    } finally {
      await db.close();
    }
  },
};
