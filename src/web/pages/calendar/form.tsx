// The frame of every form on the calendar page.
import type { ComponentChildren } from "preact";
import type { Action } from "../../action.ts";
import { Button, Problem } from "../../components/parts.tsx";

interface FormProps {
  submission: Action;
  /** The word on the button. */
  submit: string;
  onSubmit: () => void;
  /** There is nothing to submit yet. */
  isDisabled?: boolean;
  /** Buttons beside it. */
  more?: ComponentChildren;
  children: ComponentChildren;
}

export function Form({ submission, submit, onSubmit, isDisabled = false, more, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!submission.busy) onSubmit();
      }}
    >
      {submission.error !== null && <Problem text={submission.error} />}
      <div class="form">{children}</div>
      <div class="actions">
        <Button kind="primary" type="submit" busy={submission.busy} disabled={isDisabled}>
          {submit}
        </Button>
        {more}
      </div>
    </form>
  );
}
