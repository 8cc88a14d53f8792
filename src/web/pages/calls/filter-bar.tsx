// The filters above the list. Typing waits for a pause before it asks.
import { useEffect, useState } from "preact/hooks";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Button } from "../../kit/parts.tsx";
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
        <Days
          labels={[more.plannedFrom, more.plannedTo]}
          from={filters.planned_from}
          to={filters.planned_to}
          onFrom={(planned_from) => set({ planned_from })}
          onTo={(planned_to) => set({ planned_to })}
        />
      )}
      <Days
        labels={[words.from, words.to]}
        from={filters.from}
        to={filters.to}
        onFrom={(from) => set({ from })}
        onTo={(to) => set({ to })}
      />
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
  return (
    <>
      <SelectField
        label={words.status}
        value={filters.status}
        onValue={(status) => set({ status })}
        options={[["", words.anyStatus], ...STATES.map((state) => [state, stateText(state)] as const)]}
      />
      <SelectField
        label={more.outcome}
        value={filters.outcome}
        onValue={(outcome) => set({ outcome })}
        options={[["", more.anyOutcome], ...Object.entries(more.outcomes)]}
      />
      <SelectField
        label={words.agent}
        value={filters.agent_id}
        onValue={(agent_id) => set({ agent_id })}
        options={[["", words.anyAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
      />
      {(campaigns.length > 0 || filters.campaign_id !== "") && (
        <SelectField
          label={more.campaign}
          value={filters.campaign_id}
          onValue={(campaign_id) => set({ campaign_id })}
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

interface DaysProps {
  labels: readonly [from: string, to: string];
  from: string;
  to: string;
  onFrom: (day: string) => void;
  onTo: (day: string) => void;
}

function Days({ labels, from, to, onFrom, onTo }: DaysProps) {
  return (
    <>
      <TextField label={labels[0]} type="date" {...(to && { max: to })} value={from} onValue={onFrom} />
      <TextField label={labels[1]} type="date" {...(from && { min: from })} value={to} onValue={onTo} />
    </>
  );
}
