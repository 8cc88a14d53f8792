// Dialogs to book a slot and to move a booking.
import { useState } from "preact/hooks";
import type { DatedSlot } from "../../../calendar/model.ts";
import type { Appointment } from "../../../payloads/appointment.ts";
import { useAction, type Action } from "../../action.ts";
import { api, ApiError, call, messageOf } from "../../client.ts";
import { SelectField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button } from "../../kit/parts.tsx";
import { said } from "../../words.ts";
import { nameOf, serviceName, serviceOptions, useCalendar } from "./calendar-context.ts";
import { CONTACT_FIELDS, contactBody, ContactFields, contactOf, type Contact } from "./contact-fields.tsx";
import { SlotPicker } from "./slot-picker.tsx";
import { formatSlot } from "./week-dates.ts";
import { holidayWords, words } from "./words.ts";

/** Sends the request. If the slot was taken meanwhile, it says so and asks for another one. */
function take(submission: Action, work: () => Promise<unknown>, onFull: () => void): Promise<boolean> {
  return submission.run(async () => {
    try {
      await work();
    } catch (fault) {
      if (!isSlotFull(fault)) throw fault;
      onFull();
      throw new Error(words.slotFull(messageOf(fault)), { cause: fault });
    }
  });
}

/** A second booking of the same person in a window needs confirmation. */
function useTwice() {
  const [isTwice, setIsTwice] = useState(false);
  const asked = async (work: (twice: { twice?: true }) => Promise<unknown>) => {
    try {
      await work(isTwice ? { twice: true } : {});
    } catch (fault) {
      if (!(fault instanceof ApiError && "twice" in fault.fault.fields)) throw fault;
      setIsTwice(true);
      throw new Error(holidayWords.twice, { cause: fault });
    }
  };
  return { isTwice, asked, forget: () => setIsTwice(false) };
}

function isSlotFull(fault: unknown): boolean {
  return fault instanceof ApiError && fault.fault.code === "SLOT_FULL";
}

/** Adds the contact to the waiting list if no slot suits; they are called when one becomes free. */
function WaitInstead({ contact, service, submission }: { contact: Contact; service: string; submission: Action }) {
  const { branch, finish } = useCalendar();
  const wait = async () => {
    const { contact_number, ...rest } = contactBody(contact);
    if (contact_number === null) {
      submission.say(said.waiting.numberNeeded);
      return;
    }
    const body = {
      ...rest,
      contact_number,
      branch_id: branch.branch_id,
      ...(service === "" ? {} : { appointment_type_id: service }),
    };
    if (await submission.run(() => call(api["waiting-list"].post(body)))) finish(said.waiting.added);
  };
  return <Button onClick={wait} label={said.waiting.instead} />;
}

/** Somebody who is known already. */
export interface KnownPerson {
  name: string;
  number: string;
  identifiers: { system: string; value: string }[];
}

interface NewAppointmentProps {
  slot: DatedSlot | null;
  from: string;
  person?: KnownPerson;
}

export function NewAppointment({ slot: given, from, person }: NewAppointmentProps) {
  const { directory, finish } = useCalendar();
  const [slot, setSlot] = useState(given);
  const [isPicking, setIsPicking] = useState(given === null);
  const [round, setRound] = useState(0);
  const [contact, setContact] = useState(() => ({
    ...contactOf(null),
    ...(person && { contact_name: person.name, contact_number: person.number }),
  }));
  const [service, setService] = useState("");
  const submission = useAction([...CONTACT_FIELDS, "appointment_type_id"]);
  const isRestricted = slot !== null && slot.appointment_type !== null;
  const twice = useTwice();
  const choose = (chosen: DatedSlot | null) => {
    twice.forget();
    setSlot(chosen);
  };

  const book = async () => {
    if (slot === null) {
      submission.say(words.chooseSlotFirst);
      return;
    }
    const body = {
      slot_id: slot.slot_id,
      ...contactBody(contact),
      // Identifiers belong to the person, so not to another name or number.
      ...(person?.name === contact.contact_name &&
        person.number === contact.contact_number && { contact_identifiers: person.identifiers }),
      ...(isRestricted || service === "" ? {} : { appointment_type_id: service }),
    };
    const onFull = () => {
      setIsPicking(true);
      setSlot(null);
      setRound((before) => before + 1);
    };
    const work = () => twice.asked((more) => call(api.appointments.post({ ...body, ...more })));
    if (await take(submission, work, onFull)) finish(words.bookedDone(formatSlot(slot)));
  };

  return (
    <Form
      submission={submission}
      submit={twice.isTwice ? holidayWords.bookTwice : words.book}
      onSubmit={book}
      more={<WaitInstead contact={contact} service={service} submission={submission} />}
    >
      {isPicking ? (
        <div class="wide">
          <SlotPicker from={from} chosen={slot} onChoose={choose} round={round} />
        </div>
      ) : (
        slot && (
          <p class="wide">
            <strong>{formatSlot(slot)}</strong>
            {slot.appointment_type !== null && ` · ${serviceName(directory.services, slot.appointment_type)}`}
          </p>
        )
      )}
      <ContactFields
        contact={contact}
        onContact={(changed) => {
          twice.forget();
          setContact(changed);
        }}
        faults={submission.fields}
      >
        <SelectField
          label={words.service}
          disabled={isRestricted}
          value={slot?.appointment_type ?? service}
          onValue={setService}
          error={submission.fields["appointment_type_id"]}
          options={[["", words.noService], ...serviceOptions(directory.services)]}
        />
      </ContactFields>
    </Form>
  );
}

export function Reschedule({ appointment }: { appointment: Appointment }) {
  const { finish } = useCalendar();
  const [slot, setSlot] = useState<DatedSlot | null>(null);
  const [round, setRound] = useState(0);
  const submission = useAction();
  const twice = useTwice();
  const choose = (chosen: DatedSlot | null) => {
    twice.forget();
    setSlot(chosen);
  };

  const move = async () => {
    if (slot === null) {
      submission.say(words.chooseSlotFirst);
      return;
    }
    const target = api.appointments({ id: appointment.appointment_id });
    const work = () => twice.asked((more) => call(target.patch({ slot_id: slot.slot_id, ...more })));
    const onFull = () => {
      setSlot(null);
      setRound((before) => before + 1);
    };
    if (await take(submission, work, onFull)) finish(words.movedDone(formatSlot(slot)));
  };

  return (
    <Form submission={submission} submit={twice.isTwice ? holidayWords.moveTwice : words.move} onSubmit={move}>
      <p class="wide">
        <strong>{nameOf(appointment)}</strong> <span class="note">{words.movedFrom(formatSlot(appointment))}</span>
      </p>
      <div class="wide">
        <SlotPicker
          from={appointment.date}
          serviceId={appointment.appointment_type_id}
          except={appointment.slot_id}
          chosen={slot}
          onChoose={choose}
          round={round}
        />
      </div>
    </Form>
  );
}
