// What an Appointment resource asks for: place, service, person and link to the hospital's own system. FHIR forbids to
// ignore a modifier; other elements that are not kept are left out.
import type { Appointment, AppointmentParticipant, Identifier, Patient, Reference } from "fhir/r4";
import { schemaFault } from "../../../core/schema-fault.ts";
import { CreateAppointmentSchema, type CreateAppointmentInput } from "../../../calendar/model.ts";
import type { AppointmentStatus } from "../../../calendar/records.ts";
import { availabilitySlotId } from "../../../calendar/slot-id.ts";
import { invalidField, missingField } from "../../../core/errors.ts";
import { idIn, ownId, slotKeyOf } from "../ids.ts";
import { isObject, textOf } from "../json.ts";
import { SERVICE_SYSTEM, sourceIn } from "../systems.ts";
import { contactIn, identifierIn, type Contact } from "./read-patient.ts";

/** Statuses that FHIR has and the calendar keeps. Someone who arrived is seen: the calendar knows no step between. */
const STATUS_OF: Readonly<Partial<Record<Appointment["status"], AppointmentStatus>>> = {
  booked: "confirmed",
  arrived: "completed",
  "checked-in": "completed",
  fulfilled: "completed",
  cancelled: "cancelled",
  noshow: "no_show",
};

const MOST_PARTICIPANTS = 20;

export function statusIn(status: unknown): AppointmentStatus {
  const known = textOf(status) ?? "";
  const own = Object.hasOwn(STATUS_OF, known) ? STATUS_OF[known as Appointment["status"]] : undefined;
  if (own === undefined) throw invalidField("status", `status must be one of ${Object.keys(STATUS_OF).join(", ")}.`);
  return own;
}

/** Checked to be an Appointment without modifiers. */
export function appointmentIn(body: unknown): Appointment {
  if (!isObject(body) || body["resourceType"] !== "Appointment")
    throw invalidField("resourceType", "The body must be an Appointment resource.");
  for (const modifier of ["modifierExtension", "implicitRules"])
    if (body[modifier] !== undefined) throw invalidField(modifier, `${modifier} is not understood here. Leave it out.`);
  const { participant, contained } = body;
  for (const [name, list] of Object.entries({ participant, contained }))
    if (list !== undefined && !(Array.isArray(list) && list.length <= MOST_PARTICIPANTS && list.every(isObject)))
      throw invalidField(name, `${name} must be a list of at most ${MOST_PARTICIPANTS} objects.`);
  return body as unknown as Appointment;
}

/** The slot_id of the only Slot. */
export function slotIn(slot: unknown): string {
  const references = Array.isArray(slot) ? (slot as unknown[]) : [];
  const [reference] = references;
  const key = isObject(reference) ? slotKeyOf(idIn(textOf(reference["reference"]), "Slot") ?? "") : null;
  if (!key || references.length !== 1)
    throw invalidField("slot", 'slot must be a list with one reference to a Slot, such as [{ reference: "Slot/…" }].');
  return availabilitySlotId(key.calendarId, key.date);
}

/** Undefined if it says nothing of the service; null if it has none. */
export function serviceIn(serviceType: unknown): string | null | undefined {
  if (serviceType === undefined) return undefined;
  const concepts: unknown[] = Array.isArray(serviceType) ? serviceType : [];
  const codings = concepts.flatMap((each): unknown[] => {
    const { coding } = isObject(each) ? (each as { coding?: unknown }) : {};
    return Array.isArray(coding) ? coding : [];
  });
  if (codings.length === 0) return null;
  const own = codings.find((each) => isObject(each) && each["system"] === SERVICE_SYSTEM) as
    | { code?: unknown }
    | undefined;
  const code = textOf(own?.code);
  if (code === undefined)
    throw invalidField("serviceType", `serviceType must have a coding of the system ${SERVICE_SYSTEM}.`);
  return code;
}

/** What another system sent may lack what FHIR requires. */
type Sent = Partial<Pick<Appointment, "participant" | "contained">>;

const actorsOf = (participant: readonly AppointmentParticipant[]): Reference[] =>
  participant.flatMap(({ actor }) => (isObject(actor) ? [actor as Reference] : []));

/** The id of the first participant of this type. */
export function actorIn({ participant = [] }: Sent, type: string): string | undefined {
  return actorsOf(participant).flatMap(({ reference }) => idIn(textOf(reference), type) ?? [])[0];
}

/** A doctor is named by identifier and display: the calendar has no Practitioner resources. */
export function practitionerIn({ participant = [] }: Sent): CreateAppointmentInput["practitioner"] {
  for (const { type, reference, identifier, display } of actorsOf(participant)) {
    const known = idIn(textOf(reference), "Practitioner");
    if (type !== "Practitioner" && known === null) continue;
    return { id: textOf(identifier?.value) ?? known, name: textOf(display) ?? null };
  }
  return undefined;
}

/** Id in one of the hospital's systems. */
export interface Link {
  source_id: string;
  external_id: string;
}

/** Null if it has no identifier of a source. */
export function linkIn(identifiers: readonly Identifier[] | undefined): Link | null {
  const links = (Array.isArray(identifiers) ? identifiers : []).flatMap((each) => (isObject(each) ? linkOf(each) : []));
  const [link = null, ...others] = links;
  if (others.length > 0) throw invalidField("identifier", "identifier must name one source at most.");
  return link;
}

export function linkOf({ system, value }: Identifier): Link | [] {
  const source_id = ownId("src", sourceIn(textOf(system) ?? "") ?? "");
  return source_id !== null && typeof value === "string" && value !== "" ? { source_id, external_id: value } : [];
}

/** Reads Patients that this server knows. Throws on an unknown one. */
export type KnownPatient = (id: string) => Promise<Patient>;

/** The person, as the resource says it: a Patient of this server, a contained one, or an identifier and a name. */
export async function personIn({ participant = [], contained = [] }: Sent, known: KnownPatient): Promise<Contact> {
  const [actor, ...others] = actorsOf(participant).filter(isPatient);
  if (others.length > 0) throw invalidField("participant", "participant must have one Patient at most.");
  if (!actor) return {};
  const { reference, identifier, display } = actor;
  const inside = contained.find((each) => textOf(reference) === `#${textOf(each.id) ?? ""}`);
  if (inside?.resourceType === "Patient") return contactIn(inside as Patient);
  const id = idIn(textOf(reference), "Patient");
  if (id !== null) return contactIn(await known(id));
  const identifiers = identifier ? identifierIn(identifier) : [];
  return {
    ...(typeof display === "string" && display.trim() !== "" && { contact_name: display.trim() }),
    ...(identifiers.length > 0 && { contact_identifiers: identifiers }),
  };
}

const isPatient = ({ type, reference }: Reference): boolean =>
  type === "Patient" || idIn(textOf(reference), "Patient") !== null || (textOf(reference)?.startsWith("#") ?? false);

/** With the lengths and forms of the API. */
export function checkedBooking(input: CreateAppointmentInput): CreateAppointmentInput {
  const fault = schemaFault(CreateAppointmentSchema, input);
  if (fault) throw fault;
  if (!input.contact_number && !input.contact_name && !input.contact_identifiers?.length)
    throw invalidField("participant", missingField("A Patient with a name, phone number or identifier"));
  return input;
}
