// Form of a weekly window, new or existing. See disable-window.tsx for disabling.
import { useState } from "preact/hooks";
import type { CreateWindowInput } from "../../../calendar/model.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { CheckBox, NumberField, SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button } from "../../kit/parts.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { common } from "../../words.ts";
import { AwaitedQuestion } from "./awaited.tsx";
import { serviceOptions, useCalendar, type EditedWindow } from "./calendar-context.ts";
import { DecideForBooked, WindowSwitch, type StillBooked } from "./disable-window.tsx";
import { dayNames, planWords, sessionName, words } from "./words.ts";

const FIELDS = [
  "day",
  "session",
  "start_time",
  "end_time",
  "max_slots",
  "ai_slots",
  "batch_name",
  "appointment_type_id",
];
const DAYS = Object.entries(dayNames);

interface Values {
  day: string;
  session: string;
  start_time: string;
  end_time: string;
  max_slots: string;
  ai_slots: string;
  batch_name: string;
  appointment_type_id: string;
  isOpen: boolean;
}

interface WindowFormProps {
  window: EditedWindow | null;
  day: string;
}

export function WindowForm({ window, day }: WindowFormProps) {
  const { directory, branch, finish, open } = useCalendar();
  const { values, setValues, setSession } = useWindowValues({ window, day });
  const [booked, setBooked] = useState<StillBooked | null>(null);
  const [callsWaiting, setCallsWaiting] = useState(true);
  const submission = useAction(FIELDS);
  const change = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }));
  const { at, box } = fieldsOf(values, change, submission.fields);

  const conflict = useConflict({ label: (name) => LABELS[name], shown: valueText });
  const create = () => {
    const place = { branch_id: branch.branch_id, appointment_type_id: values.appointment_type_id || null };
    return call(api.calendar.windows.post({ ...bodyOf(values), ...place, calls_waiting_list: callsWaiting }));
  };
  const save = async () => {
    if (!window) {
      if (await submission.run(create)) finish(words.windowCreated);
      return;
    }
    const saved = await conflict.save(submission, {
      stored: window,
      valuesOf: (one) => bodyOf(valuesOf(one)),
      typed: bodyOf(values),
      send: (part, version) => call(api.calendar.windows({ slot_id: window.slot_id }).patch(part, basedOn(version))),
    });
    if (saved) finish(words.windowChanged);
  };

  return (
    <>
      <Form
        submission={submission}
        submit={window ? common.save : words.create}
        onSubmit={save}
        more={
          window ? (
            <WindowSwitch window={window} onBooked={setBooked} />
          ) : (
            <Button onClick={() => open({ kind: "new-windows", day: values.day })} label={planWords.severalDays} />
          )
        }
      >
        {window && booked && <DecideForBooked window={window} booked={booked} />}
        {window && <p class="wide note">{words.everyWeek(dayNames[window.day] ?? window.day)}</p>}
        <SelectField label={words.day} options={DAYS} {...at("day")} />
        <SelectField
          label={words.session}
          options={directory.sessions.map(({ session }) => [session, sessionName(session)] as const)}
          {...at("session")}
          onValue={setSession}
        />
        <TextField label={words.starts} type="time" required {...at("start_time")} />
        <TextField label={words.ends} type="time" required {...at("end_time")} />
        <NumberField label={words.maxSlots} hint={words.maxSlotsHint} required min={0} {...at("max_slots")} />
        <NumberField label={words.aiSlots} hint={words.aiSlotsHint} required min={0} {...at("ai_slots")} />
        <TextField label={words.batchName} hint={words.batchHint} maxLength={100} {...at("batch_name")} />
        <SelectField
          label={words.service}
          hint={window ? words.serviceStays : words.serviceHint}
          disabled={window !== null}
          options={[["", words.anyService], ...serviceOptions(directory.services)]}
          {...at("appointment_type_id")}
        />
        {!window && <CheckBox label={words.isOpen} {...box("isOpen")} />}
        {!window && values.isOpen && (
          <AwaitedQuestion
            branchId={branch.branch_id}
            windows={[newWindowOf(values)]}
            calls={callsWaiting}
            onCalls={setCallsWaiting}
          />
        )}
      </Form>
      {conflict.dialog}
    </>
  );
}

function useWindowValues({ window, day }: WindowFormProps) {
  const { sessions } = useCalendar().directory;
  const hoursOf = (name: string) => {
    const { start_time = "", end_time = "" } = sessions.find(({ session }) => session === name) ?? {};
    return { start_time, end_time };
  };
  const [values, setValues] = useState<Values>(() =>
    window ? valuesOf(window) : { ...NEW_WINDOW, day, ...hoursOf(NEW_WINDOW.session) },
  );
  /** A new session sets its default hours, unless the user changed them. */
  const setSession = (session: string) =>
    setValues((before) => {
      const usual = hoursOf(before.session);
      const isUsual = before.start_time === usual.start_time && before.end_time === usual.end_time;
      return { ...before, session, ...(isUsual ? hoursOf(session) : {}) };
    });
  return { values, setValues, setSession };
}

const NEW_WINDOW = {
  session: "Morning",
  max_slots: "10",
  ai_slots: "4",
  batch_name: "",
  appointment_type_id: "",
  isOpen: true,
};

const valuesOf = (window: EditedWindow): Values => ({
  day: window.day,
  session: window.session,
  start_time: window.start_time,
  end_time: window.end_time,
  max_slots: String(window.max_slots),
  ai_slots: String(window.ai_slots),
  batch_name: window.batch ?? "",
  appointment_type_id: window.appointment_type ?? "",
  isOpen: window.status !== "CLOSED",
});

const LABELS: Readonly<Record<string, string>> = {
  day: words.day,
  session: words.session,
  start_time: words.starts,
  end_time: words.ends,
  max_slots: words.maxSlots,
  ai_slots: words.aiSlots,
  batch_name: words.batchName,
  status: words.isOpen,
};

function valueText(name: string, value: unknown): string {
  if (name === "day") return dayNames[String(value)] ?? String(value);
  if (name === "session") return sessionName(String(value));
  if (name === "status") return value === "OPEN" ? common.yes : common.no;
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const newWindowOf = ({ day, session, appointment_type_id }: Values) => ({
  day: day as CreateWindowInput["day"],
  session: session as CreateWindowInput["session"],
  appointment_type_id: appointment_type_id || null,
});

function bodyOf(values: Values) {
  return {
    // The options are values of the API, which validates them again.
    day: values.day as CreateWindowInput["day"],
    session: values.session as CreateWindowInput["session"],
    start_time: values.start_time,
    end_time: values.end_time,
    max_slots: Number(values.max_slots),
    ai_slots: Number(values.ai_slots),
    batch_name: values.batch_name.trim() || null,
    status: values.isOpen ? ("OPEN" as const) : ("CLOSED" as const),
  };
}
