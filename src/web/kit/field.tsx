// Fields of a form: a label, the input, and below it a hint or the error.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { plainFault } from "../plain-fault.ts";

export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  children: (id: string, describedBy: string) => ComponentChildren;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div class={`field ${error ? "wrong" : ""}`}>
      <label for={id}>{label}</label>
      {children(id, noteId)}
      <p class="note" id={noteId} role={error ? "alert" : undefined}>
        {error === undefined ? (hint ?? "") : plainFault(error)}
      </p>
    </div>
  );
}

interface FieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
}

interface TextFieldProps extends FieldProps {
  type?: "text" | "email" | "password" | "number" | "date" | "time" | "datetime-local" | "search" | "tel" | "url";
  required?: boolean;
  disabled?: boolean;
  autoComplete?: "username" | "current-password" | "new-password" | "name" | "off";
  placeholder?: string;
  minLength?: number;
  maxLength?: number;
  min?: string | number;
  max?: string | number;
  step?: "any";
  /** Suggestions, by the id of a datalist. */
  list?: string;
}

export function TextField({ label, hint, error, value, onValue, type = "text", ...rest }: TextFieldProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, note) => (
        <input
          {...({ ...rest, type } as object)}
          id={id}
          aria-describedby={note}
          aria-invalid={Boolean(error)}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  options: readonly (readonly [value: string, text: string])[];
  disabled?: boolean;
  required?: boolean;
}

export function SelectField({ label, hint, error, value, onValue, options, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, note) => (
        <select
          {...rest}
          id={id}
          aria-describedby={note}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
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

export function TextArea({
  label,
  hint,
  error,
  value,
  onValue,
  rows = 6,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  rows?: number;
}) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, note) => (
        <textarea
          id={id}
          rows={rows}
          aria-describedby={note}
          aria-invalid={Boolean(error)}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function CheckBox({
  label,
  checked,
  onChecked,
  disabled = false,
}: {
  label: string;
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
