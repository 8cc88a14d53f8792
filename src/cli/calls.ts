// ringward calls held | release | cancel: calls that were due before a backup was restored wait for a person's word.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Command, Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson } from "./output.ts";

const MOST_LISTED = 1_000;

const CHOICE: Readonly<Record<string, Option>> = {
  ...ORG_OPTION,
  call: { type: "string", value: "ID", help: "This call alone; without it, every held one of the organisation." },
};

export const callsHeld: Command = {
  name: "calls held",
  summary: "List the calls that are held since a restore: they were due before it, and may have been made already.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const total = await services.restoredCalls.count(organisationId);
      const listed = await services.restoredCalls.list(organisationId, MOST_LISTED);
      if (args.flag("json")) {
        printJson({ total, calls: listed });
        return 0;
      }
      for (const { call_id, scheduled_at, agent_id } of listed) print(`${call_id}  due ${scheduled_at}  ${agent_id}`);
      print(total > listed.length ? `${total} in all; these are the earliest.` : `${total} in all.`);
      return 0;
    }),
};

export const callsRelease: Command = {
  name: "calls release",
  summary: "Let calls go out that are held since a restore. Every rule of a dial still holds for them.",
  options: CHOICE,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const released = await services.restoredCalls.release(organisationId, args.text("call"), CLI_ACTOR);
      print(`Released: ${released}. A running server takes them up within half a minute.`);
      return 0;
    }),
};

export const callsCancel: Command = {
  name: "calls cancel",
  summary: "Cancel calls that are held since a restore.",
  options: CHOICE,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const cancelled = await services.restoredCalls.cancel(organisationId, args.text("call"), CLI_ACTOR);
      print(`Cancelled: ${cancelled}.`);
      return 0;
    }),
};
