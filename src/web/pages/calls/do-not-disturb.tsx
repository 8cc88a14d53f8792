// Never calling a number again, after asking once more.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { callWork as words } from "./words.ts";

interface DoNotDisturbProps {
  number: string;
  onClose: () => void;
  onDone: () => void;
}

export function DoNotDisturb({ number, onClose, onDone }: DoNotDisturbProps) {
  const { busy, error, fields, run } = useAction();
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
    <FormDialog
      title={words.disturbTitle}
      onClose={onClose}
      submission={{ busy, error, fields }}
      submit={words.disturbConfirm}
      kind="danger"
      onSubmit={add}
    >
      <p>{words.disturbText(number)}</p>
    </FormDialog>
  );
}
