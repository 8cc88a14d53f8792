// Active filters as short texts, each with the change that removes it.
import { formatDate } from "../../format.ts";
import { said } from "../../words.ts";
import { stateText } from "./call-words.ts";
import type { CallFilters } from "./filters.ts";

const words = said.calls.filterBar;
const more = said.callWork.filters;

export interface FilterNames {
  agents: readonly { agent_id: string; name: string }[];
  campaigns: readonly { campaign_id: string; name: string }[];
}

export interface Chip {
  text: string;
  without: Partial<CallFilters>;
}

/** The search text has its own field and is no chip. */
export function chipsOf(filters: CallFilters, { agents, campaigns }: FilterNames): Chip[] {
  const { status, outcome, agent_id, campaign_id, planned } = filters;
  const agent = agents.find((each) => each.agent_id === agent_id)?.name;
  const campaign = campaigns.find((each) => each.campaign_id === campaign_id)?.name;
  const chip = (label: string, value: string | undefined, without: Partial<CallFilters>): Chip[] =>
    value === undefined ? [] : [{ text: `${label}: ${value}`, without }];
  const given = (value: string, text: string | undefined) => (value === "" ? undefined : (text ?? value));
  const day = (value: string) => (value === "" ? undefined : formatDate(value));
  return [
    ...chip(words.status, given(status, stateText(status)), { status: "" }),
    ...chip(more.outcome, given(outcome, more.outcomes[outcome]), { outcome: "" }),
    ...chip(words.agent, given(agent_id, agent), { agent_id: "" }),
    ...chip(more.campaign, given(campaign_id, campaign), { campaign_id: "" }),
    ...(planned === "days"
      ? [
          ...chip(more.plannedFrom, day(filters.planned_from), { planned_from: "" }),
          ...chip(more.plannedTo, day(filters.planned_to), { planned_to: "" }),
        ]
      : chip(more.planned, plannedText(planned), { planned: "" })),
    ...chip(words.from, day(filters.from), { from: "" }),
    ...chip(words.to, day(filters.to), { to: "" }),
  ];
}

const plannedText = (planned: string): string | undefined =>
  planned === "today" || planned === "tomorrow" || planned === "week" ? more[planned] : undefined;
