// Editor of the allowed prefixes: each has a button to remove it, and a field below adds one.
import { useId, useRef } from "preact/hooks";
import { Button } from "../../kit/parts.tsx";
import { withPrefix } from "./trunk-form.ts";
import { said } from "../../words.ts";

const words = said.trunks.prefixList;

export interface PrefixListProps {
  prefixes: readonly string[];
  typed: string;
  onChange: (change: { prefixes?: readonly string[]; typedPrefix: string }) => void;
  error: string | undefined;
}

export function PrefixList({ prefixes, typed, onChange, error }: PrefixListProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const add = () => {
    onChange({ prefixes: withPrefix(prefixes, typed), typedPrefix: "" });
    field.current?.focus();
  };
  const isOpenToAll = prefixes.length === 0 && typed.trim() === "";
  return (
    <fieldset class="prefixes" aria-describedby={`${id}-note`}>
      <legend>{words.legend}</legend>
      {prefixes.length > 0 && (
        <ul class="chips">
          {prefixes.map((prefix) => (
            <li key={prefix}>
              <span>{prefix} …</span>
              <button
                type="button"
                aria-label={words.remove(prefix)}
                onClick={() => {
                  onChange({ prefixes: prefixes.filter((other) => other !== prefix), typedPrefix: typed });
                  // The button disappears with its prefix; the focus must stay in the dialog.
                  field.current?.focus();
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="prefix-new">
        <label for={id}>{words.typed}</label>
        <input
          ref={field}
          id={id}
          type="tel"
          maxLength={20}
          placeholder="+91"
          value={typed}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          onInput={(event) => onChange({ typedPrefix: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || typed.trim() === "") return;
            // Enter adds the prefix and does not submit the form.
            event.preventDefault();
            add();
          }}
        />
        <Button disabled={typed.trim() === ""} onClick={add} label={words.add} />
      </div>
      <p
        class={`note ${error ? "bad" : isOpenToAll ? "warn" : ""}`}
        id={`${id}-note`}
        role={error ? "alert" : undefined}
      >
        {error ?? (isOpenToAll ? words.everyNumber : words.hint)}
      </p>
    </fieldset>
  );
}
