// ringward openapi: prints the API document, without a server or a database.
import { createApp } from "../compose/app.ts";
import { loadConfig } from "../config/load.ts";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/logger.ts";
import { newRootKey } from "../core/secret-box.ts";
import { detachedDatabase } from "../db/detached.ts";
import type { Command } from "./command.ts";
import { printJson } from "./output.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "Print the OpenAPI 3.1 document of this binary.",
  async run(args) {
    // The document contains the path of the API, and no other setting.
    const config = loadConfig({ file: args.text("config"), only: ["base_url"] });
    const app = createApp({
      config,
      db: detachedDatabase(),
      clock: systemClock,
      logger: silentLogger,
      rootKey: newRootKey(),
    });
    printJson(app.document());
    return 0;
  },
};
