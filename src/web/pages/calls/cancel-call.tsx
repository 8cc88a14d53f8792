// Cancelling a call that has not gone out, after asking once more.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.calls.cancelCall;

interface CancelCallProps {
  call: { call_id: string; contact_name: string | null; contact_number: string; scheduled_at: string | null };
  onClose: () => void;
  onDone: () => void;
}

export function CancelCall({ call: subject, onClose, onDone }: CancelCallProps) {
  const zone = useSession().organisation.time_zone;
  const { busy, error, fields, run } = useAction();

  const cancel = async () => {
    if (await run(() => call(api.calls({ call_id: subject.call_id }).cancel.post()), words.done)) onClose();
    // Also after a refusal: the call has most likely gone out meanwhile.
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
      onSubmit={cancel}
    >
      <p>{words.text(subject.contact_name ?? subject.contact_number, formatTime(subject.scheduled_at, zone))}</p>
    </FormDialog>
  );
}
