// Printable list of a day: one table per window with the expected people.
import { useState } from "preact/hooks";
import { CheckBox, SelectField } from "../../kit/field.tsx";
import { Button, LinkButton, PageHead, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useChanges, useLoaded } from "../../data.ts";
import { addDays } from "../../format.ts";
import { appointmentStates, common } from "../../words.ts";
import {
  branchName,
  serviceName,
  serviceOptions,
  type Directory,
  type EditedAppointment,
  type WindowOnDate,
  useCalendar,
} from "./calendar-context.ts";
import { calendarLink } from "./links.ts";
import { loadDay, loadWeek } from "./loading.ts";
import { formatHours, formatLongDay, weekOf } from "./week-dates.ts";
import { holidayWords, sessionName, sourceWords, words } from "./words.ts";

interface Choice {
  /** Empty for all services. */
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
  const { at, box } = fieldsOf(choice, (change) => setChoice({ ...choice, ...change }));
  return (
    <>
      <PageHead
        title={formatLongDay(date)}
        note={`${branchName(branch)} · ${service}`}
        actions={
          <>
            <LinkButton href={to(date, false)} label={holidayWords.backToCalendar} />
            <Button kind="primary" onClick={() => window.print()} label={holidayWords.printNow} />
          </>
        }
      />
      <div class="cal-list-choice card">
        <SelectField
          label={words.service}
          {...at("service")}
          options={[["", holidayWords.allServices], ...serviceOptions(directory.services)]}
        />
        <CheckBox label={holidayWords.printNumbers} {...box("numbers")} />
        <CheckBox label={holidayWords.printNotes} {...box("notes")} />
        <nav class="cal-weeks" aria-label={words.day}>
          <LinkButton href={to(addDays(date, -1), true)} aria-label={words.previousDay} label="‹" />
          <LinkButton href={to(addDays(date, 1), true)} aria-label={words.nextDay} label="›" />
        </nav>
      </div>
      <Shown from={day}>
        {({ slots, appointments }) => {
          const lists = slots
            .map((slot) => ({ slot, people: expectedIn(slot, appointments, choice.service) }))
            .filter(({ people }) => people.length > 0);
          const elsewhere = expectedElsewhere(appointments, choice.service);
          if (lists.length + elsewhere.length === 0) return <div class="card empty">{holidayWords.nobodyOnDay}</div>;
          return (
            <>
              {lists.map(({ slot, people }) => (
                <PeopleTable
                  key={slot.slot_id}
                  title={titleOf(slot, directory.services)}
                  hasService={slot.appointment_type === null && choice.service === ""}
                  people={people}
                  choice={choice}
                />
              ))}
              {elsewhere.length > 0 && (
                <PeopleTable
                  title={sourceWords.elsewhere}
                  hasService={choice.service === ""}
                  hasTime
                  people={elsewhere}
                  choice={choice}
                />
              )}
            </>
          );
        }}
      </Shown>
    </>
  );
}

/** Sorted by name, as needed at a desk. */
function expectedIn(
  { calendar_id, date }: WindowOnDate,
  appointments: readonly EditedAppointment[],
  service: string,
): EditedAppointment[] {
  return appointments
    .filter(({ slot_id, status }) => slot_id === `${calendar_id}||${date}` && status !== "cancelled")
    .filter(({ appointment_type_id }) => service === "" || appointment_type_id === service)
    .toSorted((a, b) => (a.contact_name ?? "").localeCompare(b.contact_name ?? ""));
}

/** In the hospital's own systems, by time. */
function expectedElsewhere(appointments: readonly EditedAppointment[], service: string): EditedAppointment[] {
  return appointments
    .filter(({ slot_id, status }) => slot_id === null && status !== "cancelled")
    .filter(({ appointment_type_id }) => service === "" || appointment_type_id === service)
    .toSorted((a, b) => a.start_time.localeCompare(b.start_time));
}

const titleOf = (slot: WindowOnDate, services: Directory["services"]): string =>
  [
    `${sessionName(slot.session)} ${formatHours(slot)}`,
    ...(slot.appointment_type === null ? [] : [serviceName(services, slot.appointment_type)]),
    ...(slot.batch === null ? [] : [words.batch(slot.batch)]),
  ].join(" · ");

interface PeopleTableProps {
  title: string;
  people: readonly EditedAppointment[];
  choice: Choice;
  hasService: boolean;
  /** Each person has a time of their own. */
  hasTime?: boolean;
}

function PeopleTable({ title, people, choice, hasService, hasTime = false }: PeopleTableProps) {
  const { directory } = useCalendar();
  return (
    <section class="card cal-list">
      <h2>
        {title} <span class="note">{holidayWords.printedOf(people.length)}</span>
      </h2>
      <Table
        label={title}
        rows={people}
        keyOf={({ appointment_id }) => appointment_id}
        columns={[
          hasTime && [words.when, formatHours],
          [words.name, ({ contact_name }) => contact_name ?? words.noName],
          choice.numbers && [words.number, ({ contact_number }) => contact_number ?? common.none, "cal-number"],
          hasService && [
            words.service,
            ({ appointment_type_id: id }) => (id === null ? words.noService : serviceName(directory.services, id)),
          ],
          choice.notes && [words.notes, ({ notes }) => notes ?? ""],
          [
            holidayWords.came,
            ({ status }) =>
              status === "confirmed" ? (
                <span class="cal-tick" aria-hidden="true" />
              ) : (
                (appointmentStates[status] ?? status)
              ),
            "cal-came",
          ],
        ]}
      />
    </section>
  );
}
