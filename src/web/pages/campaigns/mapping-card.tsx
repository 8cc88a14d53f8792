// Mapping of columns to fields: the guess, editable.
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { Card } from "../../kit/parts.tsx";
import { said } from "../../words.ts";
import type { Choices, ListView } from "./asked-list.ts";

const words = said.campaigns.make;

/** Columns of nearly every list, and rare ones. */
const USUAL = [
  ["number", words.number],
  ["name", words.personName],
] as const;
const RARE = [
  ["email", words.email],
  ["language", words.language],
  ["time_zone", words.timeZone],
  ["region", words.region],
] as const;

/** Systems of identifiers that hospitals' lists have. */
const SYSTEMS = [
  ["mrn", words.mrn],
  ["abha", words.abha],
  ["abha_address", words.abhaAddress],
] as const;

interface MappingProps {
  view: ListView;
  choices: Choices;
  onChoices: (choices: Choices) => void;
}

export function MappingCard({ view, choices, onChoices }: MappingProps) {
  const { mapping } = view;
  const columns = view.columns.map(({ heading, letter, examples }, index) => {
    const text = heading === "" ? words.column(letter, examples[0] ?? "") : heading;
    return [String(index), text] as const;
  });
  const options = [["", words.noColumn] as const, ...columns];
  const chosen = (text: string) => (text === "" ? null : Number(text));
  const example = (column: number | null | undefined) =>
    column === null || column === undefined ? "" : (view.columns[column]?.examples.slice(0, 2).join(" · ") ?? "");
  const setHeadings = (has_headings: boolean) => {
    // Other headings need a new guess.
    const { mapping: _, ...kept } = choices;
    onChoices({ ...kept, has_headings });
  };
  const setInfo = (placeholder: string, column: number | null) => {
    const { [placeholder]: _, ...others } = mapping.info;
    const info = column === null ? others : { ...others, [placeholder]: column };
    onChoices({ ...choices, mapping: { ...mapping, info } });
  };
  const setSystem = (system: string, column: number | null) => {
    const { [system]: _, ...others } = mapping.identifiers ?? {};
    const identifiers = column === null ? others : { ...others, [system]: column };
    onChoices({ ...choices, mapping: { ...mapping, identifiers } });
  };
  const columnField = ([field, label]: (typeof USUAL | typeof RARE)[number]) => (
    <SelectField
      key={field}
      label={label}
      hint={example(mapping[field])}
      value={mapping[field] === null ? "" : String(mapping[field])}
      onValue={(text) => onChoices({ ...choices, mapping: { ...mapping, [field]: chosen(text) } })}
      options={options}
    />
  );
  return (
    <Card title={words.columns}>
      <p class="note">{words.columnsNote}</p>
      <div class="form">
        {USUAL.map(columnField)}
        {view.placeholders.map((placeholder) => (
          <SelectField
            key={placeholder}
            label={`{{${placeholder}}}`}
            hint={example(mapping.info[placeholder])}
            value={String(mapping.info[placeholder] ?? "")}
            onValue={(text) => setInfo(placeholder, chosen(text))}
            options={options}
          />
        ))}
        {RARE.map(columnField)}
        {SYSTEMS.map(([system, label]) => (
          <SelectField
            key={system}
            label={label}
            hint={example(mapping.identifiers?.[system])}
            value={String(mapping.identifiers?.[system] ?? "")}
            onValue={(text) => setSystem(system, chosen(text))}
            options={options}
          />
        ))}
        <SelectField
          label={words.country}
          value={view.country ?? ""}
          onValue={(text) => onChoices({ ...choices, country: text === "IN" || text === "US" ? text : null })}
          options={[
            ["IN", words.countries.IN],
            ["US", words.countries.US],
            ["", words.countries.none],
          ]}
        />
      </div>
      <CheckBox label={words.headings} checked={view.has_headings} onChecked={setHeadings} />
    </Card>
  );
}
