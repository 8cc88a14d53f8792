// Repeats a call: now, or at a chosen time.
import { useLocation } from "preact-iso";
import { api, call } from "../../client.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { sayDone } from "../../said.ts";
import { useForm } from "../../kit/use-form.ts";
import { formatTime, zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common } from "../../words.ts";
import { dialLabel, DialAheadNote, laterAt, useDialAhead } from "../dial-ahead.tsx";
import { CALLS_PATH } from "./filters.ts";
import { callWork as words } from "./words.ts";

interface CallAgainProps {
  call: { call_id: string; contact_name: string | null; contact_number: string; agent_name: string };
  onClose: () => void;
}

export function CallAgain({ call: subject, onClose }: CallAgainProps) {
  const zone = useSession().organisation.time_zone;
  const { route } = useLocation();
  const form = useForm({ at: "" }, ["scheduled_time"]);
  const { at } = form.values;
  const ahead = useDialAhead({
    call_ids: [subject.call_id],
    ...(at === "" ? {} : { scheduled_time: zonedToIso(at, zone) }),
  });
  const make = async () => {
    const body = at === "" ? {} : { scheduled_time: zonedToIso(at, zone) };
    let madeId = "";
    const isMade = await form.run(async () => {
      const made = await call(api.calls({ call_id: subject.call_id }).again.post(body));
      madeId = made.call_id;
      sayDone(words.againDone(formatTime(laterAt(ahead) ?? made.scheduled_at, zone)));
    });
    if (!isMade) return;
    onClose();
    route(`${CALLS_PATH}/${madeId}`);
  };
  return (
    <FormDialog
      title={words.againTitle}
      onClose={onClose}
      submission={form}
      submit={dialLabel(ahead, at === "" ? words.againNow : words.againLater, zone)}
      onSubmit={make}
    >
      <p>{words.againText(subject.contact_name ?? subject.contact_number, subject.agent_name)}</p>
      <DialAheadNote ahead={ahead} />
      <TextField
        label={words.at}
        type="datetime-local"
        hint={`${words.againHint} ${common.zoneNote(zone)}`}
        {...form.at("at")}
        error={form.fields["scheduled_time"]?.replace(/^scheduled_time/, words.theTime)}
      />
    </FormDialog>
  );
}
