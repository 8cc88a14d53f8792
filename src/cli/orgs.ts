// ringward orgs create | list | update | plan
import { CLI_ACTOR } from "../core/actor.ts";
import { PLAN_NAMES } from "../config/schema.ts";
import { toIso } from "../core/clock.ts";
import { checkedRecordingMode } from "../rules/recording-mode.ts";
import { UsageError, type Command } from "./command.ts";
import { JSON_OPTION, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const orgsCreate: Command = {
  name: "orgs create",
  summary: "Create another organisation. Organisations cannot see each other's data.",
  options: {
    name: { type: "string", value: "NAME", help: "Name of the hospital.", required: true },
    "time-zone": { type: "string", value: "ZONE", help: "IANA name.", default: "Asia/Kolkata" },
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const created = await services.organisations.create(
        { name: args.text("name") ?? "", timeZone: args.text("time-zone") ?? "" },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson({ organisation_id: created.id, name: created.name, plan: created.plan });
      else print(`Created ${created.id} (${created.name}) on the ${created.plan} plan.`);
      return 0;
    }),
};

export const orgsList: Command = {
  name: "orgs list",
  summary: "List the organisations of this appliance.",
  options: JSON_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const all = await services.organisations.list();
      const rows = all.map(({ id, name, plan, time_zone, callback_number, created_at }) => ({
        organisation_id: id,
        name,
        plan,
        time_zone,
        callback_number,
        created_at: toIso(created_at),
      }));
      if (args.flag("json")) printJson(rows);
      else
        printTable(
          ["id", "name", "plan", "time zone", "callback number", "created"],
          rows.map((row) => Object.values({ ...row, callback_number: row.callback_number ?? "none" })),
        );
      return 0;
    }),
};

export const orgsUpdate: Command = {
  name: "orgs update",
  summary: "Change the given fields of an organisation.",
  positionals: ["ORG_ID"],
  options: {
    name: { type: "string", value: "NAME", help: "The name of the hospital. Agents say it as {{hospital}}." },
    "time-zone": { type: "string", value: "ZONE", help: "IANA name." },
    "callback-number": {
      type: "string",
      value: "E164",
      help: 'Where patients call back, or "none". Agents say it as {{callback_number}}.',
    },
    recording: {
      type: "string",
      value: "MODE",
      help: 'How calls are recorded: announce, ask or off; "none": as the appliance. The strictest applies.',
    },
    "second-factor": {
      type: "string",
      value: "ROLES",
      help: 'Roles that need a second factor at sign-in, such as owner,staff; or "none".',
    },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const [name, timeZone, number] = [args.text("name"), args.text("time-zone"), args.text("callback-number")];
      const mode = args.text("recording");
      const roles = args.text("second-factor");
      if ([name, timeZone, number, mode, roles].every((given) => given === undefined))
        throw new UsageError(
          "Give at least one of --name, --time-zone, --callback-number, --recording and --second-factor.",
        );
      if (roles !== undefined) await services.organisations.setSecondFactor(id, rolesIn(roles), CLI_ACTOR);
      const change = {
        ...(name !== undefined && { name }),
        ...(timeZone !== undefined && { timeZone }),
        ...(mode !== undefined && { recordingMode: checkedRecordingMode(mode === "none" ? null : mode) }),
        ...(number !== undefined && { callbackNumber: number === "none" ? null : number }),
      };
      if (Object.keys(change).length > 0) await services.organisations.change(id, change, CLI_ACTOR);
      print(`Changed ${id}.`);
      return 0;
    }),
};

const rolesIn = (text: string): string[] =>
  text === "none"
    ? []
    : text
        .split(",")
        .map((role) => role.trim())
        .filter(Boolean);

export const orgsPlan: Command = {
  name: "orgs plan",
  summary: `Put an organisation on a plan: ${PLAN_NAMES.join(", ")}.`,
  positionals: ["ORG_ID", "PLAN"],
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = "", plan = ""] = args.positionals;
      await services.organisations.setPlan(id, plan, CLI_ACTOR);
      print(`${id} is on the ${plan} plan now.`);
      return 0;
    }),
};
