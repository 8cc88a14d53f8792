// One of a few, said in words: radio buttons in a row.

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  options: readonly (readonly [value: T, text: string])[];
  value: T;
  onValue: (value: T) => void;
}

export function Choice<T extends string>({ legend, name, options, value, onValue }: ChoiceProps<T>) {
  return (
    <fieldset class="campaign-choice">
      <legend class="label">{legend}</legend>
      <div class="when-choices">
        {options.map(([option, text]) => (
          <label key={option} class="checkbox">
            <input type="radio" name={name} checked={value === option} onChange={() => onValue(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
