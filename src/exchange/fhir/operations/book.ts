// Appointment/$book (ITI-117): books a proposal, a hold or a Slot, and changes or cancels what is booked or held.
import type { Appointment } from "fhir/r4";
import { AppError, invalidField } from "../../../core/errors.ts";
import type { Alongside } from "../../../db/alongside.ts";
import { ownId } from "../ids.ts";
import { textOf, type Json } from "../json.ts";
import type { Asker } from "../kind.ts";
import type { AppointmentWrites, Written } from "../write/appointment-writes.ts";
import { appointmentIn, slotIn } from "../write/read-appointment.ts";
import { contactIn, type Contact } from "../write/read-patient.ts";
import { bundleOf } from "./bundle.ts";
import { idOf, type Held, type Holds, type ReferredPlace } from "./hold.ts";
import type { OperationInput } from "./parameters.ts";

export const BOOK_PARAMETERS = ["appointment-reference", "appointment-resource", "patient-resource", "comment"];

/** Elements of the resource that a change takes. The others are as they were read, or left out. */
const CHANGEABLE = ["status", "slot", "serviceType", "comment", "identifier"] as const;

export interface BookDeps {
  writes: AppointmentWrites;
  holds: Holds;
  base: string;
}

export async function book(
  deps: BookDeps,
  asker: Asker,
  keyId: string,
  input: OperationInput,
  alongside: Alongside<Held>,
): Promise<Held> {
  const { writes, holds } = deps;
  const { organisationId } = asker;
  const [reference, resource] = [input.reference("appointment-reference"), resourceIn(input)];
  if ((reference === undefined) === (resource === undefined))
    throw new AppError("VALIDATION_ERROR", "Send either appointment-reference or appointment-resource.");
  const contact = contactOf(input);
  const comment = input.text("comment");
  const answer = ({ id, resource: written }: Written): Held => ({ id, bundle: bundleOf(deps.base, [written]) });
  const answered: Alongside<Written> = (tx, written) => alongside(tx, answer(written));

  const id = resource ? (textOf(resource.id) ?? "") : idOf(reference ?? {});
  if (resource && ownId("apt", id) !== null)
    return answer(await changed(writes, asker, resource, { contact, comment, alongside: answered }));
  if (resource?.status === "cancelled") {
    const hold = await holds.find(organisationId, keyId, id);
    if (!hold) throw new AppError("NOT_FOUND", "There is no appointment or hold with this id.");
    return { id: hold.id, bundle: await holds.release(organisationId, keyId, hold) };
  }
  if (resource && !["pending", "proposed"].includes(resource.status))
    throw invalidField("appointment-resource", "status must be pending for a new appointment.");

  const place = resource && id === "" ? slotOf(resource) : await holds.place(organisationId, keyId, id);
  const wanted = resource ? await writes.wanted(asker, resource) : {};
  const { hold } = place;
  const written = await writes.book(
    asker,
    {
      ...wanted,
      ...contact,
      ...(comment !== undefined && { notes: comment }),
      slot_id: place.slotId,
      ...(place.serviceId !== null && { appointment_type_id: place.serviceId }),
    },
    { ...(hold && { first: (tx) => holds.take(tx, organisationId, keyId, hold) }), alongside: answered },
  );
  return answer(written);
}

function resourceIn(input: OperationInput): Appointment | undefined {
  const resource = input.appointment("appointment-resource");
  return resource && appointmentIn(resource);
}

const slotOf = (resource: Appointment): ReferredPlace => ({
  slotId: slotIn(resource.slot),
  serviceId: null,
  hold: null,
});

function contactOf(input: OperationInput): Contact {
  const [patient, ...others] = input.patients("patient-resource");
  if (others.length > 0)
    throw invalidField("patient-resource", "An appointment is for one person. Send patient-resource once.");
  return patient ? contactIn(patient) : {};
}

function changed(
  writes: AppointmentWrites,
  asker: Asker,
  resource: Appointment,
  more: { contact: Contact; comment: string | undefined; alongside: Alongside<Written> },
): Promise<Written> {
  const { contact, comment, alongside } = more;
  const nextOf = (before: Appointment): Json => {
    const taken: Partial<Appointment> = {};
    for (const name of CHANGEABLE) if (resource[name] !== undefined) Object.assign(taken, { [name]: resource[name] });
    const isMoved = JSON.stringify(resource.slot ?? before.slot) !== JSON.stringify(before.slot);
    if (!isMoved && Date.parse(textOf(resource.start) ?? before.start ?? "") !== Date.parse(before.start ?? ""))
      throw invalidField("start", "start follows the Slot. Send another slot to move the appointment.");
    return { ...before, ...taken, ...(comment !== undefined && { comment }) } as unknown as Json;
  };
  return writes.change(asker, resource.id ?? "", null, nextOf, { contact, alongside });
}
