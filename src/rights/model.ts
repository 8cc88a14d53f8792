// Schemas of the routes of people.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { CALL_STATES } from "../payloads/call-state.ts";
import { AppointmentSchema } from "../payloads/appointment.ts";
import { identifierList, identifierSystem, identifierValue } from "../payloads/identifiers.ts";
import { CONSENT_STATES } from "../payloads/consent.ts";
import { DISPOSITIONS } from "../payloads/conversation.ts";
import { PURPOSES } from "../payloads/lawful.ts";

export const ListPeopleQuery = Type.Object({
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListPeopleInput = Static<typeof ListPeopleQuery>;

export const SearchPeopleSchema = Type.Object({
  text: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "At least two letters of a name, at least three digits of a number in any notation, the value of an " +
        "identifier, the day of an appointment, or an appointment_id.",
    }),
  ),
  identifier: Type.Optional(
    Type.Object(
      {
        system: Type.Optional(identifierSystem()),
        value: identifierValue(),
      },
      { description: "Instead of text. Case, spaces and hyphens of the value do not count." },
    ),
  ),
});
export type SearchPeopleInput = Static<typeof SearchPeopleSchema>;

const contactNumber = Type.String({ description: "E.164, or what the network showed of a caller without a number." });

const peopleOfNumber = Type.Array(Type.Object({ names: Type.Array(Type.String()), identifiers: identifierList() }), {
  description: "The people behind the number, told apart by identifiers, then by names.",
});

const PersonRowSchema = Type.Object({
  contact_id: nullable(Type.String({ description: "Names the person in URLs; null without a number in E.164." })),
  contact_number: contactNumber,
  contact_name: nullable(Type.String({ description: "The newest." })),
  people: peopleOfNumber,
  next_appointment: nullable(
    Type.Object({
      date: Type.String({ format: "date" }),
      start_time: Type.String({ description: "HH:MM in the branch's time zone." }),
      branch_id: Type.String({ format: "uuid" }),
    }),
  ),
  is_do_not_disturb: Type.Boolean(),
});
export type PersonRow = Static<typeof PersonRowSchema>;

const PersonSchema = Type.Object({
  contact_id: nullable(Type.String()),
  contact_number: contactNumber,
  names: Type.Array(Type.String(), { description: "Every name in the calls and appointments." }),
  people: peopleOfNumber,
  do_not_disturb_since: nullable(isoTime()),
  calls: Type.Array(
    Type.Object({
      call_id: Type.String(),
      status: oneOf(CALL_STATES),
      call_direction: oneOf(["outbound", "inbound"]),
      disposition: nullable(oneOf(DISPOSITIONS)),
      created_at: isoTime(),
    }),
    { description: "The newest 50; `GET /v1/calls/{call_id}` has the rest of each." },
  ),
  has_more_calls: Type.Boolean(),
  appointments: Type.Array(
    Type.Pick(AppointmentSchema, [
      "appointment_id",
      "status",
      "branch_id",
      "appointment_type_id",
      "date",
      "start_time",
      "created_at",
    ]),
    { description: "The newest 50; `GET /v1/appointments/{appointment_id}` has the rest of each." },
  ),
  has_more_appointments: Type.Boolean(),
  consents: Type.Array(
    Type.Object({ consent_id: Type.String(), purpose: oneOf(PURPOSES), status: oneOf(CONSENT_STATES) }),
  ),
  notes: Type.Array(Type.Object({ note_id: Type.String(), text: Type.String(), at: isoTime() }), {
    description: "What colleagues noted about the person, newest first.",
  }),
});
export type Person = Static<typeof PersonSchema>;

export const PeopleListSchema = Type.Object({
  data: Type.Array(PersonRowSchema),
  next_cursor: nullable(Type.String()),
});
export const FoundPeopleSchema = Type.Object({ data: Type.Array(PersonRowSchema, { maxItems: 50 }) });
export const PersonAnswerSchema = Type.Object({ data: PersonSchema });
