// Windows for several days at once: one for each day in each session.
import { useState } from "preact/hooks";
import type { CreateWindowsInput } from "../../../calendar/plan-model.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox, SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button } from "../../kit/parts.tsx";
import { serviceName, useCalendar } from "./calendar-context.ts";
import { dayNames, planWords, sessionName, words } from "./words.ts";

type Day = CreateWindowsInput["days"][number];
type Session = CreateWindowsInput["sessions"][number];

const WEEK = Object.keys(dayNames) as Day[];
const WORKING_DAYS = [5, 6, 7] as const;

export function WindowsForm({ day }: { day: string }) {
  const { directory, branch, finish } = useCalendar();
  const [days, setDays] = useState<Day[]>(WEEK.filter((each) => each === day));
  const [sessions, setSessions] = useState<Session[]>(["Morning"]);
  const [max, setMax] = useState("10");
  const [ai, setAi] = useState("4");
  const [service, setService] = useState("");
  const submission = useAction(["max_slots", "ai_slots"]);
  const count = days.length * sessions.length;
  const create = async () => {
    const body = {
      branch_id: branch.branch_id,
      days,
      sessions,
      max_slots: Number(max),
      ai_slots: Number(ai),
      appointment_type_id: service === "" ? null : service,
    };
    if (await submission.run(() => call(api.calendar.windows.many.post(body)))) finish(planWords.windowsMade(count));
  };
  return (
    <Form submission={submission} submit={planWords.makeWindows(count)} isDisabled={count === 0} onSubmit={create}>
      <DayBoxes days={days} onDays={setDays} />
      <SessionBoxes sessions={sessions} onSessions={setSessions} />
      <TextField
        label={words.maxSlots}
        hint={words.maxSlotsHint}
        type="number"
        required
        min={0}
        value={max}
        onValue={setMax}
        error={submission.fields["max_slots"]}
      />
      <TextField
        label={words.aiSlots}
        hint={words.aiSlotsHint}
        type="number"
        required
        min={0}
        value={ai}
        onValue={setAi}
        error={submission.fields["ai_slots"]}
      />
      <SelectField
        label={words.service}
        hint={words.serviceHint}
        value={service}
        onValue={setService}
        options={[
          ["", words.anyService],
          ...directory.services.map(
            ({ appointment_type_id: id }) => [id, serviceName(directory.services, id)] as const,
          ),
        ]}
      />
    </Form>
  );
}

function DayBoxes({ days, onDays }: { days: readonly Day[]; onDays: (days: Day[]) => void }) {
  return (
    <fieldset class="wide cal-branches">
      <legend>{planWords.days}</legend>
      <div class="actions">
        {WORKING_DAYS.map((length) => (
          <Button
            key={length}
            onClick={() => onDays(WEEK.slice(0, length))}
            label={planWords.daysTo(dayNames[WEEK[length - 1] ?? ""] ?? "")}
          />
        ))}
      </div>
      {WEEK.map((each) => (
        <CheckBox
          key={each}
          label={dayNames[each] ?? each}
          checked={days.includes(each)}
          onChecked={(isIn) => onDays(WEEK.filter((other) => (other === each ? isIn : days.includes(other))))}
        />
      ))}
    </fieldset>
  );
}

function SessionBoxes({
  sessions,
  onSessions,
}: {
  sessions: readonly Session[];
  onSessions: (sessions: Session[]) => void;
}) {
  const { directory } = useCalendar();
  return (
    <fieldset class="wide cal-branches">
      <legend>{planWords.sessions}</legend>
      {directory.sessions.map(({ session, start_time, end_time }) => {
        const others = sessions.filter((other) => other !== session);
        return (
          <CheckBox
            key={session}
            label={`${sessionName(session)} ${start_time}–${end_time}`}
            checked={sessions.includes(session)}
            onChecked={(isIn) => onSessions(isIn ? [...others, session] : others)}
          />
        );
      })}
    </fieldset>
  );
}
