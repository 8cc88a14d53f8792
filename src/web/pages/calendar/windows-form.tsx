// Creates windows for several days at once: one for each day and session.
import { useState } from "preact/hooks";
import type { CreateWindowsInput } from "../../../calendar/plan-model.ts";
import { api, call } from "../../client.ts";
import { CheckBoxes, NumberField, SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { AwaitedQuestion } from "./awaited.tsx";
import { serviceOptions, useCalendar } from "./calendar-context.ts";
import { dayNames, planWords, sessionName, words } from "./words.ts";

type Day = CreateWindowsInput["days"][number];
type Session = CreateWindowsInput["sessions"][number];

const WEEK = Object.keys(dayNames) as Day[];
const WORKING_DAYS = [5, 6, 7] as const;

export function WindowsForm({ day }: { day: string }) {
  const { directory, branch, finish } = useCalendar();
  const form = useForm(
    {
      days: WEEK.filter((each) => each === day),
      sessions: ["Morning"] as Session[],
      max_slots: "10",
      ai_slots: "4",
      appointment_type_id: "",
    },
    ["max_slots", "ai_slots"],
  );
  const { days, sessions, max_slots, ai_slots, appointment_type_id } = form.values;
  const count = days.length * sessions.length;
  const [callsWaiting, setCallsWaiting] = useState(true);
  const create = async () => {
    const body = {
      branch_id: branch.branch_id,
      days,
      sessions,
      max_slots: Number(max_slots),
      ai_slots: Number(ai_slots),
      appointment_type_id: appointment_type_id || null,
      calls_waiting_list: callsWaiting,
    };
    if (await form.run(() => call(api.calendar.windows.many.post(body)))) finish(planWords.windowsMade(count));
  };
  return (
    <Form submission={form} submit={planWords.makeWindows(count)} isDisabled={count === 0} onSubmit={create}>
      <CheckBoxes
        legend={planWords.days}
        class="wide cal-branches"
        options={WEEK.map((each) => [each, dayNames[each] ?? each] as const)}
        chosen={days}
        onChosen={(chosen) => form.set({ days: WEEK.filter((each) => chosen.includes(each)) })}
        before={<WorkingDays onDays={(chosen) => form.set({ days: chosen })} />}
      />
      <CheckBoxes
        legend={planWords.sessions}
        class="wide cal-branches"
        options={directory.sessions.map(
          ({ session, start_time, end_time }) =>
            [session, `${sessionName(session)} ${start_time}–${end_time}`] as const,
        )}
        chosen={sessions}
        onChosen={(chosen) => form.set({ sessions: chosen })}
      />
      <NumberField label={words.maxSlots} hint={words.maxSlotsHint} required min={0} {...form.at("max_slots")} />
      <NumberField label={words.aiSlots} hint={words.aiSlotsHint} required min={0} {...form.at("ai_slots")} />
      <SelectField
        label={words.service}
        hint={words.serviceHint}
        options={[["", words.anyService], ...serviceOptions(directory.services)]}
        {...form.at("appointment_type_id")}
      />
      <AwaitedQuestion
        branchId={branch.branch_id}
        windows={days.flatMap((each) =>
          sessions.map((session) => ({ day: each, session, appointment_type_id: appointment_type_id || null })),
        )}
        calls={callsWaiting}
        onCalls={setCallsWaiting}
      />
    </Form>
  );
}

function WorkingDays({ onDays }: { onDays: (days: Day[]) => void }) {
  return (
    <div class="actions">
      {WORKING_DAYS.map((length) => (
        <Button
          key={length}
          onClick={() => onDays(WEEK.slice(0, length))}
          label={planWords.daysTo(dayNames[WEEK[length - 1] ?? ""] ?? "")}
        />
      ))}
    </div>
  );
}
