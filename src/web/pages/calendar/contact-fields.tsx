// Contact fields of an appointment.
import type { ComponentChildren } from "preact";
import type { Appointment } from "../../../payloads/appointment.ts";
import { TextArea, TextField } from "../../kit/field.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { words } from "./words.ts";

export const CONTACT_FIELDS = ["contact_name", "contact_number", "contact_email", "notes"] as const;
export type Contact = Record<(typeof CONTACT_FIELDS)[number], string>;

export function contactOf(appointment: Appointment | null): Contact {
  return {
    contact_name: appointment?.contact_name ?? "",
    contact_number: appointment?.contact_number ?? "",
    contact_email: appointment?.contact_email ?? "",
    notes: appointment?.notes ?? "",
  };
}

/** The API takes null for an empty field. */
export function contactBody(contact: Contact): Record<keyof Contact, string | null> {
  const given = (text: string) => text.trim() || null;
  return {
    contact_name: given(contact.contact_name),
    contact_number: given(contact.contact_number)?.replaceAll(/[\s()-]/g, "") ?? null,
    contact_email: given(contact.contact_email),
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
      <TextField
        label={words.number}
        hint={words.numberHint}
        type="tel"
        maxLength={32}
        autoComplete="off"
        {...at("contact_number")}
      />
      <TextField label={words.email} type="email" maxLength={254} autoComplete="off" {...at("contact_email")} />
      {children}
      <div class="wide">
        <TextArea label={words.notes} rows={2} {...at("notes")} />
      </div>
    </>
  );
}
