// Confirmation before hanging up a call in progress.
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { spaced } from "../../phone-number.ts";
import { said } from "../../words.ts";

const words = said.calls.hangUpCall;

interface HangUpProps {
  call: { call_id: string; contact_name: string | null; contact_number: string };
  onClose: () => void;
  onDone: () => void;
}

export function HangUpCall({ call: subject, onClose, onDone }: HangUpProps) {
  return (
    <Confirm
      title={words.title}
      text={words.text(subject.contact_name ?? spaced(subject.contact_number))}
      action={words.confirm}
      cancel={words.keep}
      onClose={onClose}
      // Also reloads after an error: the call has most likely ended meanwhile.
      onConfirm={() => call(api.calls({ call_id: subject.call_id })["hang-up"].post()).finally(onDone)}
      done={words.done}
    />
  );
}
