// Search and filters above the list. The filters open with a button; active ones are chips. Typing is debounced.
import { useEffect, useId, useState } from "preact/hooks";
import { formatNumber } from "../../format.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Button } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { stateText } from "./call-words.ts";
import { chipsOf, type FilterNames } from "./chips.ts";
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

interface FilterBarProps extends FilterNames {
  filters: CallFilters;
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

  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const set = (part: Partial<CallFilters>) => onChange({ ...filters, search: typed, ...part });
  const chips = chipsOf(filters, { agents, campaigns });
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
      <div class="filter-line">
        <TextField
          label={words.search}
          type="search"
          autoComplete="off"
          maxLength={100}
          placeholder={words.search}
          value={typed}
          onValue={setTyped}
        />
        <Button
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpen(!isOpen)}
          label={chips.length === 0 ? words.filters : words.filtersSet(formatNumber(chips.length))}
        />
        {(isNarrowed(filters) || typed !== "") && (
          <Button
            kind="quiet"
            onClick={() => {
              setTyped("");
              onChange(NO_FILTERS);
            }}
            label={words.clear}
          />
        )}
      </div>
      {chips.length > 0 && (
        <ul class="chips" aria-label={words.active}>
          {chips.map(({ text, without }) => (
            <li key={text}>
              {text}
              <button type="button" aria-label={words.remove(text)} onClick={() => set(without)}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div id={panel} class="filter-panel" hidden={!isOpen}>
        <Choices filters={filters} agents={agents} campaigns={campaigns} set={set} />
      </div>
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
      {filters.planned === "days" && (
        <Days labels={[more.plannedFrom, more.plannedTo]} from={at("planned_from")} to={at("planned_to")} />
      )}
      <Days labels={[words.from, words.to]} from={at("from")} to={at("to")} />
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
