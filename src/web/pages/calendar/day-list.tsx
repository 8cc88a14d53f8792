// The day on paper: who comes when, one table a window, to be printed for the ward.
import { useState } from "preact/hooks";
import type { Appointment } from "../../../payloads/appointment.ts";
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { Button, PageHead, Shown } from "../../kit/parts.tsx";
import { useChanges, useLoaded } from "../../data.ts";
import { addDays } from "../../format.ts";
import { appointmentStates, common } from "../../words.ts";
import { branchName, serviceName, useCalendar, type WindowOnDate } from "./calendar-context.ts";
import { calendarLink } from "./links.ts";
import { loadDay, loadWeek } from "./loading.ts";
import { formatHours, formatLongDay, weekOf } from "./week-dates.ts";
import { holidayWords, sessionName, words } from "./words.ts";

interface Choice {
  /** Empty for all of them. */
  service: string;
  numbers: boolean;
  notes: boolean;
}

export function DayList({ date }: { date: string }) {
  const { branch, directory } = useCalendar();
  const { branch_id } = branch;
  const [choice, setChoice] = useState<Choice>({ service: "", numbers: true, notes: false });
  const day = useLoaded(async () => {
    const [week, { appointments }] = await Promise.all([loadWeek(branch_id, weekOf(date)), loadDay(branch_id, date)]);
    return { slots: week.slots.filter((slot) => slot.date === date), appointments };
  }, [branch_id, date]);
  useChanges("appointment", day.reload);
  useChanges("window", day.reload);
  const to = (other: string, list: boolean) =>
    calendarLink({ branch: branch_id, week: weekOf(other), day: other, list });
  const service = choice.service === "" ? holidayWords.allServices : serviceName(directory.services, choice.service);
  return (
    <>
      <PageHead
        title={formatLongDay(date)}
        note={`${branchName(branch)} · ${service}`}
        actions={
          <>
            <a class="button" href={to(date, false)}>
              {holidayWords.backToCalendar}
            </a>
            <Button kind="primary" onClick={() => window.print()} label={holidayWords.printNow} />
          </>
        }
      />
      <div class="cal-list-choice card">
        <SelectField
          label={words.service}
          value={choice.service}
          onValue={(chosen) => setChoice({ ...choice, service: chosen })}
          options={[
            ["", holidayWords.allServices],
            ...directory.services.map(
              ({ appointment_type_id: id }) => [id, serviceName(directory.services, id)] as const,
            ),
          ]}
        />
        <CheckBox
          label={holidayWords.printNumbers}
          checked={choice.numbers}
          onChecked={(numbers) => setChoice({ ...choice, numbers })}
        />
        <CheckBox
          label={holidayWords.printNotes}
          checked={choice.notes}
          onChecked={(notes) => setChoice({ ...choice, notes })}
        />
        <nav class="cal-weeks" aria-label={words.day}>
          <a class="button" href={to(addDays(date, -1), true)} aria-label={words.previousDay}>
            ‹
          </a>
          <a class="button" href={to(addDays(date, 1), true)} aria-label={words.nextDay}>
            ›
          </a>
        </nav>
      </div>
      <Shown from={day}>
        {({ slots, appointments }) => {
          const lists = slots
            .map((slot) => ({ slot, people: expectedIn(slot, appointments, choice.service) }))
            .filter(({ people }) => people.length > 0);
          if (lists.length === 0) return <div class="card empty">{holidayWords.nobodyOnDay}</div>;
          return lists.map(({ slot, people }) => (
            <PeopleTable key={slot.slot_id} slot={slot} people={people} choice={choice} />
          ));
        }}
      </Shown>
    </>
  );
}

/** By name, as somebody at a desk looks for them. */
function expectedIn(
  { calendar_id, date }: WindowOnDate,
  appointments: readonly Appointment[],
  service: string,
): Appointment[] {
  return appointments
    .filter(({ slot_id, status }) => slot_id === `${calendar_id}||${date}` && status !== "cancelled")
    .filter(({ appointment_type_id }) => service === "" || appointment_type_id === service)
    .toSorted((a, b) => (a.contact_name ?? "").localeCompare(b.contact_name ?? ""));
}

function PeopleTable({ slot, people, choice }: { slot: WindowOnDate; people: readonly Appointment[]; choice: Choice }) {
  const { directory } = useCalendar();
  const hasService = slot.appointment_type === null && choice.service === "";
  const title = [
    `${sessionName(slot.session)} ${formatHours(slot)}`,
    ...(slot.appointment_type === null ? [] : [serviceName(directory.services, slot.appointment_type)]),
    ...(slot.batch === null ? [] : [words.batch(slot.batch)]),
  ].join(" · ");
  return (
    <section class="card cal-list">
      <h2>
        {title} <span class="note">{holidayWords.printedOf(people.length)}</span>
      </h2>
      <div class="table-wrap" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              {choice.numbers && <th scope="col">{words.number}</th>}
              {hasService && <th scope="col">{words.service}</th>}
              {choice.notes && <th scope="col">{words.notes}</th>}
              <th scope="col">{holidayWords.came}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.appointment_id}>
                <td>{person.contact_name ?? words.noName}</td>
                {choice.numbers && <td class="cal-number">{person.contact_number ?? common.none}</td>}
                {hasService && (
                  <td>
                    {person.appointment_type_id === null
                      ? words.noService
                      : serviceName(directory.services, person.appointment_type_id)}
                  </td>
                )}
                {choice.notes && <td>{person.notes ?? ""}</td>}
                <td class="cal-came">
                  {person.status === "confirmed" ? (
                    <span class="cal-tick" aria-hidden="true" />
                  ) : (
                    (appointmentStates[person.status] ?? person.status)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
