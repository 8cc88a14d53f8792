// Forms. Buttons have the same order everywhere: first unrelated actions, then cancel, and submit last.
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { Action } from "../action.ts";
import { common } from "../words.ts";
import { DialogClose } from "./dialog-close.ts";
import { Button, Problem } from "./parts.tsx";

interface ActsProps {
  /** Label of the submit button. */
  submit: string;
  kind?: "primary" | "danger" | "plain";
  busy?: boolean;
  /** True while there is nothing to submit. */
  isDisabled?: boolean;
  /** Closes without submitting. Inside a dialog it defaults to closing the dialog. */
  onCancel?: () => void;
  /** Label of the cancel button. */
  cancel?: string;
  /** Buttons for other actions than submit and cancel. */
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
  /** Fields side by side if there is room, stacked, or in one line with the button. */
  layout?: "columns" | "stack" | "line";
  /** False for one of several forms in a dialog. */
  hasWayOut?: boolean;
  children: ComponentChildren;
}

export function Form({ submission, onSubmit, layout = "columns", hasWayOut = true, children, ...acts }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const close = useContext(DialogClose);
  const onCancel = acts.onCancel ?? (hasWayOut ? close : undefined);
  // Moves the focus to the first invalid field, for users of screen readers and keyboards.
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
