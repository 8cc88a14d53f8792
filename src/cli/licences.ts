// ringward licences
import type { Command } from "./command.ts";
import { licenceNotices } from "./licence-notices.ts";
import { print } from "./output.ts";

export const licences: Command = {
  name: "licences",
  summary: "Print the licences of all components of this executable.",
  async run() {
    print(await licenceNotices());
    return 0;
  },
};
