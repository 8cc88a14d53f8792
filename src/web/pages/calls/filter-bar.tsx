// The filters above the list. Typing waits for a pause before it asks.
import { useEffect, useState } from "preact/hooks";
import { Button, SelectField, TextField } from "../../components/parts.tsx";
import { stateText } from "./call-words.ts";
import { addressOf, isNarrowed, NO_FILTERS, type CallFilters } from "./filters.ts";
import { said } from "../../words.ts";

const words = said.calls.filterBar;

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
  onChange: (filters: CallFilters) => void;
}

export function FilterBar({ filters, agents, onChange }: FilterBarProps) {
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
      <SelectField
        label={words.status}
        value={filters.status}
        onValue={(status) => set({ status })}
        options={[["", words.anyStatus], ...STATES.map((state) => [state, stateText(state)] as const)]}
      />
      <SelectField
        label={words.agent}
        value={filters.agent_id}
        onValue={(agent_id) => set({ agent_id })}
        options={[["", words.anyAgent], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
      />
      <TextField
        label={words.from}
        type="date"
        {...(filters.to && { max: filters.to })}
        value={filters.from}
        onValue={(from) => set({ from })}
      />
      <TextField
        label={words.to}
        type="date"
        {...(filters.from && { min: filters.from })}
        value={filters.to}
        onValue={(to) => set({ to })}
      />
      <Button
        disabled={!isNarrowed(filters) && typed === ""}
        onClick={() => {
          setTyped("");
          onChange(NO_FILTERS);
        }}
      >
        {words.clear}
      </Button>
    </form>
  );
}
