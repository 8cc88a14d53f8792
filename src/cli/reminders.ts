// ringward reminders list | add | change | remove: rules for appointment reminders.
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { PatchRuleSchema, RULE_DEFAULTS, type RuleInput, type RuleView } from "../reminders/model.ts";
import { SOURCES, type PlaceholderSource } from "../reminders/placeholder-sources.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { AppError } from "../core/errors.ts";
import { lazily } from "../core/lazily.ts";
import { fieldFaults } from "../core/schema-words.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { pairsOf, wholeNumber, yesOrNo } from "./option-values.ts";
import { print, printJson, printTable } from "./output.ts";

const inputSchema = lazily(() => TypeCompiler.Compile(PatchRuleSchema));
const unless = (field: keyof typeof RULE_DEFAULTS) => `${String(RULE_DEFAULTS[field])} where a rule begins.`;

const RULE_OPTIONS: Readonly<Record<string, Option>> = {
  agent: { type: "string", value: "ID", help: "The calling agent (outbound)." },
  branch: { type: "string", value: "UUID", help: 'Appointments of this branch; "all" for every one.' },
  service: { type: "string", value: "UUID", help: 'Appointments of this service; "all" for every one.' },
  "days-before": { type: "string", value: "N", help: `Days before the appointment, at --at. ${unless("days_before")}` },
  at: { type: "string", value: "HH:MM", help: `The branch's time. ${unless("at")}` },
  "hours-before": { type: "string", value: "N", help: "Hours before the appointment, instead of days." },
  "call-from": { type: "string", value: "HH:MM", help: `Earliest time of a call. ${unless("call_from")}` },
  "call-to": { type: "string", value: "HH:MM", help: `Latest time of a call. ${unless("call_to")}` },
  tries: { type: "string", value: "N", help: `Calls at most. ${unless("tries")}` },
  "retry-minutes": { type: "string", value: "N", help: `Between them. ${unless("retry_minutes")}` },
  "settle-hours": {
    type: "string",
    value: "N",
    help: `Skip people who booked or moved their appointment within this many hours. ${unless("settle_hours")}`,
  },
  "confirmed-too": { type: "string", value: "YES_OR_NO", help: "Whether people who have confirmed are called." },
  placeholders: {
    type: "string",
    value: "LIST",
    help: `doctor=service,visit=date_and_time: ${SOURCES.filter((source) => source !== "text").join(", ")}, or text:WORDS. Without it, as usual.`,
  },
  enabled: { type: "string", value: "YES_OR_NO", help: "Whether the rule is on." },
  ...ORG_OPTION,
  ...JSON_OPTION,
};

export const remindersList: Command = {
  name: "reminders list",
  summary: "List the reminder rules, with the number of waiting reminders.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const rules = await services.reminderRules.list(await organisationOf(args, services));
      if (args.flag("json")) printJson(rules);
      else
        printTable(
          ["id", "on", "when", "hours", "branch", "service", "agent", "waiting"],
          rules.map((rule) => [
            rule.rule_id,
            rule.enabled ? "yes" : "no",
            whenOf(rule),
            `${rule.call_from}-${rule.call_to}`,
            rule.branch_id ?? "all",
            rule.appointment_type_id ?? "all",
            rule.agent_name,
            String(rule.waiting),
          ]),
        );
      return 0;
    }),
};

export const remindersAdd: Command = {
  name: "reminders add",
  summary: "Create a rule that calls people a number of days or hours before their appointment.",
  options: {
    ...RULE_OPTIONS,
    agent: { type: "string", value: "ID", help: "The calling agent (outbound).", required: true },
    "dry-run": { type: "boolean", help: "Print how many people would be called tomorrow; create nothing." },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { reminderRules } = services;
      const input = { ...ruleInput(args), agent_id: args.text("agent") ?? "" };
      if (args.flag("dry-run")) {
        const { tomorrow } = await reminderRules.preview(organisationId, input);
        if (args.flag("json")) printJson({ dry_run: true, tomorrow });
        else
          print(
            `Tomorrow ${tomorrow.people} would be called; ${tomorrow.without_number} more have no number. Nothing was created.`,
          );
        return 0;
      }
      const rule = await reminderRules.create(organisationId, input, CLI_ACTOR);
      if (args.flag("json")) printJson(rule);
      else print(`Made ${rule.rule_id}.`);
      return 0;
    }),
};

export const remindersChange: Command = {
  name: "reminders change",
  summary: "Change the given fields of a rule. People who were already called are not called again.",
  positionals: ["RULE_ID"],
  options: RULE_OPTIONS,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const [id = ""] = args.positionals;
      const input = ruleInput(args);
      if (Object.keys(input).length === 0) throw new UsageError("Give at least one field to change.");
      await services.reminderRules.update(organisationId, id, input, CLI_ACTOR);
      if (args.flag("json")) printJson(await ruleOf(services.reminderRules, organisationId, id));
      else print(`Changed ${id}.`);
      return 0;
    }),
};

export const remindersRemove: Command = {
  name: "reminders remove",
  summary: "Remove a rule and its pending reminders.",
  positionals: ["RULE_ID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      await services.reminderRules.remove(await organisationOf(args, services), id, CLI_ACTOR);
      print(`Removed ${id}.`);
      return 0;
    }),
};

async function ruleOf(
  rules: { list(organisationId: string): Promise<RuleView[]> },
  organisationId: string,
  id: string,
): Promise<RuleView | undefined> {
  return (await rules.list(organisationId)).find(({ rule_id }) => rule_id === id);
}

const whenOf = ({ timing, days_before, at, hours_before }: RuleView) =>
  timing === "day_before" ? `${days_before} days before at ${at}` : `${hours_before} hours before`;

function ruleInput(args: Arguments): RuleInput {
  const input: Record<string, unknown> = {};
  const set = (option: string, field: keyof RuleInput, valueOf: (text: string) => unknown = (text) => text) => {
    const text = args.text(option);
    if (text !== undefined) input[field] = valueOf(text);
  };
  const whole = (option: string, field: keyof RuleInput) => set(option, field, (text) => wholeNumber(option, text));
  set("agent", "agent_id");
  set("branch", "branch_id", orAll);
  set("service", "appointment_type_id", orAll);
  Object.assign(input, timingOf(args));
  whole("days-before", "days_before");
  whole("hours-before", "hours_before");
  set("at", "at");
  set("call-from", "call_from");
  set("call-to", "call_to");
  whole("tries", "tries");
  whole("retry-minutes", "retry_minutes");
  whole("settle-hours", "settle_hours");
  set("confirmed-too", "skip_confirmed", (text) => !yesOrNo("confirmed-too", text));
  set("placeholders", "placeholders", (text) => pairsOf("placeholders", text).map(sourceOf));
  set("enabled", "enabled", (text) => yesOrNo("enabled", text));
  if (inputSchema().Check(input)) return input;
  const [fault] = fieldFaults(inputSchema().Errors(input));
  throw new AppError("VALIDATION_ERROR", fault?.message ?? "The rule is not valid.");
}

function timingOf(args: Arguments): Pick<RuleInput, "timing"> {
  const isByHours = args.text("hours-before") !== undefined;
  const isByDays = args.text("days-before") !== undefined || args.text("at") !== undefined;
  if (isByHours && isByDays) throw new UsageError("Give either --hours-before, or --days-before and --at.");
  if (isByHours) return { timing: "hours_before" };
  return isByDays ? { timing: "day_before" } : {};
}

const orAll = (text: string) => (text === "all" ? null : text);

function sourceOf([placeholder, named]: [string, string]): PlaceholderSource {
  if (named.startsWith("text:")) return { placeholder, source: "text", text: named.slice("text:".length) };
  const source = SOURCES.find((each) => each === named && each !== "text");
  if (!source) throw new UsageError(`--placeholders: ${named} is none of ${SOURCES.join(", ")} (text as text:WORDS).`);
  return { placeholder, source };
}
