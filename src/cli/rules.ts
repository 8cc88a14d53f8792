// ringward rules list | set | reset: the legal rules of calls, and an organisation's changes to them.
import { CLI_ACTOR } from "../core/actor.ts";
import { valueFaults } from "../rules/book/book-file.ts";
import { ruleBook } from "../rules/book/embedded-books.ts";
import { UsageError, type Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const rulesList: Command = {
  name: "rules list",
  summary: "List the legal rules of calls by country, with this organisation's changes. They are not legal advice.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const { ruleChanges } = services;
      const organisationId = await organisationOf(args, services);
      const view = await ruleChanges.view(organisationId);
      if (args.flag("json")) {
        printJson(view);
        return 0;
      }
      const rows = view.data.flatMap(({ rules }) => rules);
      printTable(
        ["rule", "purposes", "states", "with", "value", "changed"],
        rows.map((rule) => [
          rule.rule_id,
          rule.purposes.length === 3 ? "all" : rule.purposes.join(","),
          rule.states?.join(",") ?? "all",
          rule.given ?? "",
          shown(rule.value),
          rule.change === null ? "" : rule.change.is_looser ? `looser: ${rule.change.reason ?? ""}` : "stricter",
        ]),
      );
      return 0;
    }),
};

export const rulesSet: Command = {
  name: "rules set",
  summary: "Change a rule: 09:00-19:00/1,2,3,4,5 for hours, a number or unlimited, dates, or a word.",
  positionals: ["RULE", "VALUE"],
  options: {
    ...ORG_OPTION,
    reason: { type: "string", value: "TEXT", help: "Why; needed if the value is looser than the rule." },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [ruleId = "", text = ""] = args.positionals;
      const value = valueOf(ruleId, text);
      const given = { ruleId, value, reason: args.text("reason") };
      const { is_looser } = await services.ruleChanges.set(await organisationOf(args, services), given, CLI_ACTOR);
      print(is_looser ? "Loosened. The reason is recorded." : "Tightened.");
      return 0;
    }),
};

export const rulesReset: Command = {
  name: "rules reset",
  summary: "Withdraw this organisation's change of a rule.",
  positionals: ["RULE"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [ruleId = ""] = args.positionals;
      await services.ruleChanges.reset(await organisationOf(args, services), ruleId, CLI_ACTOR);
      print("Reset. The rule of the book counts again.");
      return 0;
    }),
};

const HOURS = /^(\d\d:\d\d)-(\d\d:\d\d)(?:\/([0-6](?:,[0-6])*))?$/;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** The value that the text stands for, by the setting of the rule. */
export function valueOf(ruleId: string, text: string): unknown {
  const setting = ruleBook().rule(ruleId)?.setting;
  if (setting === "hours") {
    const [, start, end, days] = HOURS.exec(text) ?? [];
    if (start === undefined)
      throw new UsageError("Hours are written as 09:00-19:00, or with days, 0 is Sunday: 09:00-19:00/1,2,3,4,5.");
    return { start, end, days: days?.split(",").map(Number) ?? EVERY_DAY };
  }
  if (setting === "days_off") return text === "none" ? [] : text.split(",").map((day) => day.trim());
  if ((setting === "per_day" || setting === "per_week") && valueFaults(setting, text).length > 0) return Number(text);
  return text;
}

function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.length > 5 ? `${value.length} dates` : value.join(",");
  if (typeof value !== "object" || value === null) return String(value);
  const { start, end, days } = value as { start: string; end: string; days: number[] };
  return `${start}-${end}${days.length === 7 ? "" : `/${days.join(",")}`}`;
}
