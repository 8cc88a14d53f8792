// Asks before something that cannot be taken back, or that others will notice.
import type { ComponentChildren } from "preact";
import { useAction } from "../../action.ts";
import { Button, Dialog, Problem } from "../../components/parts.tsx";
import { common } from "../../words.ts";

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
    <Dialog title={title} open={open} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <p>{text}</p>
        {children}
        {acting.error !== null && <Problem text={acting.error} />}
        <div class="actions">
          <Button kind={kind} type="submit" busy={acting.busy}>
            {action}
          </Button>
          <Button onClick={onClose}>{common.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
