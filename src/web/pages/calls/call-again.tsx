// The same call once more: now, or at a time that is chosen.
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { sayDone } from "../../kit/toasts.tsx";
import { formatTime, zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common } from "../../words.ts";
import { CALLS_PATH } from "./filters.ts";
import { callWork as words } from "./words.ts";

interface CallAgainProps {
  call: { call_id: string; contact_name: string | null; contact_number: string; agent_name: string };
  onClose: () => void;
}

export function CallAgain({ call: subject, onClose }: CallAgainProps) {
  const zone = useSession().organisation.time_zone;
  const { route } = useLocation();
  const [at, setAt] = useState("");
  const { busy, error, fields, run } = useAction(["scheduled_time"]);
  const make = async () => {
    const body = at === "" ? {} : { scheduled_time: zonedToIso(at, zone) };
    let madeId = "";
    const isMade = await run(async () => {
      const made = await call(api.calls({ call_id: subject.call_id }).again.post(body));
      madeId = made.call_id;
      sayDone(words.againDone(formatTime(made.scheduled_at, zone)));
    });
    if (!isMade) return;
    onClose();
    route(`${CALLS_PATH}/${madeId}`);
  };
  return (
    <FormDialog
      title={words.againTitle}
      onClose={onClose}
      submission={{ busy, error, fields }}
      submit={at === "" ? words.againNow : words.againLater}
      onSubmit={make}
    >
      <p>{words.againText(subject.contact_name ?? subject.contact_number, subject.agent_name)}</p>
      <TextField
        label={words.at}
        type="datetime-local"
        hint={`${words.againHint} ${common.zoneNote(zone)}`}
        error={fields["scheduled_time"]?.replace(/^scheduled_time/, words.theTime)}
        value={at}
        onValue={setAt}
      />
    </FormDialog>
  );
}
