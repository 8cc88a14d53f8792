// Ending a call that is under way, after asking once more.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { said } from "../../words.ts";

const words = said.calls.hangUpCall;

interface HangUpProps {
  call: { call_id: string; contact_name: string | null; contact_number: string };
  onClose: () => void;
  onDone: () => void;
}

export function HangUpCall({ call: subject, onClose, onDone }: HangUpProps) {
  const { busy, error, fields, run } = useAction();
  const hangUp = async () => {
    if (await run(() => call(api.calls({ call_id: subject.call_id })["hang-up"].post()), words.done)) onClose();
    // Also after a refusal: the call has most likely ended meanwhile.
    onDone();
  };
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      submission={{ busy, error, fields }}
      submit={words.confirm}
      kind="danger"
      cancel={words.keep}
      onSubmit={hangUp}
    >
      <p>{words.text(subject.contact_name ?? subject.contact_number)}</p>
    </FormDialog>
  );
}
