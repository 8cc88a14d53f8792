// Cancelling a call that has not gone out, after asking once more.
import { useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { Button, Dialog, Problem } from "../../components/parts.tsx";
import { sayDone } from "../../components/toasts.tsx";
import { formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";

const words = {
  title: "Cancel this call?",
  text: (contact: string, time: string) =>
    `${contact} will not be called at ${time}. A cancelled call cannot be taken up again; make a new one instead.`,
  keep: "Keep the call",
  confirm: "Cancel the call",
  done: "The call is cancelled.",
};

interface CancelCallProps {
  call: { call_id: string; contact_name: string | null; contact_number: string; scheduled_at: string | null };
  onClose: () => void;
  onDone: () => void;
}

export function CancelCall({ call: subject, onClose, onDone }: CancelCallProps) {
  const zone = useSession().organisation.time_zone;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const cancel = async () => {
    setBusy(true);
    setError(null);
    try {
      await call(api.calls({ call_id: subject.call_id }).cancel.post());
      sayDone(words.done);
      onClose();
    } catch (fault) {
      setError(messageOf(fault));
      setBusy(false);
    } finally {
      // Also after a refusal: the call has most likely gone out meanwhile.
      onDone();
    }
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
