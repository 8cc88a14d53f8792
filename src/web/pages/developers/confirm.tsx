// Asks before something that cannot be taken back, or that others will notice.
import type { ComponentChildren } from "preact";
import { useAction } from "../../action.ts";
import { FormDialog } from "../../components/form.tsx";

export interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  kind?: "primary" | "danger";
  open: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
  children?: ComponentChildren;
}

export function Confirm({ title, text, action, kind = "danger", open, onClose, onConfirm, children }: ConfirmProps) {
  const acting = useAction();
  const confirm = async () => {
    if (await acting.run(onConfirm)) onClose();
  };
  return (
    <FormDialog
      title={title}
      open={open}
      onClose={onClose}
      submission={acting}
      submit={action}
      kind={kind}
      onSubmit={() => void confirm()}
    >
      <p>{text}</p>
      {children}
    </FormDialog>
  );
}
