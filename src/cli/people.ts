// ringward people create | list | password | disable | enable
import { CLI_ACTOR } from "../core/actor.ts";
import { ROLES } from "../accounts/person-service.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, PASSWORD_OPTION, passwordOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const peopleCreate: Command = {
  name: "people create",
  summary: "Make a person who may sign in to the dashboard.",
  options: {
    email: { type: "string", value: "EMAIL", help: "The address to sign in with.", required: true },
    name: { type: "string", value: "NAME", help: "How the person is called.", required: true },
    role: { type: "string", value: "ROLE", help: ROLES.join(", "), default: "staff" },
    ...PASSWORD_OPTION,
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const created = await services.people.create(
        await organisationOf(args, services),
        {
          email: args.text("email") ?? "",
          name: args.text("name") ?? "",
          role: args.text("role") ?? "",
          password: await passwordOf(args),
        },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(created);
      else print(`Made ${created.person_id} (${created.role}).`);
      return 0;
    }),
};

export const peopleList: Command = {
  name: "people list",
  summary: "List the people of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const people = await services.people.list(await organisationOf(args, services), CLI_ACTOR);
      if (args.flag("json")) printJson(people);
      else {
        printTable(
          ["id", "email", "name", "role", "state"],
          people.map((person) => [
            person.person_id,
            person.email,
            person.name,
            person.role,
            person.disabled_at ? "disabled" : "active",
          ]),
        );
      }
      return 0;
    }),
};

export const peoplePassword: Command = {
  name: "people password",
  summary: "Set a person's password.",
  positionals: ["EMAIL"],
  options: { ...PASSWORD_OPTION, ...ORG_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [email = ""] = args.positionals;
      await services.people.setPassword(await organisationOf(args, services), email, await passwordOf(args), CLI_ACTOR);
      print("The password is set.");
      return 0;
    }),
};

const switchCommand = (word: "disable" | "enable", summary: string): Command => ({
  name: `people ${word}`,
  summary,
  positionals: ["EMAIL"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [email = ""] = args.positionals;
      await services.people[word](await organisationOf(args, services), email, CLI_ACTOR);
      print(`Done: ${word}d.`);
      return 0;
    }),
});

export const peopleDisable = switchCommand("disable", "Keep a person from signing in.");
export const peopleEnable = switchCommand("enable", "Let a disabled person sign in again.");
