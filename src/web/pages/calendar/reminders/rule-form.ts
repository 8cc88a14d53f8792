// Form values of a reminder rule, and the sentence that describes it.
import type { ReminderAgent } from "../../../../reminders/rule-service.ts";
import type { Rule, RuleView } from "../../../../reminders/model.ts";
import { branchName, serviceName, type Directory } from "../calendar-context.ts";
import { words } from "./words.ts";

export type SourceName = keyof typeof words.sources;

export interface PlaceholderDraft {
  placeholder: string;
  source: SourceName;
  text: string;
}

/** Numbers are strings, as typed. */
export interface RuleDraft {
  branch: string;
  service: string;
  agent: string;
  timing: Rule["timing"];
  daysBefore: string;
  at: string;
  hoursBefore: string;
  callFrom: string;
  callTo: string;
  tries: string;
  retryMinutes: string;
  settleHours: string;
  skipConfirmed: boolean;
  enabled: boolean;
  placeholders: PlaceholderDraft[];
}

export function draftOf(rule: RuleView | null, agents: readonly ReminderAgent[], branchId: string | null): RuleDraft {
  const agent = agents.find(({ agent_id }) => agent_id === rule?.agent_id) ?? firstAgent(agents);
  return {
    branch: rule ? (rule.branch_id ?? "") : (branchId ?? ""),
    service: rule?.appointment_type_id ?? "",
    agent: agent?.agent_id ?? "",
    timing: rule?.timing ?? "day_before",
    daysBefore: String(rule?.days_before ?? 1),
    at: rule?.at ?? "10:00",
    hoursBefore: String(rule?.hours_before ?? 24),
    callFrom: rule?.call_from ?? "09:00",
    callTo: rule?.call_to ?? "20:00",
    tries: String(rule?.tries ?? 3),
    retryMinutes: String(rule?.retry_minutes ?? 60),
    settleHours: String(rule?.settle_hours ?? 6),
    skipConfirmed: rule?.skip_confirmed ?? true,
    enabled: rule?.enabled ?? true,
    placeholders: placeholdersOf(agent, rule),
  };
}

export function firstAgent(agents: readonly ReminderAgent[]): ReminderAgent | undefined {
  return agents.find(({ has_number }) => has_number) ?? agents[0];
}

/** Open placeholders of the agent's text, with the rule's value or the usual meaning of the name. */
export function placeholdersOf(agent: ReminderAgent | undefined, rule: RuleView | null): PlaceholderDraft[] {
  return (agent?.placeholders ?? []).map(({ placeholder, usual }) => {
    const kept = rule?.agent_id === agent?.agent_id ? rule?.placeholders : undefined;
    const own = kept?.find((each) => each.placeholder === placeholder);
    const source = kept ? (own?.source ?? "") : (usual ?? "");
    return { placeholder, source, text: own?.text ?? "" };
  });
}

export function ruleOf(draft: RuleDraft): Rule {
  return {
    branch_id: draft.branch === "" ? null : draft.branch,
    appointment_type_id: draft.service === "" ? null : draft.service,
    agent_id: draft.agent,
    timing: draft.timing,
    days_before: Number(draft.daysBefore),
    at: draft.at,
    hours_before: Number(draft.hoursBefore),
    call_from: draft.callFrom,
    call_to: draft.callTo,
    tries: Number(draft.tries),
    retry_minutes: Number(draft.retryMinutes),
    settle_hours: Number(draft.settleHours),
    skip_confirmed: draft.skipConfirmed,
    enabled: draft.enabled,
    placeholders: draft.placeholders.flatMap(({ placeholder, source, text }) => {
      if (source === "") return [];
      return [{ placeholder, source, ...(source === "text" ? { text } : {}) }];
    }),
  };
}

type Said = Pick<
  Rule,
  "branch_id" | "appointment_type_id" | "timing" | "days_before" | "at" | "hours_before" | "tries"
> & { agent_name: string };

/** "Every patient of Cardiology at Main is called at 10:00 the day before by Asha, up to 3 times." */
export function ruleSentence(rule: Said, directory: Directory): string {
  const branch = directory.branches.find(({ branch_id }) => branch_id === rule.branch_id);
  const patients =
    rule.appointment_type_id === null
      ? words.everybody
      : words.ofService(serviceName(directory.services, rule.appointment_type_id));
  const who = patients + (branch ? words.atBranch(branchName(branch)) : "");
  const when =
    rule.timing === "day_before" ? words.dayBefore(rule.at, rule.days_before) : words.hoursBefore(rule.hours_before);
  return words.isCalled(who, when, rule.agent_name === "" ? words.noAgent : rule.agent_name, rule.tries);
}
