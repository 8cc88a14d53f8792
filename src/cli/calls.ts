// ringward calls held | hold | release | cancel: calls that need a person's decision.
import { CLI_ACTOR } from "../core/actor.ts";
import { systemClock, toIso } from "../core/clock.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { PERSON_HOLDS, type PersonHold } from "../calls/queue/policy.ts";
import { createHolding } from "../compose/holding.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson } from "./output.ts";

const MOST_LISTED = 1_000;

const REASON: Readonly<Record<string, Option>> = {
  reason: { type: "string", value: "REASON", help: `Only those that are held as ${PERSON_HOLDS.join(" or ")}.` },
};

const CHOICE: Readonly<Record<string, Option>> = {
  ...ORG_OPTION,
  call: { type: "string", value: "ID", help: "Only this call; without it, every held call of the organisation." },
  ...REASON,
};

export const callsHeld: Command = {
  name: "calls held",
  summary: "List the calls that wait for a person's decision: overdue, or due before an older database was restored.",
  options: { ...ORG_OPTION, ...REASON, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const reason = reasonOf(args);
      const total = await services.heldCalls.count(organisationId, reason);
      const listed = await services.heldCalls.list(organisationId, MOST_LISTED, reason);
      if (args.flag("json")) {
        printJson({ total, calls: listed });
        return 0;
      }
      for (const { call_id, scheduled_at, agent_id, hold_reason } of listed)
        print(`${call_id}  due ${scheduled_at}  ${agent_id}  ${hold_reason}`);
      print(total > listed.length ? `${total} in all; these are the earliest.` : `${total} in all.`);
      return 0;
    }),
};

export const callsHold: Command = {
  name: "calls hold",
  summary:
    "Hold everything that was due before a time, as after a restore: calls wait for a person, campaigns pause, due " +
    "reminders are taken back, and webhook endpoints with pending deliveries are switched off.",
  options: {
    org: { type: "string", value: "ID", help: "Only this organisation; without it, all." },
    "due-before": {
      type: "string",
      value: "TIME",
      help: 'ISO 8601 with Z or an offset, e.g. 2027-03-14T09:30:00+05:30, or "now".',
      required: true,
    },
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ db, services }) => {
      const until = timeOf(args.text("due-before") ?? "");
      const organisationId = args.text("org") === undefined ? undefined : await organisationOf(args, services);
      const holding = createHolding({ db, clock: systemClock, services });
      const held = await holding.holdDue(until, organisationId, CLI_ACTOR);
      if (args.flag("json")) {
        printJson({ due_before: toIso(until), ...held });
        return 0;
      }
      print(`Held: ${held.calls} calls that were due before ${toIso(until)}.`);
      print(`Paused campaigns: ${held.campaigns}. Reminders taken back: ${held.reminders}.`);
      print(`Webhook endpoints switched off: ${held.endpoints}.`);
      print('See "ringward calls held", then "ringward calls release" or "ringward calls cancel".');
      return 0;
    }),
};

export const callsRelease: Command = {
  name: "calls release",
  summary: "Release held calls, at the pace of calls.released_per_minute. All dialling rules still apply.",
  options: CHOICE,
  run: (args) =>
    withServices(args, async ({ config, services }) => {
      const organisationId = await organisationOf(args, services);
      const released = await services.heldCalls.release(organisationId, choiceOf(args), CLI_ACTOR);
      print(
        `Released: ${released}. A running server takes them up within half a minute, ` +
          `${config.calls.released_per_minute} a minute.`,
      );
      return 0;
    }),
};

export const callsCancel: Command = {
  name: "calls cancel",
  summary: "Cancel held calls.",
  options: CHOICE,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const cancelled = await services.heldCalls.cancel(organisationId, choiceOf(args), CLI_ACTOR);
      print(`Cancelled: ${cancelled}.`);
      return 0;
    }),
};

function timeOf(text: string): number {
  return text === "now" ? systemClock.now() : parseIsoTime("--due-before", text);
}

const choiceOf = (args: Arguments) => ({ callId: args.text("call"), reason: reasonOf(args) });

function reasonOf(args: Arguments): PersonHold | undefined {
  const text = args.text("reason");
  const reason = PERSON_HOLDS.find((known) => known === text);
  if (text !== undefined && reason === undefined)
    throw new UsageError(`--reason must be ${PERSON_HOLDS.join(" or ")}.`);
  return reason;
}
