// Confirmation before cancelling a call that has not been dialled.
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
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
  return (
    <Confirm
      title={words.title}
      text={words.text(subject.contact_name ?? subject.contact_number, formatTime(subject.scheduled_at, zone))}
      action={words.confirm}
      cancel={words.keep}
      onClose={onClose}
      // Also reloads after an error: the call has most likely been dialled meanwhile.
      onConfirm={() => call(api.calls({ call_id: subject.call_id }).cancel.post()).finally(onDone)}
      done={words.done}
    />
  );
}
