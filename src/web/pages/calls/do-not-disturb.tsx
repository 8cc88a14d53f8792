// Confirmation before adding a number to the do-not-disturb list.
import { spaced } from "../../phone-number.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { callWork as words } from "./words.ts";

interface DoNotDisturbProps {
  number: string;
  onClose: () => void;
  onDone: () => void;
}

export function DoNotDisturb({ number, onClose, onDone }: DoNotDisturbProps) {
  const add = async () => {
    const { refused } = await call(api["do-not-disturb"].post({ numbers: [number] }));
    if (refused[0]) throw new Error(refused[0].message);
  };
  return (
    <Confirm
      title={words.disturbTitle}
      text={words.disturbText(spaced(number))}
      action={words.disturbConfirm}
      onClose={onClose}
      onConfirm={add}
      done={words.disturbDone}
      onDone={onDone}
    />
  );
}
