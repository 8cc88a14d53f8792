// Deleting a call, after saying plainly what goes, what stays and that it cannot be undone.
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { CheckBox } from "../../kit/field.tsx";
import { listAddress } from "./filters.ts";
import { said } from "../../words.ts";

const words = said.calls.deleteCall;

interface DeleteCallProps {
  call: { call_id: string; status: string };
  onClose: () => void;
}

export function DeleteCall({ call: { call_id, status }, onClose }: DeleteCallProps) {
  const { route } = useLocation();
  const [understood, setUnderstood] = useState(false);
  const { busy, error, fields, run } = useAction();

  const erase = async () => {
    const subject = api.calls({ call_id });
    // Calls that nobody talked in are erased by owners alone.
    const send = async () => {
      if (status === "completed") await call(subject.delete());
      else await call(subject.erase.post());
    };
    if (await run(send, words.done)) route(listAddress(), true);
  };

  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      submission={{ busy, error, fields }}
      submit={words.confirm}
      kind="danger"
      cancel={words.keep}
      isDisabled={!understood}
      onSubmit={erase}
    >
      <p>{words.gone}</p>
      <p>{words.stays}</p>
      <p class="note">{words.beyond}</p>
      <CheckBox label={words.understood} checked={understood} onChecked={setUnderstood} />
    </FormDialog>
  );
}
