// What is wanted to be known from every call: named fields with a type.
import { FIELD_TYPES, newField, type FieldForm } from "./agent-form.ts";
import type { RulesProps } from "./agent-rules.tsx";
import { Button, Card, Problem, SelectField, TextField } from "../../components/parts.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentFields;

const MOST_FIELDS = 20;

export function AnalysisFields({ form, set, fields, disabled }: RulesProps) {
  const list = form.analysisFields;
  const change = (key: number, values: Partial<FieldForm>) =>
    set({ analysisFields: list.map((field) => (field.key === key ? { ...field, ...values } : field)) });
  return (
    <Card
      title={words.title}
      actions={
        !disabled && (
          <Button
            disabled={list.length >= MOST_FIELDS}
            onClick={() => set({ analysisFields: [...list, newField(list)] })}
          >
            {words.add}
          </Button>
        )
      }
    >
      <p class="note">
        {words.note} {words.needsModel}
      </p>
      {faultOf(fields) !== undefined && <Problem text={faultOf(fields) ?? ""} />}
      {list.length === 0 ? (
        <p class="note">{words.none}</p>
      ) : (
        <ul class="rows">
          {list.map((field, index) => (
            <li key={field.key}>
              <FieldRow
                field={field}
                index={index}
                disabled={disabled}
                onChange={(values) => change(field.key, values)}
                onRemove={() => set({ analysisFields: list.filter(({ key }) => key !== field.key) })}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The server names the field as deep as the fault lies. */
function faultOf(fields: Record<string, string>): string | undefined {
  return Object.entries(fields).find(([field]) => field.startsWith("analysis_fields"))?.[1];
}

interface FieldRowProps {
  field: FieldForm;
  index: number;
  disabled: boolean;
  onChange: (values: Partial<FieldForm>) => void;
  onRemove: () => void;
}

function FieldRow({ field, index, disabled, onChange, onRemove }: FieldRowProps) {
  return (
    <fieldset class="analysis-field" disabled={disabled}>
      <legend class="visually-hidden">{words.fieldOf(field.name, index)}</legend>
      <TextField
        label={words.name}
        {...(index === 0 ? { hint: words.nameHint } : {})}
        required
        maxLength={40}
        value={field.name}
        onValue={(name) => onChange({ name })}
      />
      <SelectField
        label={words.type}
        value={field.type}
        onValue={(type) => onChange({ type })}
        options={FIELD_TYPES.map((type) => [type, words.types[type]] as const)}
      />
      <TextField
        label={words.description}
        maxLength={300}
        value={field.description}
        onValue={(description) => onChange({ description })}
      />
      {!disabled && (
        <Button kind="quiet" onClick={onRemove}>
          {words.remove} <span class="visually-hidden">{field.name}</span>
        </Button>
      )}
      {field.type === "choice" && (
        <TextField
          label={words.choices}
          hint={words.choicesHint}
          required
          maxLength={1_300}
          value={field.choices}
          onValue={(choices) => onChange({ choices })}
        />
      )}
    </fieldset>
  );
}
