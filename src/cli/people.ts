// ringward people create | list | access | password | disable | enable | reset-factor | sessions | end-sessions
import { CLI_ACTOR } from "../core/actor.ts";
import { ROLES } from "../accounts/records.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, PASSWORD_OPTION, passwordOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

const BOUNDS_OPTION = {
  branches: {
    type: "string",
    value: "IDS",
    help: "Staff and viewers: the branches that they see, separated by commas; all: the whole organisation.",
  },
  practitioner: {
    type: "string",
    value: "ID",
    help: "Doctors: the practitioner_id of their appointments.",
  },
} as const satisfies Command["options"];

/** An absent option changes nothing. */
function boundsOf(args: Parameters<Command["run"]>[0]) {
  const [branches, practitioner] = [args.text("branches"), args.text("practitioner")];
  const ids = branches === "all" ? null : branches?.split(",").map((id) => id.trim());
  return {
    ...(ids !== undefined && { branches: ids }),
    ...(practitioner !== undefined && { practitioner_id: practitioner }),
  };
}

export const peopleCreate: Command = {
  name: "people create",
  summary: "Create a person who can sign in to the dashboard.",
  options: {
    email: { type: "string", value: "EMAIL", help: "E-mail address for signing in.", required: true },
    name: { type: "string", value: "NAME", help: "Name of the person.", required: true },
    role: { type: "string", value: "ROLE", help: ROLES.join(", "), default: "staff" },
    ...BOUNDS_OPTION,
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
          ...boundsOf(args),
        },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(created);
      else print(`Created ${created.person_id} (${created.role}).`);
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
          ["id", "email", "name", "role", "sees", "second factor", "state"],
          people.map((person) => [
            person.person_id,
            person.email,
            person.name,
            person.is_emergency ? "emergency" : person.role,
            person.branches?.join(" ") ?? person.practitioner_id ?? "all",
            person.second_factor,
            person.disabled_at ? "disabled" : "active",
          ]),
        );
      }
      return 0;
    }),
};

export const peopleAccess: Command = {
  name: "people access",
  summary: "Set a person's role, the branches that they see, or a doctor's practitioner. Applies at once.",
  positionals: ["EMAIL"],
  options: { role: { type: "string", value: "ROLE", help: ROLES.join(", ") }, ...BOUNDS_OPTION, ...ORG_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [email = ""] = args.positionals;
      const role = args.text("role");
      const change = { ...(role !== undefined && { role }), ...boundsOf(args) };
      await services.people.setBounds(await organisationOf(args, services), email, change, CLI_ACTOR);
      print("The access is changed.");
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

export const peopleDisable = switchCommand("disable", "Disable a person's access.");
export const peopleEnable = switchCommand("enable", "Enable a person's access again.");

export const peopleResetFactor: Command = {
  name: "people reset-factor",
  summary: "Remove a person's second factors and end their sessions. If the role needs one, they set it up anew.",
  positionals: ["EMAIL"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [email = ""] = args.positionals;
      await services.factors.reset(await organisationOf(args, services), email, null, CLI_ACTOR);
      print("The second factors are removed. The person signs in with their password.");
      return 0;
    }),
};

export const peopleSessions: Command = {
  name: "people sessions",
  summary: "List where a person is signed in.",
  positionals: ["EMAIL"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [email = ""] = args.positionals;
      const holder = await services.sessionList.holderOf(await organisationOf(args, services), email);
      const sessions = await services.sessionList.list(holder, CLI_ACTOR);
      if (args.flag("json")) printJson(sessions);
      else
        printTable(
          ["session", "browser", "system", "address", "since", "last used"],
          sessions.map((each) => [
            each.session_id,
            each.browser ?? "unknown",
            each.system ?? "unknown",
            each.address ?? "unknown",
            each.created_at,
            each.last_used_at,
          ]),
        );
      return 0;
    }),
};

export const peopleEndSessions: Command = {
  name: "people end-sessions",
  summary: "Sign a person out everywhere, or end one session.",
  positionals: ["EMAIL"],
  options: {
    session: { type: "string", value: "ID", help: 'One session, from "ringward people sessions".' },
    ...ORG_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [email = ""] = args.positionals;
      const holder = await services.sessionList.holderOf(await organisationOf(args, services), email);
      const id = args.text("session");
      if (id === undefined) print(`${await services.sessionList.endOthers(holder, CLI_ACTOR)} sessions ended.`);
      else {
        await services.sessionList.end(holder, id, CLI_ACTOR);
        print("The session is ended.");
      }
      return 0;
    }),
};
