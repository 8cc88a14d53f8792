// Dialogs: any content, a form, or a question before an action that cannot be undone or that others will notice.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useAction } from "../action.ts";
import { mayLose } from "../unsaved.ts";
import { common } from "../words.ts";
import { DialogClose } from "./dialog-close.ts";
import { CheckBox } from "./field.tsx";
import { Form, type FormProps } from "./form.tsx";
import { Button } from "./parts.tsx";

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
              label="×"
            />
          </header>
          <DialogClose.Provider value={onClose}>{children}</DialogClose.Provider>
        </>
      )}
    </dialog>
  );
}

interface FormDialogProps extends FormProps {
  title: string;
  open?: boolean;
  onClose: () => void;
}

/** A dialog that asks one thing: it is done, or left. */
export function FormDialog({ title, open = true, onClose, layout = "stack", ...form }: FormDialogProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <Form layout={layout} onCancel={onClose} {...form} />
    </Dialog>
  );
}

interface ConfirmProps extends Pick<FormProps, "kind" | "cancel" | "isDisabled"> {
  title: string;
  text: ComponentChildren;
  /** The label of the button. */
  action: string;
  open?: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
  /** Said once it is done. */
  done?: string;
  /** After it is done and the dialog is closed. */
  onDone?: () => void;
  /** What has to be ticked before the button can be pressed. */
  understood?: string;
  children?: ComponentChildren;
}

export function Confirm({ text, action, onConfirm, done, onDone, understood, children, ...dialog }: ConfirmProps) {
  const acting = useAction();
  const [isUnderstood, setUnderstood] = useState(understood === undefined);
  const confirm = async () => {
    if (!(await acting.run(onConfirm, done))) return;
    dialog.onClose();
    onDone?.();
  };
  return (
    <FormDialog
      kind="danger"
      isDisabled={!isUnderstood}
      {...dialog}
      submission={acting}
      submit={action}
      onSubmit={confirm}
    >
      <p>{text}</p>
      {children}
      {understood !== undefined && <CheckBox label={understood} checked={isUnderstood} onChecked={setUnderstood} />}
    </FormDialog>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmProps, "open" | "onClose"> {
  /** The kind of the button that asks; the button that does it is dangerous. */
  look?: "plain" | "danger" | "quiet";
  /** What the button is about, for screen readers. */
  about?: string;
}

/** A button, and the question that it asks. */
export function ConfirmButton({ look = "danger", about, ...confirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind={look} aria-label={about} onClick={() => setAsking(true)} label={confirm.action} />
      <Confirm {...confirm} open={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
