// The small parts that every page is made of.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Loaded } from "../data.ts";
import { plainFault } from "../plain-fault.ts";
import { mayLose } from "../unsaved.ts";
import { common } from "../words.ts";
import { DialogClose } from "./dialog-close.ts";
import { Skeleton, type SkeletonShape } from "./skeleton.tsx";

export function Button({
  kind = "plain",
  busy = false,
  ...rest
}: JSX.IntrinsicElements["button"] & { kind?: "plain" | "primary" | "danger" | "quiet"; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind}`}
      disabled={Boolean(rest.disabled) || busy}
      aria-busy={busy}
    />
  );
}

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

const TONES: Record<string, string> = {
  completed: "good",
  delivered: "good",
  active: "good",
  OPEN: "good",
  confirmed: "good",
  up: "good",
  down: "bad",
  failed: "bad",
  exhausted: "bad",
  disallowed: "bad",
  revoked: "bad",
  cancelled: "muted",
  off: "muted",
  CLOSED: "muted",
  expired: "muted",
  held: "warn",
  no_show: "warn",
  resting: "warn",
  queued: "warn",
};

/** Colour is never the only sign: the word stands in it. */
export function Badge({ state, text }: { state: string; text: string }) {
  return <span class={`badge ${TONES[state] ?? "live"}`}>{text}</span>;
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          <div class="actions">{actions}</div>
        </header>
      )}
      {children}
    </section>
  );
}

export interface PageHeadProps {
  title: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
}

export function PageHead({ title, note, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · ${common.appName}`;
  }, [title]);
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {note !== undefined && <p class="note">{note}</p>}
      </div>
      <div class="actions">{actions}</div>
    </div>
  );
}

/** Loading, fault, nothing there, or the data: the four faces of everything that is fetched. */
export function Shown<T>({
  from,
  as,
  empty,
  isEmpty,
  children,
}: {
  from: Loaded<T>;
  /** What is expected looks like this. */
  as?: SkeletonShape;
  empty?: ComponentChildren;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ComponentChildren;
}) {
  if (from.data !== null) {
    return (
      <>
        {from.error !== null && <Problem text={from.error} onRetry={from.reload} />}
        {isEmpty?.(from.data) ? <div class="empty">{empty}</div> : children(from.data)}
      </>
    );
  }
  if (from.error !== null) return <Problem text={from.error} onRetry={from.reload} />;
  return <Skeleton {...(as === undefined ? {} : { shape: as })} />;
}

export function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <span>{plainFault(text)}</span>
      {onRetry && <Button onClick={onRetry}>{common.tryAgain}</Button>}
    </div>
  );
}

const FIRST_FIELD = "input:not([disabled], [type=hidden]), select:not([disabled]), textarea:not([disabled])";

/** The browser's own dialog: focus is kept inside, Escape closes, the page behind is inert. */
export function Dialog({
  title,
  open,
  onClose,
  children,
}: {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      // Whoever opens a form wants to write, not to close it again.
      dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    }
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => {
        const dialog = element.current;
        if (dialog && event.target === dialog && !mayLose(dialog)) event.preventDefault();
      }}
    >
      {open && (
        <>
          <header>
            <h2 id={titleId}>{title}</h2>
            <Button
              kind="quiet"
              aria-label={common.close}
              onClick={() => {
                if (!element.current || mayLose(element.current)) onClose();
              }}
            >
              ×
            </Button>
          </header>
          <DialogClose.Provider value={onClose}>{children}</DialogClose.Provider>
        </>
      )}
    </dialog>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [label: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
