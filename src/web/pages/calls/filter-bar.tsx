// Filters above the list. Typing is debounced.
import { useEffect, useState } from "preact/hooks";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Button } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { stateText } from "./call-words.ts";
import { addressOf, isNarrowed, NO_FILTERS, PLANNED, type CallFilters } from "./filters.ts";
import { said } from "../../words.ts";

const words = said.calls.filterBar;
const more = said.callWork.filters;

const STATES = [
  "scheduled",
  "queued",
  "initiated",
  "ringing",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
  "disallowed",
];
const TYPING_PAUSE_MS = 300;

interface FilterBarProps {
  filters: CallFilters;
  agents: readonly { agent_id: string; name: string }[];
  campaigns: readonly { campaign_id: string; name: string }[];
  onChange: (filters: CallFilters) => void;
}

export function FilterBar({ filters, agents, campaigns, onChange }: FilterBarProps) {
  const [typed, setTyped] = useState(filters.search);
  useEffect(() => setTyped(filters.search), [filters.search]);
  useEffect(() => {
    if (typed === filters.search) return undefined;
    const timer = setTimeout(() => onChange({ ...filters, search: typed }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, addressOf(filters)]);

  const set = (part: Partial<CallFilters>) => onChange({ ...filters, search: typed, ...part });
  const { at } = fieldsOf(filters, set);
  return (
    <form
      class="filters calls-filters"
      role="search"
      aria-label={words.label}
      onSubmit={(event) => {
        event.preventDefault();
        set({});
      }}
    >
      <TextField
        label={words.search}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onValue={setTyped}
      />
      <Choices filters={filters} agents={agents} campaigns={campaigns} set={set} />
      {filters.planned === "days" && (
        <Days labels={[more.plannedFrom, more.plannedTo]} from={at("planned_from")} to={at("planned_to")} />
      )}
      <Days labels={[words.from, words.to]} from={at("from")} to={at("to")} />
      <Button
        disabled={!isNarrowed(filters) && typed === ""}
        onClick={() => {
          setTyped("");
          onChange(NO_FILTERS);
        }}
        label={words.clear}
      />
    </form>
  );
}

interface ChoicesProps extends Omit<FilterBarProps, "onChange"> {
  set: (part: Partial<CallFilters>) => void;
}

function Choices({ filters, agents, campaigns, set }: ChoicesProps) {
  const { at } = fieldsOf(filters, set);
  return (
    <>
      <SelectField
        label={words.status}
        {...at("status")}
        options={[["", words.anyStatus], ...STATES.map((state) => [state, stateText(state)] as const)]}
      />
      <SelectField
        label={more.outcome}
        {...at("outcome")}
        options={[["", more.anyOutcome], ...Object.entries(more.outcomes)]}
      />
      <SelectField
        label={words.agent}
        {...at("agent_id")}
        options={[["", words.anyAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
      />
      {(campaigns.length > 0 || filters.campaign_id !== "") && (
        <SelectField
          label={more.campaign}
          {...at("campaign_id")}
          options={[["", more.anyCampaign], ...campaigns.map(({ campaign_id, name }) => [campaign_id, name] as const)]}
        />
      )}
      <SelectField
        label={more.planned}
        value={filters.planned}
        onValue={(planned) => set({ planned, planned_from: "", planned_to: "" })}
        options={[["", more.anyTime], ...PLANNED.map((choice) => [choice, more[choice]] as const)]}
      />
    </>
  );
}

interface Day {
  value: string;
  onValue: (day: string) => void;
}

function Days({ labels, from, to }: { labels: readonly [from: string, to: string]; from: Day; to: Day }) {
  return (
    <>
      <TextField label={labels[0]} type="date" {...(to.value && { max: to.value })} {...from} />
      <TextField label={labels[1]} type="date" {...(from.value && { min: from.value })} {...to} />
    </>
  );
}
