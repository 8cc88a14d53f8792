// Seven days side by side, or stacked if there is no room. A window links to its day.
import type { Slot } from "../../../payloads/slot.ts";
import { isOver, serviceName, useCalendar, type WindowOnDate } from "./calendar-context.ts";
import { Fill } from "./fill.tsx";
import { calendarLink } from "./links.ts";
import { datesOfWeek, formatDayAndMonth, formatHours, shortWeekday, weekdayOf } from "./week-dates.ts";
import { sessionName, words } from "./words.ts";

const SESSIONS = ["Morning", "Afternoon", "Evening"] as const satisfies readonly Slot["session"][];

interface WeekGridProps {
  monday: string;
  slots: readonly WindowOnDate[];
  chosenDay: string;
  /** The requested week is loading, and the previous one is still shown. */
  isStale: boolean;
}

export function WeekGrid({ monday, slots, chosenDay, isStale }: WeekGridProps) {
  const sessions = SESSIONS.filter((session) => slots.some((slot) => slot.session === session));
  return (
    <div class={`cal-week rows-${sessions.length} ${isStale ? "stale" : ""}`} aria-busy={isStale}>
      {datesOfWeek(monday).map((date) => (
        <Day
          key={date}
          monday={monday}
          date={date}
          sessions={sessions}
          slots={slots.filter((slot) => slot.date === date)}
          isChosen={date === chosenDay}
        />
      ))}
    </div>
  );
}

interface DayProps {
  monday: string;
  date: string;
  sessions: readonly Slot["session"][];
  slots: readonly WindowOnDate[];
  isChosen: boolean;
}

function Day({ monday, date, sessions, slots, isChosen }: DayProps) {
  const { branch, today } = useCalendar();
  const isToday = date === today;
  const tone = date < today ? "past" : isToday ? "today" : "";
  return (
    <section
      class={`cal-day ${tone} ${isChosen ? "chosen" : ""}`}
      aria-label={`${shortWeekday(date)} ${formatDayAndMonth(date)}`}
    >
      <h2 class="cal-day-head">
        <a
          href={calendarLink({ branch: branch.branch_id, week: monday, day: date })}
          aria-current={isToday ? "date" : undefined}
        >
          {isToday && <small>{words.today}</small>}
          <span class="cal-weekday">{shortWeekday(date)}</span> <strong>{formatDayAndMonth(date)}</strong>
        </a>
      </h2>
      {slots.length === 0 && <p class="cal-none">{words.noWindows}</p>}
      {slots.length > 0 &&
        sessions.map((session) => (
          <ul
            key={session}
            class={`cal-session row-${sessions.indexOf(session) + 2}`}
            aria-label={sessionName(session)}
          >
            {slots
              .filter((slot) => slot.session === session)
              .map((slot) => (
                <li key={slot.slot_id}>
                  <WindowCard slot={slot} monday={monday} />
                </li>
              ))}
          </ul>
        ))}
    </section>
  );
}

function WindowCard({ slot, monday }: { slot: WindowOnDate; monday: string }) {
  const calendar = useCalendar();
  const { branch, directory } = calendar;
  const isClosed = slot.status === "CLOSED";
  const isPast = isOver(slot, calendar);
  return (
    <a
      class={`cal-window ${isClosed ? "closed" : ""} ${isPast ? "past" : ""}`}
      href={calendarLink({ branch: branch.branch_id, week: monday, day: slot.date, window: slot.calendar_id })}
    >
      <span class="cal-hours">{formatHours(slot)}</span>
      <span class="cal-what">
        {sessionName(slot.session)}
        {slot.batch !== null && ` · ${slot.batch}`}
        {slot.appointment_type !== null && (
          <span class="cal-service">{serviceName(directory.services, slot.appointment_type)}</span>
        )}
      </span>
      <Fill slot={slot} />
      <Signs slot={slot} />
    </a>
  );
}

export function Signs({ slot }: { slot: WindowOnDate }) {
  const calendar = useCalendar();
  const isPast = isOver(slot, calendar);
  const hasMovedAway = weekdayOf(slot.date) !== slot.day;
  const isClosed = slot.status === "CLOSED";
  return (
    <span class="cal-signs">
      {isClosed && <span class="badge muted">{hasMovedAway ? words.movedAway : words.closed}</span>}
      {!isClosed && isPast && slot.date === calendar.today && <span class="badge muted">{words.over}</span>}
      {!isClosed && !isPast && slot.available_slots === 0 && <span class="badge warn">{words.full}</span>}
      {slot.overridden && <span class="badge">{words.differs}</span>}
    </span>
  );
}
