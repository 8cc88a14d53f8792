// ringward registry import | list | remove: what a registry of numbers answered, for promotional calls.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

/** More are counted. */
const FAULTS_PRINTED = 20;

export const registryImport: Command = {
  name: "registry import",
  summary: "Import a scrub result: a CSV file of numbers, each with allowed or refused.",
  positionals: ["FILE"],
  options: {
    registry: { type: "string", value: "NAME", help: "The registry, such as NCPR.", required: true },
    date: { type: "string", value: "DATE", help: "Date of the scrub, at most 31 days ago.", required: true },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [file = ""] = args.positionals;
      const csv = await Bun.file(file).text();
      const scrub = { registry: args.text("registry") ?? "", scrubbedOn: args.text("date") ?? "", csv };
      const all = await services.registry.importFile(await organisationOf(args, services), scrub, CLI_ACTOR);
      if (args.flag("json")) printJson(all);
      else {
        print(`${all.stored} stored, ${all.refused} refused by the registry, ${all.outdated} already newer.`);
        for (const { line, message } of all.faults.slice(0, FAULTS_PRINTED)) print(`Line ${line}: ${message}`);
        if (all.faults.length > FAULTS_PRINTED) print(`${all.faults.length} lines were not understood.`);
      }
      return all.faults.length === 0 ? 0 : 1;
    }),
};

export const registryList: Command = {
  name: "registry list",
  summary: "List the imported scrub results: numbers by registry, date and verdict.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const scrubs = await services.registry.scrubs(await organisationOf(args, services));
      if (args.flag("json")) printJson(scrubs);
      else
        printTable(
          ["registry", "date", "verdict", "numbers"],
          scrubs.map((row) => [row.registry, row.scrubbed_on, row.verdict, String(row.count)]),
        );
      return 0;
    }),
};

export const registryRemove: Command = {
  name: "registry remove",
  summary: "Remove a scrub that was imported by mistake. Older results of its numbers do not come back.",
  options: {
    registry: { type: "string", value: "NAME", help: "The registry, such as NCPR.", required: true },
    date: { type: "string", value: "DATE", help: "Date of the scrub.", required: true },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const scrub = { registry: args.text("registry") ?? "", scrubbedOn: args.text("date") ?? "" };
      const done = await services.registry.remove(await organisationOf(args, services), scrub, CLI_ACTOR);
      if (args.flag("json")) printJson(done);
      else print(`${done.removed} results removed.`);
      if (done.kept > 0 && !args.flag("json")) print(`${done.kept} kept: a retention hold keeps them.`);
      return 0;
    }),
};
