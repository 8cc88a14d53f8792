// Text field that highlights and completes {{placeholders}}. The highlighted copy is behind the transparent field and
// sets its height, so the two cannot scroll apart.
import { useId } from "preact/hooks";
import { Field } from "../../kit/field.tsx";
import { piecesOf } from "./agent-form.ts";
import type { Suggestion } from "./placeholder-completion.ts";
import { useCompletion, type CompletionInput } from "./use-completion.ts";
import { said } from "../../words.ts";

const words = said.agents.templateField;

export interface TemplateFieldProps extends CompletionInput {
  label: string;
  hint: string;
  error?: string | undefined;
  disabled?: boolean;
  tall?: boolean;
}

export function TemplateField({ label, hint, error, ...rest }: TemplateFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id, note) => <TemplateText id={id} note={note} isWrong={Boolean(error)} {...rest} />}
    </Field>
  );
}

type TemplateTextProps = Omit<TemplateFieldProps, "label" | "hint" | "error"> & {
  id: string;
  note: string;
  isWrong: boolean;
};

function TemplateText({ id, note, isWrong, disabled = false, tall = false, ...input }: TemplateTextProps) {
  const { found, active, take, refs, handlers } = useCompletion(input);
  const listId = useId();
  const isOpen = found.length > 0;
  return (
    <div class="completing">
      <div class={`template-box ${tall ? "tall" : ""}`}>
        <div class="template-marks" aria-hidden="true" ref={refs.marks}>
          {piecesOf(input.value).map(({ text, isPlaceholder }, index) =>
            isPlaceholder ? <mark key={index}>{text}</mark> : text,
          )}
          {/* A trailing line break creates a new line only if something follows it. */}
          {"\u200b"}
        </div>
        <textarea
          id={id}
          ref={refs.field}
          aria-describedby={note}
          aria-invalid={isWrong}
          aria-autocomplete="list"
          {...(isOpen ? { "aria-controls": listId, "aria-activedescendant": `${listId}-${active}` } : {})}
          maxLength={input.maxLength}
          disabled={disabled}
          value={input.value}
          {...handlers}
        />
      </div>
      {isOpen && (
        <ul class="completions" role="listbox" id={listId} aria-label={words.suggestions} ref={refs.list}>
          {found.map((suggestion, index) => (
            <Choice
              key={suggestion.name}
              id={`${listId}-${index}`}
              suggestion={suggestion}
              isActive={index === active}
              onTake={() => take(suggestion)}
            />
          ))}
        </ul>
      )}
      <span class="visually-hidden" role="status">
        {isOpen ? words.count(found.length) : ""}
      </span>
    </div>
  );
}

interface ChoiceProps {
  id: string;
  suggestion: Suggestion;
  isActive: boolean;
  onTake: () => void;
}

function Choice({ id, suggestion: { name, meaning }, isActive, onTake }: ChoiceProps) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      // Keeps the focus in the field, and the keyboard of a phone open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <code>{`{{${name}}}`}</code> <span class="note">{meaning}</span>
    </li>
  );
}
