// ringward dnd add | remove | list: numbers that must not be called.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print } from "./output.ts";

const changeCommand = (word: "add" | "remove", summary: string, done: string): Command => ({
  name: `dnd ${word}`,
  summary,
  positionals: ["NUMBER"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [number = ""] = args.positionals;
      await services.doNotDisturb[word](await organisationOf(args, services), number, CLI_ACTOR);
      print(done);
      return 0;
    }),
});

export const dndAdd = changeCommand("add", "Add a number to the do-not-disturb list.", "Added.");
export const dndRemove = changeCommand("remove", "Remove a number from the do-not-disturb list.", "Removed.");

export const dndList: Command = {
  name: "dnd list",
  summary: "Print the do-not-disturb list, one number per line.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const numbers = await services.doNotDisturb.list(await organisationOf(args, services), CLI_ACTOR);
      print(numbers.length === 0 ? "None." : numbers.join("\n"));
      return 0;
    }),
};
