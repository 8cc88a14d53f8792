// Analysis fields of an agent: named and typed values to extract from every call.
import { FIELD_TYPES, newField } from "./agent-form.ts";
import type { RulesProps } from "./agent-rules.tsx";
import { RowList } from "./row-list.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentFields;

const MOST_FIELDS = 20;

export function AnalysisFields({ form, set, fields, disabled }: RulesProps) {
  return (
    <RowList
      words={{ ...words, note: `${words.note} ${words.needsModel}` }}
      rows={form.analysisFields}
      most={MOST_FIELDS}
      onRows={(analysisFields) => set({ analysisFields })}
      fresh={newField}
      field="analysis_fields"
      faults={fields}
      disabled={disabled}
    >
      {(field, index, at) => ({
        legend: words.fieldOf(field.name, index),
        name: field.name,
        fields: (
          <>
            <TextField
              label={words.name}
              hint={index === 0 ? words.nameHint : undefined}
              required
              maxLength={40}
              {...at("name")}
            />
            <SelectField
              label={words.type}
              options={FIELD_TYPES.map((type) => [type, words.types[type]] as const)}
              {...at("type")}
            />
            <TextField label={words.description} maxLength={300} {...at("description")} />
          </>
        ),
        more: field.type === "choice" && (
          <TextField label={words.choices} hint={words.choicesHint} required maxLength={1_300} {...at("choices")} />
        ),
      })}
    </RowList>
  );
}
