// Dialogs of one appointment: details, contact, and status changes.
import { useState } from "preact/hooks";
import type { Appointment } from "../../../payloads/appointment.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, Facts, Problem } from "../../kit/parts.tsx";
import { formatTime } from "../../format.ts";
import { appointmentStates, common } from "../../words.ts";
import { AppointmentActions } from "./appointment-list.tsx";
import { branchName, nameOf, serviceName, useCalendar } from "./calendar-context.ts";
import { CONTACT_FIELDS, contactBody, ContactFields, contactOf } from "./contact-fields.tsx";
import { words as reminderWords } from "./reminders/words.ts";
import { formatSlot } from "./week-dates.ts";
import { appointmentSources, statusTasks, words } from "./words.ts";

export function AppointmentDetail({ appointment }: { appointment: Appointment }) {
  const { directory, branch, may, open } = useCalendar();
  const { status, batch, appointment_type_id, contact_name, contact_number, contact_email, notes, call_id } =
    appointment;
  const whose = directory.branches.find(({ branch_id }) => branch_id === appointment.branch_id);
  const at = (label: string, time: string | null) =>
    time === null ? [] : [[label, formatTime(time, branch.time_zone)] as const];
  const isFinal = status === "completed" || status === "cancelled";
  return (
    <div class="cal-detail">
      <Facts
        rows={[
          [words.status, <Badge key="status" state={status} text={appointmentStates[status] ?? status} />],
          [words.when, `${formatSlot(appointment)}${batch === null ? "" : `, ${words.batch(batch)}`}`],
          [words.branch, whose ? branchName(whose) : branchName({ branch_id: appointment.branch_id, name: null })],
          [
            words.service,
            appointment_type_id === null ? words.noService : serviceName(directory.services, appointment_type_id),
          ],
          [words.name, contact_name ?? common.none],
          [words.number, contact_number ?? common.none],
          [words.email, contact_email ?? common.none],
          [words.notes, notes ?? common.none],
          [words.source, appointmentSources[appointment.source] ?? appointment.source],
          [
            words.call,
            call_id === null ? (
              words.noCall
            ) : (
              <a key="call" href={`/dashboard/calls/${call_id}`}>
                {words.toCall}
              </a>
            ),
          ],
          ...at(words.madeAt, appointment.created_at),
          ...at(reminderWords.confirmedAt, appointment.contact_confirmed_at),
          ...at(reminderWords.movedAt, appointment.contact_moved_at),
          ...at(reminderWords.cancelledAt, appointment.contact_cancelled_at),
          ...at(reminderWords.changeRequestedAt, appointment.change_requested_at),
          ...at(words.cancelledAt, appointment.cancelled_at),
          ...at(words.completedAt, appointment.completed_at),
        ]}
      />
      <p class="note">{words.zone(branch.time_zone)}</p>
      <div class="actions">
        <AppointmentActions appointment={appointment} />
        {may && !isFinal && <Button onClick={() => open({ kind: "contact", appointment })} label={words.editContact} />}
      </div>
    </div>
  );
}

export function ContactForm({ appointment }: { appointment: Appointment }) {
  const { finish } = useCalendar();
  const [contact, setContact] = useState(() => contactOf(appointment));
  const submission = useAction(CONTACT_FIELDS);
  const save = async () => {
    const work = () => call(api.appointments({ id: appointment.appointment_id }).patch(contactBody(contact)));
    if (await submission.run(work)) finish(words.saved);
  };
  return (
    <Form submission={submission} submit={common.save} onSubmit={save}>
      <ContactFields contact={contact} onContact={setContact} faults={submission.fields} />
    </Form>
  );
}

export function StatusQuestion({
  appointment,
  status,
  onKeep,
}: {
  appointment: Appointment;
  status: keyof typeof statusTasks;
  onKeep: () => void;
}) {
  const { finish } = useCalendar();
  const submission = useAction();
  const task = statusTasks[status];
  // A second Enter must not cancel an appointment.
  const isLoss = status === "cancelled";
  const mark = async () => {
    const work = () => call(api.appointments({ id: appointment.appointment_id }).patch({ status }));
    if (await submission.run(work)) finish(task.done);
  };
  return (
    <div class="cal-question">
      <p>
        <strong>{nameOf(appointment)}</strong>, {formatSlot(appointment)}
      </p>
      <p class="note">{task.note}</p>
      <Problem text={submission.error} />
      <div class="actions">
        <Button onClick={onKeep} data-first={isLoss || undefined} label={words.keepIt} />
        <Button
          kind={isLoss ? "danger" : "primary"}
          busy={submission.busy}
          onClick={mark}
          data-first={!isLoss || undefined}
          label={task.button}
        />
      </div>
    </div>
  );
}
