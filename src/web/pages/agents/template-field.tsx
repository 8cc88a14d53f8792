// A text with {{placeholders}}, marked while it is typed. The marked copy lies behind the transparent field and gives it
// its height, so the two never scroll apart.
import { Field } from "../../components/parts.tsx";
import { piecesOf } from "./agent-form.ts";

export interface TemplateFieldProps {
  label: string;
  hint: string;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  maxLength: number;
  disabled?: boolean;
  tall?: boolean;
}

export function TemplateField({
  label,
  hint,
  error,
  value,
  onValue,
  maxLength,
  disabled = false,
  tall = false,
}: TemplateFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, note) => (
        <div class={`template-box ${tall ? "tall" : ""}`}>
          <div class="template-marks" aria-hidden="true">
            {piecesOf(value).map(({ text, isPlaceholder }, index) =>
              isPlaceholder ? <mark key={index}>{text}</mark> : text,
            )}
            {/* A last line break opens a line only where something follows it. */}
            {"\u200b"}
          </div>
          <textarea
            id={id}
            aria-describedby={note}
            aria-invalid={Boolean(error)}
            maxLength={maxLength}
            disabled={disabled}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}
