// ringward version
import { latestVersion } from "../db/migrations.ts";
import { packsLeftOut } from "../speech/packs/packs.ts";
import { COMMIT, VERSION } from "../version.ts";
import type { Command } from "./command.ts";
import { print } from "./output.ts";

export const version: Command = {
  name: "version",
  summary: "Print the version of this binary and of its database schema.",
  async run() {
    const leftOut = packsLeftOut();
    const without = leftOut.length > 0 ? `, slim: without ${leftOut.join(", ")}` : "";
    print(`ringward ${VERSION} (${COMMIT}), schema ${latestVersion()}, bun ${Bun.version}${without}`);
    return 0;
  },
};
