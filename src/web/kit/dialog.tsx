// Dialogs: any content, a form, or a confirmation before an action that cannot be undone or that affects others.
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

/** The native dialog: it traps the focus, closes on Escape, and makes the page behind inert. */
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
      // Focus the first field rather than the close button.
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

/** A dialog with one form, which is submitted or cancelled. */
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
  /** Message after success. */
  done?: string;
  /** Called after success, when the dialog is closed. */
  onDone?: () => void;
  /** Label of a checkbox that must be ticked to enable the button. */
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
  /** Look of the button that opens the dialog. The confirming button is always `danger`. */
  look?: "plain" | "danger" | "quiet";
  /** Subject of the action, for screen readers. */
  about?: string;
}

/** A button with a confirmation dialog. */
export function ConfirmButton({ look = "danger", about, ...confirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind={look} aria-label={about} onClick={() => setAsking(true)} label={confirm.action} />
      <Confirm {...confirm} open={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
