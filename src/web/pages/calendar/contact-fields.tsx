// Contact fields of an appointment.
import type { ComponentChildren } from "preact";
import type { Appointment } from "../../../payloads/appointment.ts";
import { TextArea, TextField } from "../../kit/field.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { PhoneField } from "../../kit/phone-field.tsx";
import { dialled } from "../../phone-number.ts";
import { PlaceFields } from "../place-fields.tsx";
import { said } from "../../words.ts";
import { words } from "./words.ts";

export const CONTACT_FIELDS = [
  "contact_name",
  "contact_number",
  "contact_email",
  "contact_time_zone",
  "contact_region",
  "notes",
] as const;
export const CONTACT_LABELS: Readonly<Record<string, string>> = {
  contact_name: words.name,
  contact_number: words.number,
  contact_email: words.email,
  contact_time_zone: said.calleePlace.zone,
  contact_region: said.calleePlace.region,
  notes: words.notes,
};
export type Contact = Record<(typeof CONTACT_FIELDS)[number], string>;

export function contactOf(appointment: Appointment | null): Contact {
  return {
    contact_name: appointment?.contact_name ?? "",
    contact_number: appointment?.contact_number ?? "",
    contact_email: appointment?.contact_email ?? "",
    contact_time_zone: appointment?.contact_time_zone ?? "",
    contact_region: appointment?.contact_region ?? "",
    notes: appointment?.notes ?? "",
  };
}

/** The API takes null for an empty field. */
export function contactBody(contact: Contact): Record<keyof Contact, string | null> {
  const given = (text: string) => text.trim() || null;
  return {
    contact_name: given(contact.contact_name),
    contact_number: contact.contact_number.trim() === "" ? null : dialled(contact.contact_number),
    contact_email: given(contact.contact_email),
    contact_time_zone: given(contact.contact_time_zone),
    contact_region: given(contact.contact_region),
    notes: given(contact.notes),
  };
}

interface ContactFieldsProps {
  contact: Contact;
  onContact: (contact: Contact) => void;
  faults: Record<string, string>;
  /** Fields before the notes. */
  children?: ComponentChildren;
}

export function ContactFields({ contact, onContact, faults, children }: ContactFieldsProps) {
  const { at } = fieldsOf(contact, (change) => onContact({ ...contact, ...change }), faults);
  return (
    <>
      <TextField label={words.name} maxLength={200} autoComplete="off" {...at("contact_name")} />
      <PhoneField label={words.number} {...at("contact_number")} />
      <TextField label={words.email} type="email" maxLength={254} autoComplete="off" {...at("contact_email")} />
      <PlaceFields number={contact.contact_number} zone={at("contact_time_zone")} region={at("contact_region")} />
      {children}
      <div class="wide">
        <TextArea label={words.notes} rows={2} {...at("notes")} />
      </div>
    </>
  );
}
