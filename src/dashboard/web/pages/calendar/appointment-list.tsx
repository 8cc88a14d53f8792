// The people booked in one window, with what can be done for each.
import type { Appointment } from "../../../../events/model.ts";
import { Badge, Button } from "../../components/parts.tsx";
import { common } from "../../words.ts";
import { serviceName, useCalendar } from "./calendar-context.ts";
import { appointmentSources, appointmentStates, words } from "./words.ts";

interface AppointmentListProps {
  appointments: readonly Appointment[];
  /** False while the day before is still here and the next one loads. */
  isCurrent: boolean;
  /** Not needed where the window has one alone. */
  withService: boolean;
}

export function AppointmentList({ appointments, isCurrent, withService }: AppointmentListProps) {
  if (!isCurrent) return <p class="note">{common.loading}</p>;
  if (appointments.length === 0) return <p class="note">{words.noAppointments}</p>;
  return (
    <ul class="cal-people" aria-label={words.appointments}>
      {appointments.map((appointment) => (
        <Row key={appointment.appointment_id} appointment={appointment} withService={withService} />
      ))}
    </ul>
  );
}

function Row({ appointment, withService }: { appointment: Appointment; withService: boolean }) {
  const { open, places } = useCalendar();
  const { status, contact_name, contact_number, appointment_type_id, source } = appointment;
  const about = [
    ...(contact_name !== null && contact_number !== null ? [contact_number] : []),
    ...(withService && appointment_type_id !== null ? [serviceName(places.services, appointment_type_id)] : []),
    appointmentSources[source] ?? source,
  ];
  return (
    <li class={status === "cancelled" ? "cancelled" : ""}>
      <div class="cal-person">
        <button type="button" class="link" onClick={() => open({ kind: "appointment", appointment })}>
          {contact_name ?? contact_number ?? words.noName}
        </button>
        <Badge state={status} text={appointmentStates[status] ?? status} />
        <span class="note">{about.join(" · ")}</span>
      </div>
      <AppointmentActions appointment={appointment} />
    </li>
  );
}

/** Only what the appointment's state allows: what is final has none. */
export function AppointmentActions({ appointment }: { appointment: Appointment }) {
  const { may, open } = useCalendar();
  const { status } = appointment;
  if (!may || status === "completed" || status === "cancelled") return null;
  const mark = (next: "completed" | "no_show" | "cancelled") => () =>
    open({ kind: "status", appointment, status: next });
  return (
    <div class="actions">
      <Button onClick={mark("completed")}>{words.complete}</Button>
      {status === "confirmed" && (
        <>
          <Button onClick={mark("no_show")}>{words.noShow}</Button>
          <Button onClick={() => open({ kind: "reschedule", appointment })}>{words.reschedule}</Button>
          <Button kind="danger" onClick={mark("cancelled")}>
            {words.cancel}
          </Button>
        </>
      )}
    </div>
  );
}
