// ringward version
import { latestVersion } from "../db/migrate.ts";
import { COMMIT, VERSION } from "../version.ts";
import type { Command } from "./command.ts";
import { print } from "./output.ts";

export const version: Command = {
  name: "version",
  summary: "Print the version of this binary and of its database schema.",
  async run() {
    print(`ringward ${VERSION} (${COMMIT}), schema ${latestVersion()}, bun ${Bun.version}`);
    return 0;
  },
};
