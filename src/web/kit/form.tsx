// Forms. The order of buttons is the same everywhere: first what is apart from the question,
// then the way out, and the act itself last.
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { Action } from "../action.ts";
import { common } from "../words.ts";
import { DialogClose } from "./dialog-close.ts";
import { Button, Problem } from "./parts.tsx";

interface ActsProps {
  /** The word on the button that does it. */
  submit: string;
  kind?: "primary" | "danger" | "plain";
  busy?: boolean;
  /** There is nothing to submit yet. */
  isDisabled?: boolean;
  /** Closes without doing it; inside a dialog it is there by itself. */
  onCancel?: () => void;
  /** The word on the way out. */
  cancel?: string;
  /** Buttons that are apart from the question. */
  more?: ComponentChildren;
}

/** The buttons below a form. */
export function FormActions({ submit, kind = "primary", busy = false, isDisabled, onCancel, cancel, more }: ActsProps) {
  return (
    <div class="actions form-actions">
      {more && <div class="actions apart">{more}</div>}
      {onCancel && <Button onClick={onCancel} label={cancel ?? common.cancel} />}
      <Button kind={kind} type="submit" busy={busy} disabled={Boolean(isDisabled)} label={submit} />
    </div>
  );
}

export interface FormProps extends Omit<ActsProps, "busy"> {
  submission: Pick<Action, "busy" | "error" | "fields">;
  onSubmit: () => unknown;
  /** Fields side by side where there is room, one below the other, or in a line with the button. */
  layout?: "columns" | "stack" | "line";
  /** False for one of several forms in a dialog. */
  hasWayOut?: boolean;
  children: ComponentChildren;
}

export function Form({ submission, onSubmit, layout = "columns", hasWayOut = true, children, ...acts }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const close = useContext(DialogClose);
  const onCancel = acts.onCancel ?? (hasWayOut ? close : undefined);
  // Whoever reads by ear or keyboard is taken to what has to be mended.
  useEffect(
    () => form.current?.querySelector<HTMLElement>(".wrong :is(input, select, textarea)")?.focus(),
    [submission.fields],
  );
  return (
    <form
      ref={form}
      class={`form-frame form-${layout}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!submission.busy) void onSubmit();
      }}
    >
      <Problem text={submission.error} />
      {layout === "columns" ? <div class="form">{children}</div> : children}
      <FormActions {...acts} busy={submission.busy} {...(onCancel ? { onCancel } : {})} />
    </form>
  );
}
