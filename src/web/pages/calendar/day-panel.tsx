// One day: its windows, each with the people booked in it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Appointment } from "../../../payloads/appointment.ts";
import { Button, LinkButton, Problem, Shown } from "../../kit/parts.tsx";
import type { Loaded } from "../../data.ts";
import { addDays } from "../../format.ts";
import { AppointmentList } from "./appointment-list.tsx";
import {
  isOver,
  keptSlots,
  serviceName,
  useCalendar,
  type EditedAppointment,
  type EditedWindow,
  type WindowOnDate,
} from "./calendar-context.ts";
import { Fill } from "./fill.tsx";
import { calendarLink } from "./links.ts";
import type { DayAppointments } from "./loading.ts";
import { words as reminderWords } from "./reminders/words.ts";
import { formatHours, formatLongDay, weekdayOf, weekOf } from "./week-dates.ts";
import { Signs } from "./week-grid.tsx";
import { sessionName, sourceWords, holidayWords, words } from "./words.ts";

interface DayPanelProps {
  date: string;
  slots: readonly WindowOnDate[];
  windows: readonly EditedWindow[];
  appointments: Loaded<DayAppointments>;
  /** The window that the link selected. */
  chosenWindow: string | null;
  /** Whether a link selected this day; the focus then moves there. */
  isAsked: boolean;
}

export function DayPanel({ date, slots, windows, appointments, chosenWindow, isAsked }: DayPanelProps) {
  const { branch, may, open, today } = useCalendar();
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    const wasFirst = isFirst.current;
    isFirst.current = false;
    if (wasFirst || !isAsked) return;
    const target = document.getElementById(`window-${chosenWindow ?? ""}`) ?? heading.current;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  }, [date, chosenWindow, isAsked]);

  const to = (day: string | null) => calendarLink({ branch: branch.branch_id, week: weekOf(day ?? date), day });
  return (
    <section class="card cal-panel" aria-labelledby="cal-day-title">
      <header>
        <h2 id="cal-day-title" ref={heading} tabIndex={-1}>
          {formatLongDay(date)}
        </h2>
        <div class="actions">
          <LinkButton class="cal-back" href={to(null)} label={words.allWeek} />
          <RemindDay date={date} day={appointments.data} />
          {may && date >= today && slots.some(({ status }) => status === "OPEN") && (
            <Button
              onClick={() => {
                const range = { from: date, to: date, name: "" };
                open({ kind: "close-days", ranges: [range], windowId: null, isFixed: false });
              }}
              label={holidayWords.closeDay}
            />
          )}
          <LinkButton
            href={calendarLink({ branch: branch.branch_id, week: weekOf(date), day: date, list: true })}
            label={holidayWords.dayList}
          />
          <LinkButton href={to(addDays(date, -1))} aria-label={words.previousDay} label="‹" />
          <LinkButton href={to(addDays(date, 1))} aria-label={words.nextDay} label="›" />
        </div>
      </header>
      {slots.length === 0 && (
        <div class="empty">
          {words.noWindowsOnDay}
          {may && <Button onClick={() => open({ kind: "new-window", day: weekdayOf(date) })} label={words.newWindow} />}
        </div>
      )}
      {slots.map((slot) => (
        <WindowSection
          key={slot.slot_id}
          slot={slot}
          window={windows.find(({ slot_id }) => slot_id === slot.calendar_id)}
        >
          <Shown from={appointments}>
            {(day) => (
              <AppointmentList
                appointments={inWindow(day, slot)}
                isCurrent={day.date === date}
                withService={slot.appointment_type === null}
              />
            )}
          </Shown>
        </WindowSection>
      ))}
      <Elsewhere date={date} day={appointments.data} />
      {appointments.data?.hasMore && <Problem text={words.moreAppointments(appointments.data.appointments.length)} />}
    </section>
  );
}

/** People booked in the hospital's own systems, by time. */
function Elsewhere({ date, day }: { date: string; day: DayAppointments | null }) {
  const people = (day?.date === date ? day.appointments : []).filter(({ slot_id }) => slot_id === null);
  if (people.length === 0) return null;
  return (
    <section class="cal-section" aria-labelledby="cal-elsewhere">
      <div class="cal-section-head">
        <div class="cal-section-title">
          <h3 id="cal-elsewhere">{sourceWords.elsewhere}</h3>
          <p class="note">{sourceWords.elsewhereNote}</p>
        </div>
      </div>
      <AppointmentList appointments={people.toSorted(byTime)} isCurrent withService withTime />
    </section>
  );
}

const byTime = (a: Appointment, b: Appointment) =>
  Number(a.status === "cancelled") - Number(b.status === "cancelled") || a.start_time.localeCompare(b.start_time);

/** Reminds the people still expected on this day. */
function RemindDay({ date, day }: { date: string; day: DayAppointments | null }) {
  const calendar = useCalendar();
  const { may, open } = calendar;
  const expected = (day?.date === date ? day.appointments : [])
    .filter((each) => each.status === "confirmed" && each.closed_for === null && !isOver(each, calendar))
    .toSorted((a, b) => a.start_time.localeCompare(b.start_time));
  if (!may || expected.length === 0) return null;
  return (
    <Button
      onClick={() => open({ kind: "remind", appointments: expected, day: date })}
      label={reminderWords.remindDay}
    />
  );
}

/** In order of creation, cancelled ones last. */
function inWindow({ appointments }: DayAppointments, { calendar_id, date }: WindowOnDate): EditedAppointment[] {
  const here = appointments.filter(({ slot_id }) => slot_id === `${calendar_id}||${date}`).toReversed();
  return here.toSorted((a, b) => Number(a.status === "cancelled") - Number(b.status === "cancelled"));
}

interface WindowSectionProps {
  slot: WindowOnDate;
  window: EditedWindow | undefined;
  children: ComponentChildren;
}

function WindowSection({ slot, window, children }: WindowSectionProps) {
  const calendar = useCalendar();
  const { may, open, directory } = calendar;
  const isPast = isOver(slot, calendar);
  const fallsHere = weekdayOf(slot.date) === slot.day;
  const isBookable = slot.status === "OPEN" && !isPast && (slot.available_slots ?? 0) > 0;
  const kept = keptSlots(slot);
  const id = `window-${slot.calendar_id}`;
  const title = `${sessionName(slot.session)} ${formatHours(slot)}`;
  return (
    <section class={`cal-section ${slot.status === "CLOSED" ? "closed" : ""}`} aria-labelledby={id}>
      <div class="cal-section-head">
        <div class="cal-section-title">
          <h3 id={id} tabIndex={-1}>
            {title}
          </h3>
          <Signs slot={slot} />
          <p class="note">
            {[
              slot.appointment_type === null
                ? words.anyService
                : serviceName(directory.services, slot.appointment_type),
              ...(slot.batch === null ? [] : [words.batch(slot.batch)]),
            ].join(" · ")}
          </p>
        </div>
        <Fill slot={slot} />
        {may && (
          <div class="actions">
            {isBookable && (
              <Button
                aria-label={words.actionFor(words.newAppointment, title)}
                onClick={() => open({ kind: "new-appointment", slot, from: slot.date })}
                label={words.newAppointment}
              />
            )}
            {window && !isPast && fallsHere && (
              <Button
                aria-label={words.actionFor(words.changeDate, title)}
                onClick={() => open({ kind: "date", slot, window })}
                label={words.changeDate}
              />
            )}
            {window && (
              <Button
                aria-label={words.actionFor(words.changeWindow, title)}
                onClick={() => open({ kind: "window", window })}
                label={words.changeWindow}
              />
            )}
          </div>
        )}
      </div>
      {!fallsHere && <p class="note">{words.movedAwayNote}</p>}
      {kept > 0 && slot.status === "OPEN" && !isPast && <p class="note">{words.kept(kept)}</p>}
      {children}
    </section>
  );
}
