// Checkboxes for a list, each with its name as code and a description.
import { useId } from "preact/hooks";
import { Button } from "./parts.tsx";
import { said } from "../words.ts";

const words = said.developers.choices;

export interface ChoicesProps {
  legend: string;
  options: readonly (readonly [value: string, meaning: string])[];
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
  error?: string | undefined;
}

export function Choices({ legend, options, chosen, onChosen, error }: ChoicesProps) {
  const id = useId();
  const isAll = options.length > 0 && options.every(([value]) => chosen.includes(value));
  const toggle = (value: string, isOn: boolean) =>
    onChosen(isOn ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset class="choices" aria-describedby={error ? id : undefined}>
      <legend>{legend}</legend>
      <div class="choices-all">
        <Button
          kind="quiet"
          onClick={() => onChosen(isAll ? [] : options.map(([value]) => value))}
          aria-label={`${legend}: ${isAll ? words.none : words.all}`}
          label={isAll ? words.none : words.all}
        />
      </div>
      {options.map(([value, meaning]) => (
        <label key={value} class="checkbox">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span>
            <code>{value}</code> <span class="note">{meaning}</span>
          </span>
        </label>
      ))}
      {error && (
        <p class="choices-error" id={id} role="alert">
          {chosen.length === 0 ? words.chooseOne : error}
        </p>
      )}
    </fieldset>
  );
}
