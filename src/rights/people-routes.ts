// Routes of people who were called or have an appointment. A number never stands in a URL: the text of a search
// is sent in the body, and one person is named by an opaque id.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import type { ContactData, Contacts, FoundContact } from "./contacts.ts";
import {
  FoundPeopleSchema,
  ListPeopleQuery,
  PeopleListSchema,
  PersonAnswerSchema,
  SearchPeopleSchema,
  type Person,
  type PersonRow,
} from "./model.ts";

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["People"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function peopleRoutes(guard: Guard, contacts: Contacts) {
  return new Elysia({ name: "people" })
    .use(guard)
    .get(
      "/v1/people",
      async ({ principal, actor, query }) => {
        const { data, next_cursor } = await contacts.page(principal.organisationId, query, actor);
        return { data: data.map(rowOf), next_cursor };
      },
      {
        scope: "people:read",
        query: ListPeopleQuery,
        answers: { 200: PeopleListSchema },
        detail: detail("listPeople", "List the people who were called or have an appointment"),
      },
    )
    .post(
      "/v1/people/search",
      async ({ principal, actor, body }) => ({
        data: (await contacts.searchFor(principal.organisationId, body, actor)).map(rowOf),
      }),
      {
        scope: "people:read",
        creates: false,
        json: true,
        body: SearchPeopleSchema,
        answers: { 200: FoundPeopleSchema },
        detail: detail("searchPeople", "Find people by name, number, identifier or appointment, newest first", [], {
          "x-example": { text: "98100 12345" },
        }),
      },
    )
    .get(
      "/v1/people/:contact_id",
      async ({ principal: { organisationId }, actor, params }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        return { data: personOf(await contacts.one(organisationId, number, actor)) };
      },
      {
        scope: "people:read",
        params: Type.Object({ contact_id: Type.String({ maxLength: 64 }) }),
        answers: { 200: PersonAnswerSchema },
        detail: detail("getPerson", "Calls, appointments, consents and notes of one person", ["NOT_FOUND"]),
      },
    );
}

const rowOf = ({
  contact_id,
  number,
  name,
  people,
  next_appointment,
  is_do_not_disturb,
}: Omit<FoundContact, "at">): PersonRow => ({
  contact_id,
  contact_number: number,
  contact_name: name,
  people,
  next_appointment,
  is_do_not_disturb,
});

function personOf(person: ContactData): Person {
  return {
    contact_id: person.contact_id,
    contact_number: person.number,
    names: person.names,
    people: person.people,
    do_not_disturb_since: person.do_not_disturb_since,
    calls: person.calls.map(({ call_id, status, call_direction, call_analytics, created_at }) => ({
      call_id,
      status,
      call_direction,
      disposition: call_analytics?.disposition ?? null,
      created_at,
    })),
    has_more_calls: person.has_more_calls,
    appointments: person.appointments.map((row) => ({
      appointment_id: row.appointment_id,
      status: row.status,
      branch_id: row.branch_id,
      appointment_type_id: row.appointment_type_id,
      date: row.date,
      start_time: row.start_time,
      created_at: row.created_at,
    })),
    has_more_appointments: person.has_more_appointments,
    consents: person.consents.map(({ consent_id, purpose, status }) => ({ consent_id, purpose, status })),
    notes: person.notes.map(({ note_id, text, at }) => ({ note_id, text, at })),
  };
}
