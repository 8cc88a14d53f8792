// ringward branches list | set, services list | set: display names for the ids of the hospital's own system.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const branchesSet: Command = {
  name: "branches set",
  summary: "Name a branch, or give it its own time zone. An unknown id is registered.",
  positionals: ["BRANCH_ID"],
  options: {
    name: { type: "string", value: "NAME", help: "How people call it." },
    "time-zone": { type: "string", value: "ZONE", help: 'IANA name, or "none" to follow the organisation.' },
    ...ORG_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const name = args.text("name");
      const zone = args.text("time-zone");
      await services.directory.setBranch(
        await organisationOf(args, services),
        args.positionals[0] ?? "",
        {
          ...(name === undefined ? {} : { name }),
          ...(zone === undefined ? {} : { timeZone: zone === "none" ? null : zone }),
        },
        CLI_ACTOR,
      );
      print("Done.");
      return 0;
    }),
};

export const branchesList: Command = {
  name: "branches list",
  summary: "List the branches of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const rows = (await services.directory.branches(await organisationOf(args, services))).map(
        ({ id, name, time_zone }) => ({ branch_id: id, name, time_zone }),
      );
      if (args.flag("json")) printJson(rows);
      else
        printTable(
          ["id", "name", "time zone"],
          rows.map((row) => [row.branch_id, row.name ?? "", row.time_zone ?? "(organisation's)"]),
        );
      return 0;
    }),
};

export const servicesSet: Command = {
  name: "services set",
  summary: "Name a service (appointment type). An unknown id is registered.",
  positionals: ["APPOINTMENT_TYPE_ID"],
  options: { name: { type: "string", value: "NAME", help: "How people call it.", required: true }, ...ORG_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      await services.directory.setService(
        await organisationOf(args, services),
        args.positionals[0] ?? "",
        args.text("name") ?? "",
        CLI_ACTOR,
      );
      print("Done.");
      return 0;
    }),
};

export const servicesList: Command = {
  name: "services list",
  summary: "List the services of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const rows = (await services.directory.services(await organisationOf(args, services))).map(({ id, name }) => ({
        appointment_type_id: id,
        name,
      }));
      if (args.flag("json")) printJson(rows);
      else
        printTable(
          ["id", "name"],
          rows.map((row) => [row.appointment_type_id, row.name ?? ""]),
        );
      return 0;
    }),
};
