// ringward people file | breach-report: everything about one person, and who could see whose data.
import { CLI_ACTOR } from "../core/actor.ts";
import { breachText } from "../rights/routes.ts";
import type { Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { assertNew, writeNew } from "./new-file.ts";
import { print } from "./output.ts";

const time = (help: string) => ({ type: "string", value: "TIME", help, required: true }) as const;

export const peopleFile: Command = {
  name: "people file",
  summary: "Write everything about one person into a ZIP file: JSON, a readable page and recordings.",
  positionals: ["NUMBER", "FILE"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [number = "", file = ""] = args.positionals;
      assertNew(file);
      const organisationId = await organisationOf(args, services);
      await writeNew(file, await services.personFile.open(organisationId, number, CLI_ACTOR));
      print(`Written to ${file}. It contains personal data.`);
      return 0;
    }),
};

export const breachReport: Command = {
  name: "breach-report",
  summary: "Write a CSV file of whose data could be seen by whom between two moments.",
  positionals: ["FILE"],
  options: { ...ORG_OPTION, from: time("ISO 8601, inclusive."), to: time("ISO 8601, exclusive.") },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [file = ""] = args.positionals;
      assertNew(file);
      const period = { from: args.text("from") ?? "", to: args.text("to") ?? "" };
      const lines = await services.breachReport.open(await organisationOf(args, services), period, CLI_ACTOR);
      await writeNew(file, breachText(lines));
      print(`Written to ${file}. It contains personal data.`);
      return 0;
    }),
};
