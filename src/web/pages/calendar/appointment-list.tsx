// People booked in one window, with the actions for each.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Appointment } from "../../../payloads/appointment.ts";
import { Badge, Button } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { formatShortTime } from "../../format.ts";
import { appointmentStates } from "../../words.ts";
import { isOver, nameOf, ownerOf, serviceName, useCalendar, type EditedAppointment } from "./calendar-context.ts";
import { words as reminderWords } from "./reminders/words.ts";
import { formatHours } from "./week-dates.ts";
import { appointmentSources, contactAnswers, holidayWords, sourceWords, words } from "./words.ts";

interface AppointmentListProps {
  appointments: readonly EditedAppointment[];
  /** False while the previous day is shown and the next one loads. */
  isCurrent: boolean;
  /** False if the window has only one service. */
  withService: boolean;
  /** Each person has a time of their own. */
  withTime?: boolean;
}

export function AppointmentList({ appointments, isCurrent, withService, withTime = false }: AppointmentListProps) {
  if (!isCurrent) return <Skeleton shape="line" />;
  if (appointments.length === 0) return <p class="note">{words.noAppointments}</p>;
  return (
    <ul class="cal-people" aria-label={words.appointments}>
      {appointments.map((appointment) => (
        <Row key={appointment.appointment_id} appointment={appointment} withService={withService} withTime={withTime} />
      ))}
    </ul>
  );
}

function Row({
  appointment,
  withService,
  withTime,
}: Pick<AppointmentListProps, "withService" | "withTime"> & { appointment: EditedAppointment }) {
  const { open, directory } = useCalendar();
  const row = useRef<HTMLLIElement>(null);
  const name = useRef<HTMLButtonElement>(null);
  const wasUsed = useRef(false);
  // A layout effect, so that it runs with the change itself. One frame later, it could mistake the next click for the
  // one that caused this change.
  useLayoutEffect(() => {
    if (!wasUsed.current) return undefined;
    let frame = 0;
    // The pressed button disappears with the status change. The focus stays at this person.
    const stay = () => {
      // The page may get the change before the dialog that made it has closed.
      if (document.querySelector("dialog[open]")) return void (frame = requestAnimationFrame(stay));
      if (document.activeElement === document.body) name.current?.focus({ preventScroll: true });
      // The row may already be in use for the next change; this event may belong to the previous one.
      wasUsed.current = row.current?.contains(document.activeElement) ?? false;
    };
    stay();
    return () => cancelAnimationFrame(frame);
  }, [appointment.status]);
  const { status, contact_name, contact_number, appointment_type_id, source, closed_for: closedFor } = appointment;
  const about = [
    ...(withTime ? [formatHours(appointment)] : []),
    ...(appointment.practitioner?.name ? [appointment.practitioner.name] : []),
    ...(withService && appointment_type_id !== null ? [serviceName(directory.services, appointment_type_id)] : []),
    ownerOf(directory.sources, appointment)?.name ?? appointmentSources[source] ?? source,
  ];
  return (
    <li ref={row} class={status === "cancelled" ? "cancelled" : ""} onClick={() => (wasUsed.current = true)}>
      <div class="cal-person">
        <button ref={name} type="button" class="link" onClick={() => open({ kind: "appointment", appointment })}>
          {nameOf(appointment)}
        </button>
        {closedFor === null ? (
          <Badge state={status} text={appointmentStates[status] ?? status} />
        ) : (
          <Badge state="held" text={holidayWords.closedFor[closedFor]} />
        )}
        <OpenWish appointment={appointment} />
        <ContactAnswer appointment={appointment} />
        <span class="note">
          {contact_name !== null && contact_number !== null && (
            <>
              <Phone number={contact_number} />
              {" · "}
            </>
          )}
          {about.join(" · ")}
        </span>
      </div>
      <AppointmentActions appointment={appointment} />
    </li>
  );
}

/** What the hospital's own system was asked for and has not answered. */
function OpenWish({ appointment: { wish, status } }: { appointment: Appointment }) {
  if (wish?.state !== "open" || status !== "confirmed") return null;
  return <Badge state="held" text={wish.wish === "cancel" ? sourceWords.wishCancel : sourceWords.wishMove} />;
}

/** Answer of the contact to a reminder; nothing without a reminder. */
function ContactAnswer({ appointment }: { appointment: Appointment }) {
  const { branch } = useCalendar();
  const { status, change_requested_at, contact_confirmed_at, contact_moved_at, contact_cancelled_at } = appointment;
  const at = (time: string) => formatShortTime(time, branch.time_zone);
  if (status === "cancelled" && contact_cancelled_at !== null)
    return <Badge state="cancelled" text={contactAnswers.cancelled(at(contact_cancelled_at))} />;
  if (status !== "confirmed") return null;
  if (change_requested_at !== null && appointment.wish?.state !== "open")
    return <Badge state="held" text={contactAnswers.changeRequested} />;
  if (contact_moved_at !== null) return <Badge state="confirmed" text={contactAnswers.moved(at(contact_moved_at))} />;
  if (contact_confirmed_at === null) return null;
  return <Badge state="confirmed" text={contactAnswers.confirmed(at(contact_confirmed_at))} />;
}

/** Actions that the status of the appointment allows. A final status allows none. */
export function AppointmentActions({ appointment }: { appointment: EditedAppointment }) {
  const calendar = useCalendar();
  const { may, open } = calendar;
  const { status } = appointment;
  const owner = ownerOf(calendar.directory.sources, appointment);
  const isOurs = (part: string) => !owner?.owns.includes(part);
  if (!may || status === "completed" || status === "cancelled") return null;
  const mark = (next: "completed" | "no_show" | "cancelled") => () =>
    open({ kind: "status", appointment, status: next });
  const whose = (action: string) => words.actionFor(action, nameOf(appointment));
  return (
    <div class="actions">
      {isOurs("status") && (
        <Button aria-label={whose(words.complete)} onClick={mark("completed")} label={words.complete} />
      )}
      {status === "confirmed" && (
        <>
          {!isOver(appointment, calendar) && appointment.closed_for === null && (
            <Button
              aria-label={whose(reminderWords.remind)}
              onClick={() => open({ kind: "remind", appointments: [appointment], day: null })}
              label={reminderWords.remind}
            />
          )}
          {isOurs("status") && (
            <Button aria-label={whose(words.noShow)} onClick={mark("no_show")} label={words.noShow} />
          )}
          {isOurs("time") && (
            <Button
              aria-label={whose(words.reschedule)}
              onClick={() => open({ kind: "reschedule", appointment })}
              label={words.reschedule}
            />
          )}
          {isOurs("status") ? (
            <Button aria-label={whose(words.cancel)} kind="danger" onClick={mark("cancelled")} label={words.cancel} />
          ) : (
            appointment.wish?.state !== "open" && (
              <Button
                aria-label={whose(sourceWords.askCancel)}
                onClick={mark("cancelled")}
                label={sourceWords.askCancel}
              />
            )
          )}
        </>
      )}
    </div>
  );
}
