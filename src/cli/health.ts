// ringward health: queries the running server, for the health check of a container.
import type { Command } from "./command.ts";
import { configOf } from "./context.ts";
import { print, printError } from "./output.ts";
import { askServer } from "./running-server.ts";

export const health: Command = {
  name: "health",
  summary: "Check whether the server is running (exit code 0) or not (1).",
  options: { ready: { type: "boolean", help: "Check readiness (/readyz) instead." } },
  async run(args) {
    const { url, response } = await askServer(configOf(args), args.flag("ready") ? "/readyz" : "/healthz");
    if (!response) {
      printError(`No server answers at ${url}.`);
      return 1;
    }
    print(await response.text());
    return response.ok ? 0 : 1;
  },
};
