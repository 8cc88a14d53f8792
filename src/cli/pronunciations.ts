// ringward pronunciations set | remove | list: an organisation's own pronunciations for its agents.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print } from "./output.ts";

export const pronunciationsSet: Command = {
  name: "pronunciations set",
  summary: "Say how the built-in voice says a word: SHAR-ma, met-FOR-min, the stressed syllable in capitals.",
  positionals: ["WORD", "SAID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [word = "", said = ""] = args.positionals;
      await services.pronunciations.put(await organisationOf(args, services), { word, said }, CLI_ACTOR);
      print("Set. It is heard from the next call on.");
      return 0;
    }),
};

export const pronunciationsRemove: Command = {
  name: "pronunciations remove",
  summary: "Let the built-in voice say a word as it would by itself.",
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
  summary: "Print the pronunciation list, a word a line.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const list = await services.pronunciations.list(await organisationOf(args, services));
      print(list.length === 0 ? "None." : list.map(({ word, said }) => `${word}\t${said}`).join("\n"));
      return 0;
    }),
};
