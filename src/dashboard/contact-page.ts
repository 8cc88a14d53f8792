// Contacts: search by name, number or appointment, and all data of one person in a single response.
import type { Actor } from "../core/actor.ts";
import { CONTACT_READ } from "../accounts/audit-subject-store.ts";
import { namesOfPeople } from "../accounts/person-store.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { bookedContacts, nextAppointmentsAmong } from "../calendar/appointment-store.ts";
import type { AppointmentService } from "../calendar/appointment-service.ts";
import type { ContactNotes } from "../calls/people/contact-notes.ts";
import { findContacts, isContactKnown, newestContacts, type KnownContact } from "../calls/people/contact-store.ts";
import { doNotDisturbAmong } from "../calls/people/do-not-disturb-store.ts";
import type { CallService } from "../calls/service.ts";
import { DAY_MS, toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import { callListRow } from "./call-page.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import { contactQuestion, type ContactQuestion } from "./contact-question.ts";

export interface ContactPageDeps {
  db: Database;
  clock: Clock;
  calls: CallService;
  appointments: AppointmentService;
  contactNotes: ContactNotes;
  contactIds: ContactIds;
  readNotes: ReadNotes;
}

/** Rows read for a page of people, because one person may have many rows. */
const MOST_READ = 500;
const MOST_FOUND = 50;
const MOST_SHOWN = "50";

export function createContactPage(deps: ContactPageDeps) {
  const { db, clock, calls, appointments, contactNotes, contactIds, readNotes } = deps;
  const { heavy: reader } = db;

  async function found(organisationId: string, question: ContactQuestion): Promise<KnownContact[]> {
    switch (question.kind) {
      case "nobody":
        return newestContacts(reader, organisationId, MOST_READ);
      case "name":
        return findContacts(reader, organisationId, question.name);
      case "number":
        return findContacts(reader, organisationId, question.digits);
      case "day":
        return bookedContacts(reader, organisationId, { date: question.date }, MOST_READ);
      case "appointment":
        return bookedContacts(reader, organisationId, { id: question.id }, MOST_READ);
    }
  }

  /** One day early, because a branch may be west of UTC. */
  const today = () => toIso(clock.now() - DAY_MS).slice(0, 10);

  return {
    /** Newest first; without a text, the most recently called people. */
    async search(organisationId: string, text: string, actor: Actor) {
      const rows = (await found(organisationId, contactQuestion(text))).toSorted((a, b) => b.at - a.at);
      const byNumber = [...Map.groupBy(rows, ({ number }) => number)].slice(0, MOST_FOUND);
      const numbers = byNumber.map(([number]) => number);
      const quiet = await doNotDisturbAmong(reader, organisationId, numbers);
      const next = await nextAppointmentsAmong(reader, organisationId, numbers, today());
      await readNotes.note({ organisationId, actor, action: "contact.listed", detail: { count: numbers.length } });
      return byNumber.map(([number, known]) => ({
        contact_id: contactIds.idOf(organisationId, number),
        number,
        name: known.find(({ name }) => name !== null)?.name ?? null,
        at: toIso(known[0]?.at ?? 0),
        next_appointment: next.get(number) ?? null,
        is_do_not_disturb: quiet.has(number),
      }));
    },

    /**
     * The number for an id, as long as a call or an appointment of the person is stored. After that the id is unknown.
     */
    async numberOf(organisationId: string, id: string): Promise<string> {
      const number = contactIds.numberOf(organisationId, id);
      if (number === null || !(await isContactKnown(reader, organisationId, number))) throw unknownContact();
      return number;
    },

    async one(organisationId: string, number: string, actor: Actor) {
      const callPage = await calls.list(organisationId, { contact_number: number, limit: MOST_SHOWN }, actor);
      const booked = await appointments.list(organisationId, { contact_number: number, limit: MOST_SHOWN }, actor);
      const quiet = await doNotDisturbAmong(reader, organisationId, [number]);
      const names = [...callPage.data, ...booked.data].flatMap(({ contact_name }) => contact_name ?? []);
      const notes = await contactNotes.list(organisationId, number);
      const authors = await namesOfPeople(
        reader,
        notes.map(({ person_id }) => person_id),
      );
      const contactId = contactIds.idOf(organisationId, number);
      await readNotes.note({ organisationId, actor, action: CONTACT_READ, subjectId: contactId });
      return {
        contact_id: contactId,
        number,
        names: [...new Set(names)],
        calls: callPage.data.map(callListRow),
        has_more_calls: callPage.next_cursor !== null,
        appointments: booked.data,
        do_not_disturb_since: toIsoOrNull(quiet.get(number) ?? null),
        notes: notes.map(({ person_id, ...note }) => ({ ...note, person_id, by: authors.get(person_id) ?? "" })),
      };
    },
  };
}

export type ContactPage = ReturnType<typeof createContactPage>;
export type ContactPageData = Awaited<ReturnType<ContactPage["one"]>>;
export type FoundContact = Awaited<ReturnType<ContactPage["search"]>>[number];

const unknownContact = () => new AppError("NOT_FOUND", "There is no record of this person, or no longer.");
