// Contacts: people by number, found by name, number or appointment, and what is known of one of them.
import type { Actor } from "../core/actor.ts";
import { CONTACT_READ } from "../accounts/audit-subject-store.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { bookedContacts, nextAppointmentsAmong } from "../calendar/appointment-store.ts";
import { identifiersLike, type IdentifierQuestion } from "../calendar/identifier-store.ts";
import type { AppointmentService } from "../calendar/appointment-service.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import type { ContactNotes } from "../calls/people/contact-notes.ts";
import {
  contactNamesAmong,
  contactNumbersAfter,
  findContacts,
  isContactKnown,
  newestContacts,
  type KnownContact,
} from "../calls/people/contact-store.ts";
import { doNotDisturbAmong } from "../calls/people/do-not-disturb-store.ts";
import type { CallService } from "../calls/service.ts";
import { DAY_MS, toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Reach } from "../core/reach.ts";
import type { Database } from "../db/database.ts";
import type { ConsentService } from "../rules/consent/service.ts";
import type { HoldService } from "../rules/holds/hold-service.ts";
import { mentionsWithin, peopleAmong } from "./people-of-number.ts";
import { contactQuestion, type ContactQuestion } from "./contact-question.ts";
import type { ListPeopleInput, SearchPeopleInput } from "./model.ts";

export interface ContactsDeps {
  db: Database;
  clock: Clock;
  calls: CallService;
  appointments: AppointmentService;
  contactNotes: ContactNotes;
  contactIds: ContactIds;
  consents: Pick<ConsentService, "ofNumber">;
  readNotes: ReadNotes;
  holds: Pick<HoldService, "about">;
}

/** Rows read for a page of people, because one person may have many rows. */
const MOST_READ = 500;
const MOST_FOUND = 50;
const MOST_SHOWN = "50";

export class Contacts {
  constructor(private readonly deps: ContactsDeps) {}

  /** Newest first; without a text, the most recently called people. */
  async search(organisationId: string, text: string, actor: Actor) {
    const known = await this.#identified(organisationId, { value: text.trim() });
    const found = await this.#found(organisationId, contactQuestion(text), actor.reach);
    return this.#shown(organisationId, [...(await this.#inReach(organisationId, known, actor)), ...found], actor);
  }

  async searchIdentifier(organisationId: string, question: IdentifierQuestion, actor: Actor) {
    const found = await this.#inReach(organisationId, await this.#identified(organisationId, question), actor);
    return this.#shown(organisationId, found, actor);
  }

  /** Found without regard to a reach. */
  async #inReach(organisationId: string, found: readonly KnownContact[], { reach }: Actor) {
    if (!reach || found.length === 0) return found;
    const numbers = [...new Set(found.map(({ number }) => number))];
    const mentions = await mentionsWithin(this.deps.db.heavy, organisationId, numbers, reach);
    return found.flatMap((one) => {
      const newest = mentions.find(({ number, name }) => number === one.number && name === (one.name ?? ""));
      return newest ? [{ ...one, at: newest.at }] : [];
    });
  }

  async #shown(organisationId: string, found: readonly KnownContact[], actor: Actor) {
    const rows = found.toSorted((a, b) => b.at - a.at);
    const byNumber = new Map([...Map.groupBy(rows, ({ number }) => number)].slice(0, MOST_FOUND));
    const people = await this.#people(organisationId, [...byNumber.keys()], actor);
    return people.map((person) => {
      const known = byNumber.get(person.number) ?? [];
      return { ...person, name: known.find(({ name }) => name !== null)?.name ?? null, at: toIso(known[0]?.at ?? 0) };
    });
  }

  /** For requests: a text must search for something. */
  searchFor(organisationId: string, { text, identifier }: SearchPeopleInput, actor: Actor) {
    if ((text === undefined) === (identifier === undefined))
      throw invalidField("text", "Send text or identifier, one of them.");
    if (identifier !== undefined) return this.searchIdentifier(organisationId, identifier, actor);
    if (text === undefined || contactQuestion(text).kind === "nobody")
      throw invalidField("text", "text must have at least two letters or three digits, or be a date.");
    return this.search(organisationId, text, actor);
  }

  /** Everyone who was called or has an appointment, in the order of their numbers. */
  async page(organisationId: string, input: ListPeopleInput, actor: Actor) {
    const { contactIds } = this.deps;
    const { heavy: reader } = this.deps.db;
    const limit = pageSize(input.limit);
    const numbers = await contactNumbersAfter(reader, organisationId, this.#after(organisationId, input), limit + 1);
    const page = numbers.slice(0, limit);
    const names = await contactNamesAmong(reader, organisationId, page);
    const people = await this.#people(organisationId, page, actor);
    const last = contactIds.idOf(organisationId, page.at(-1) ?? "");
    return {
      data: people.map((person) => ({ ...person, name: names.get(person.number) ?? null })),
      next_cursor: numbers.length > limit && last !== null ? encodeCursor({ createdAt: 0, id: last }, input) : null,
    };
  }

  /** A cursor holds the id of a contact: it stands in URLs, where no number may stand. */
  #after(organisationId: string, input: ListPeopleInput): string | null {
    if (input.cursor === undefined) return null;
    const number = this.deps.contactIds.numberOf(organisationId, decodeCursor(input.cursor, input).id);
    if (number === null) throw invalidField("cursor", "cursor must be the next_cursor of an earlier answer.");
    return number;
  }

  async #identified(organisationId: string, question: IdentifierQuestion): Promise<KnownContact[]> {
    if (question.value.trim() === "") return [];
    const found = await identifiersLike(this.deps.db.heavy, organisationId, question, MOST_READ);
    return found.flatMap(({ number, name, updated_at: at }) =>
      number === "" ? [] : [{ number, name: name === "" ? null : name, at }],
    );
  }

  async #found(organisationId: string, question: ContactQuestion, reach?: Reach): Promise<KnownContact[]> {
    const { heavy: reader } = this.deps.db;
    switch (question.kind) {
      case "nobody":
        return newestContacts(reader, organisationId, MOST_READ, reach);
      case "name":
        return findContacts(reader, organisationId, question.name, reach);
      case "number":
        return findContacts(reader, organisationId, question.digits, reach);
      case "day":
        return bookedContacts(reader, organisationId, { date: question.date }, MOST_READ, reach);
      case "appointment":
        return bookedContacts(reader, organisationId, { id: question.id }, MOST_READ, reach);
    }
  }

  async #people(organisationId: string, numbers: readonly string[], actor: Actor) {
    const { db, clock, contactIds, readNotes } = this.deps;
    const quiet = await doNotDisturbAmong(db.heavy, organisationId, numbers);
    // One day early, because a branch may be west of UTC.
    const today = toIso(clock.now() - DAY_MS).slice(0, 10);
    const next = await nextAppointmentsAmong(db.heavy, organisationId, numbers, today, actor.reach);
    const people = await peopleAmong(db.heavy, organisationId, numbers, actor.reach);
    await readNotes.note({ organisationId, actor, action: "contact.listed", detail: { count: numbers.length } });
    return numbers.map((number) => ({
      contact_id: contactIds.idOf(organisationId, number),
      number,
      people: people.get(number) ?? [],
      next_appointment: next.get(number) ?? null,
      is_do_not_disturb: quiet.has(number),
    }));
  }

  /**
   * The number for an id, as long as a call, an appointment or a consent of the person is stored. After that the id is
   * unknown.
   */
  async numberOf(organisationId: string, id: string): Promise<string> {
    const { db, contactIds, consents } = this.deps;
    const number = contactIds.numberOf(organisationId, id);
    if (number === null) throw unknownContact();
    const isKnown = await isContactKnown(db.heavy, organisationId, number);
    if (!isKnown && (await consents.ofNumber(organisationId, number)).length === 0) throw unknownContact();
    return number;
  }

  async one(organisationId: string, number: string, actor: Actor) {
    const { db, calls, appointments, contactNotes, contactIds, consents, readNotes, holds } = this.deps;
    const callPage = await calls.list(organisationId, { contact_number: number, limit: MOST_SHOWN }, actor);
    const booked = await appointments.list(organisationId, { contact_number: number, limit: MOST_SHOWN }, actor);
    const quiet = (await doNotDisturbAmong(db.heavy, organisationId, [number])).get(number);
    const names = [...callPage.data, ...booked.data].flatMap(({ contact_name }) => contact_name ?? []);
    const contactId = contactIds.idOf(organisationId, number);
    await readNotes.note({ organisationId, actor, action: CONTACT_READ, subjectId: contactId });
    return {
      contact_id: contactId,
      number,
      names: [...new Set(names)],
      people: (await peopleAmong(db.heavy, organisationId, [number], actor.reach)).get(number) ?? [],
      calls: callPage.data,
      has_more_calls: callPage.next_cursor !== null,
      appointments: booked.data,
      has_more_appointments: booked.next_cursor !== null,
      // A hold on the person may be about another branch.
      holds: await holds.about(organisationId, actor.reach ? [] : [number]),
      do_not_disturb_since: toIsoOrNull(quiet?.at ?? null),
      do_not_disturb_source: quiet?.source ?? null,
      do_not_disturb_call_id: actor.reach ? null : (quiet?.callId ?? null),
      consents: await consents.ofNumber(organisationId, number),
      notes: await contactNotes.list(organisationId, number, actor),
    };
  }
}

export type FoundContact = Awaited<ReturnType<Contacts["search"]>>[number];
export type ContactData = Awaited<ReturnType<Contacts["one"]>>;

const unknownContact = () => new AppError("NOT_FOUND", "There is no record of this person, or no longer.");
