// Form fields: a label, the input, and below it a hint or the error.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { plainFault } from "../plain-fault.ts";

interface LabelProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

interface FieldFrameProps extends LabelProps {
  children: (id: string, describedBy: string) => ComponentChildren;
}

export function Field({ label, hint = "", error, children }: FieldFrameProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div class={`field ${error ? "wrong" : ""}`}>
      <label for={id}>{label}</label>
      {children(id, noteId)}
      <p class="note" id={noteId} role={error ? "alert" : undefined}>
        {error === undefined ? hint : plainFault(error)}
      </p>
    </div>
  );
}

interface FieldProps extends LabelProps {
  value: string;
  onValue: (value: string) => unknown;
  required?: boolean;
  disabled?: boolean;
}

interface TextFieldProps extends FieldProps {
  type?: "text" | "email" | "password" | "number" | "date" | "time" | "datetime-local" | "search" | "tel" | "url";
  autoComplete?: "username" | "current-password" | "new-password" | "name" | "one-time-code" | "off";
  placeholder?: string;
  minLength?: number;
  maxLength?: number;
  min?: string | number;
  max?: string | number;
  step?: "any";
  /** Id of a datalist with suggestions. */
  list?: string;
}

export function TextField({ label, hint, error, value, onValue, type = "text", ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, note) => (
        <input
          {...({ ...rest, type } as object)}
          id={id}
          aria-describedby={note}
          aria-invalid={Boolean(error)}
          value={value}
          onInput={(event) => void onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** `isNew`: for choosing a password, with the minimum length of the API. */
export function PasswordField({ isNew = false, ...field }: FieldProps & { isNew?: boolean }) {
  const kind = isNew
    ? ({ autoComplete: "new-password", minLength: 10 } as const)
    : { autoComplete: "current-password" as const };
  return <TextField type="password" required {...kind} {...field} />;
}

export function NumberField(field: FieldProps & Pick<TextFieldProps, "min" | "max" | "step" | "placeholder">) {
  return <TextField type="number" {...field} />;
}

interface SelectFieldProps extends FieldProps {
  options: readonly (readonly [value: string, text: string])[];
}

export function SelectField({ label, hint, error, value, onValue, options, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, note) => (
        <select
          {...rest}
          id={id}
          aria-describedby={note}
          value={value}
          onChange={(event) => void onValue(event.currentTarget.value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function TextArea({ label, hint, error, value, onValue, ...rest }: FieldProps & { rows?: number }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, note) => (
        <textarea
          rows={6}
          {...rest}
          id={id}
          aria-describedby={note}
          aria-invalid={Boolean(error)}
          value={value}
          onInput={(event) => void onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface FileFieldProps extends LabelProps {
  accept: string;
  required?: boolean;
  onFile: (file: File | null) => void;
}

export function FileField({ label, hint, error, onFile, ...rest }: FileFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, note) => (
        <input
          {...rest}
          id={id}
          type="file"
          aria-describedby={note}
          onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
        />
      )}
    </Field>
  );
}

interface CheckBoxProps {
  label: ComponentChildren;
  checked: boolean;
  onChecked: (checked: boolean) => unknown;
  disabled?: boolean;
}

export function CheckBox({ label, checked, onChecked, disabled = false }: CheckBoxProps) {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => void onChecked(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface CheckBoxesProps<Value> {
  legend: string;
  class?: string;
  options: readonly (readonly [value: Value, label: ComponentChildren])[];
  chosen: readonly Value[];
  onChosen: (chosen: Value[]) => void;
  disabled?: boolean;
  /** Above the boxes. */
  before?: ComponentChildren;
  /** Below the boxes. */
  children?: ComponentChildren;
}

/** Checkboxes for several values of a list. */
export function CheckBoxes<Value extends string | number>(props: CheckBoxesProps<Value>) {
  const { legend, options, chosen, onChosen, disabled = false, before, children } = props;
  const withOrWithout = (value: Value, isIn: boolean) => {
    const others = chosen.filter((other) => other !== value);
    return isIn ? [...others, value] : others;
  };
  return (
    <fieldset class={props.class ?? "choices"}>
      <legend>{legend}</legend>
      {before}
      {options.map(([value, label]) => (
        <CheckBox
          key={value}
          label={label}
          disabled={disabled}
          checked={chosen.includes(value)}
          onChecked={(isIn) => onChosen(withOrWithout(value, isIn))}
        />
      ))}
      {children}
    </fieldset>
  );
}

interface RadiosProps<Value> {
  legend: string;
  name: string;
  options: readonly (readonly [value: Value, label: ComponentChildren])[];
  value: Value;
  onValue: (value: Value) => unknown;
  /** Side by side if there is room. */
  isRow?: boolean;
}

/** Radio buttons for one of a few values. */
export function Radios<Value extends string | number>({
  legend,
  name,
  options,
  value,
  onValue,
  isRow,
}: RadiosProps<Value>) {
  const labels = options.map(([option, label]) => (
    <label key={option} class="checkbox">
      <input type="radio" name={name} checked={value === option} onChange={() => void onValue(option)} />
      <span>{label}</span>
    </label>
  ));
  return (
    <fieldset class={isRow ? "choice-row" : "choices"}>
      <legend class={isRow ? "label" : undefined}>{legend}</legend>
      {isRow ? <div>{labels}</div> : labels}
    </fieldset>
  );
}
