// ringward pronunciations set | remove | list: an organisation's own pronunciations for its agents.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print } from "./output.ts";

export const pronunciationsSet: Command = {
  name: "pronunciations set",
  summary: "Set the pronunciation of a word: SHAR-ma, met-FOR-min, with the stressed syllable in capitals.",
  positionals: ["WORD", "SAID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [word = "", said = ""] = args.positionals;
      await services.pronunciations.put(await organisationOf(args, services), { word, said }, CLI_ACTOR);
      print("Set. It applies from the next call on.");
      return 0;
    }),
};

export const pronunciationsRemove: Command = {
  name: "pronunciations remove",
  summary: "Remove the pronunciation of a word.",
  positionals: ["WORD"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [word = ""] = args.positionals;
      await services.pronunciations.remove(await organisationOf(args, services), word, CLI_ACTOR);
      print("Removed.");
      return 0;
    }),
};

export const pronunciationsList: Command = {
  name: "pronunciations list",
  summary: "Print the pronunciation list, one word per line.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const list = await services.pronunciations.list(await organisationOf(args, services));
      print(list.length === 0 ? "None." : list.map(({ word, said }) => `${word}\t${said}`).join("\n"));
      return 0;
    }),
};
