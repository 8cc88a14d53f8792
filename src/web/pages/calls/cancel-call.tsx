// Cancelling a call that has not gone out, after asking once more.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Dialog, Problem } from "../../components/parts.tsx";
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
  const { busy, error, run } = useAction();

  const cancel = async () => {
    if (await run(() => call(api.calls({ call_id: subject.call_id }).cancel.post()), words.done)) onClose();
    // Also after a refusal: the call has most likely gone out meanwhile.
    onDone();
  };

  return (
    <Dialog title={words.title} open onClose={onClose}>
      <div class="dialog-body">
        {error !== null && <Problem text={error} />}
        <p>{words.text(subject.contact_name ?? subject.contact_number, formatTime(subject.scheduled_at, zone))}</p>
        <div class="actions">
          <Button onClick={onClose}>{words.keep}</Button>
          <Button kind="danger" busy={busy} onClick={() => void cancel()}>
            {words.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
