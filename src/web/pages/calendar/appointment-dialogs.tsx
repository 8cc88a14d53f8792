// Dialogs of one appointment: details, contact, and status changes.
import { useState } from "preact/hooks";
import type { Appointment } from "../../../payloads/appointment.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { Form } from "../../kit/form.tsx";
import { Identifiers } from "../../kit/identifiers.tsx";
import { Badge, Button, Facts, Problem } from "../../kit/parts.tsx";
import { formatTime } from "../../format.ts";
import { appointmentStates, common } from "../../words.ts";
import { AppointmentActions } from "./appointment-list.tsx";
import { branchName, nameOf, ownerOf, serviceName, useCalendar, type EditedAppointment } from "./calendar-context.ts";
import { CONTACT_FIELDS, CONTACT_LABELS, contactBody, ContactFields, contactOf } from "./contact-fields.tsx";
import { placeFacts } from "../place-fields.tsx";
import { words as reminderWords } from "./reminders/words.ts";
import { formatSlot } from "./week-dates.ts";
import { sourceFacts, WishAnswer } from "./wish-answer.tsx";
import { appointmentSources, sourceWords, statusTasks, words } from "./words.ts";

export function AppointmentDetail({ appointment }: { appointment: EditedAppointment }) {
  const { directory, branch, may, open } = useCalendar();
  const { status, batch, appointment_type_id, contact_name, contact_number, contact_email, notes, call_id } =
    appointment;
  const { contact_identifiers } = appointment;
  const whose = directory.branches.find(({ branch_id }) => branch_id === appointment.branch_id);
  const at = (label: string, time: string | null) =>
    time === null ? [] : [[label, formatTime(time, branch.time_zone)] as const];
  const isFinal = status === "completed" || status === "cancelled";
  const owner = ownerOf(directory.sources, appointment);
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
          contact_identifiers.length > 0 && [
            words.identifiers,
            <Identifiers key="identifiers" identifiers={contact_identifiers} />,
          ],
          ...placeFacts(appointment),
          [words.notes, notes ?? common.none],
          [words.source, appointmentSources[appointment.source] ?? appointment.source],
          ...sourceFacts(directory.sources, appointment),
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
      {may && <WishAnswer appointment={appointment} />}
      <div class="actions">
        <AppointmentActions appointment={appointment} />
        {may && !isFinal && !owner?.owns.includes("contact") && (
          <Button onClick={() => open({ kind: "contact", appointment })} label={words.editContact} />
        )}
      </div>
    </div>
  );
}

export function ContactForm({ appointment }: { appointment: EditedAppointment }) {
  const { finish } = useCalendar();
  const [contact, setContact] = useState(() => contactOf(appointment));
  const submission = useAction(CONTACT_FIELDS);
  const conflict = useConflict({ label: (name) => CONTACT_LABELS[name] });
  const save = async () => {
    const saved = await conflict.save(submission, {
      stored: appointment,
      valuesOf: (one) => contactBody(contactOf(one)),
      typed: contactBody(contact),
      send: (change, version) =>
        call(api.appointments({ id: appointment.appointment_id }).patch(change, basedOn(version))),
    });
    if (saved) finish(words.saved);
  };
  return (
    <>
      <Form submission={submission} submit={common.save} onSubmit={save}>
        <ContactFields contact={contact} onContact={setContact} faults={submission.fields} />
      </Form>
      {conflict.dialog}
    </>
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
  const { finish, directory } = useCalendar();
  const submission = useAction();
  const owner = status === "cancelled" ? ownerOf(directory.sources, appointment) : undefined;
  const task = owner?.owns.includes("status") ? sourceWords.cancelTask : statusTasks[status];
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
