// Never calling a number again, after asking once more.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Dialog, Problem } from "../../components/parts.tsx";
import { common } from "../../words.ts";
import { callWork as words } from "./words.ts";

interface DoNotDisturbProps {
  number: string;
  onClose: () => void;
  onDone: () => void;
}

export function DoNotDisturb({ number, onClose, onDone }: DoNotDisturbProps) {
  const { busy, error, run } = useAction();
  const add = async () => {
    const send = async () => {
      const { refused } = await call(api["do-not-disturb"].post({ numbers: [number] }));
      if (refused[0]) throw new Error(refused[0].message);
    };
    if (!(await run(send, words.disturbDone))) return;
    onDone();
    onClose();
  };
  return (
    <Dialog title={words.disturbTitle} open onClose={onClose}>
      <div class="dialog-body">
        {error !== null && <Problem text={error} />}
        <p>{words.disturbText(number)}</p>
        <div class="actions">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="danger" busy={busy} onClick={() => void add()}>
            {words.disturbConfirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
