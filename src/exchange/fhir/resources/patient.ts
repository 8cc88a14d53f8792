// Patient: a person who was called or has an appointment. Nothing but what calls and appointments say is known.
import type { Patient, Reference } from "fhir/r4";
import { CONTACT_READ } from "../../../accounts/audit-subject-store.ts";
import type { ReadNotes } from "../../../accounts/read-notes.ts";
import { identifiersLike } from "../../../calendar/identifier-store.ts";
import { allContactNamesAmong, contactNumbersAfter } from "../../../calls/people/contact-store.ts";
import type { ContactIds } from "../../../calls/people/contact-ids.ts";
import type { Database } from "../../../db/database.ts";
import type { Identifier } from "../../../payloads/identifiers.ts";
import { peopleAmong, type PersonOfNumber } from "../../../rights/people-of-number.ts";
import { ID, type Asker, type Candidates, type Kind, type Page, type Search } from "../kind.ts";
import { personMeant, type PatientIds } from "../patient-ids.ts";
import { codeOf } from "../search.ts";
import { fhirIdentifier, systemOf } from "../systems.ts";

export interface PatientDeps {
  db: Pick<Database, "heavy">;
  contactIds: ContactIds;
  patientIds: PatientIds;
  readNotes: ReadNotes;
}

export function patientResource(id: string, number: string, person: PersonOfNumber | null): Patient {
  const { names = [], identifiers = [] } = person ?? {};
  return {
    resourceType: "Patient",
    id,
    ...(identifiers.length > 0 && { identifier: identifiers.map(fhirIdentifier) }),
    ...(names.length > 0 && { name: names.map((text) => ({ text })) }),
    telecom: [{ system: "phone", value: number }],
  };
}

/** What a call or appointment says about its person. */
export interface MentionedPerson {
  number: string | null;
  name: string | null;
  identifiers: readonly Identifier[];
}

export type PatientReferences = (mention: MentionedPerson) => Reference;

/** Reads the people behind the numbers once, for the references of a page. */
export async function patientReferences(
  { db, patientIds }: Pick<PatientDeps, "db" | "patientIds">,
  organisationId: string,
  mentions: readonly MentionedPerson[],
): Promise<PatientReferences> {
  const numbers = [...new Set(mentions.flatMap(({ number }) => number ?? []))];
  const people = await peopleAmong(db.heavy, organisationId, numbers);
  return ({ number, name, identifiers }) => {
    const known = people.get(number ?? "") ?? [];
    const person = personMeant(known, { name: name ?? "", identifiers });
    const isTold = person !== null || known.length === 0;
    const id = number === null || !isTold ? null : patientIds.idOf(organisationId, number, person);
    const [identifier] = identifiers;
    return {
      ...(id !== null && { reference: `Patient/${id}` }),
      type: "Patient",
      ...(id === null && identifier && { identifier: fhirIdentifier(identifier) }),
      ...(name && { display: name }),
    };
  };
}

export function patients(deps: PatientDeps): Kind<Patient> {
  return {
    type: "Patient",
    scope: "people:read",
    says: "A person who was called or has an appointment, as far as calls and appointments tell. Read only.",
    params: [
      ID,
      {
        name: "identifier",
        type: "token",
        says: "An identifier of the hospital's own systems, `system|value` or `value`.",
        of: ({ identifier = [] }) =>
          identifier.flatMap(({ system, value }) => [
            { system, code: value },
            { system: systemOf(system ?? ""), code: value },
          ]),
      },
      {
        name: "phone",
        type: "token",
        says: "The number in E.164, such as `+919876543210` (`%2B91…` in an address).",
        normalised: withPlus,
        of: ({ telecom = [] }) => telecom.map(({ value }) => ({ system: "phone", code: value })),
      },
    ],
    includes: [],
    read: (asker, ids) => read(deps, asker, ids),
    candidates: (asker, search, page) => candidates(deps, asker, search, page),
  };
}

async function read(deps: PatientDeps, asker: Asker, ids: readonly string[]): Promise<Patient[]> {
  const { organisationId } = asker;
  const numbers = new Set(ids.flatMap((id) => deps.patientIds.numberOf(organisationId, id) ?? []));
  const known = await knownAmong(deps, organisationId, [...numbers]);
  const people = await all(deps, organisationId, known);
  const found = ids.flatMap((id) => {
    const present = people.find((patient) => patient.id === id);
    const former = people.find((patient) => patient.formerIds.includes(id));
    return present ?? (former ? asFormer(former, id) : []);
  });
  const patients = found.map(({ formerIds: _, ...patient }) => patient);
  const [number] = known;
  if (patients.length !== 1 || number === undefined) return shown(deps, asker, patients);
  const subjectId = deps.contactIds.idOf(organisationId, number);
  await deps.readNotes.note({ organisationId, actor: asker.actor, action: CONTACT_READ, subjectId });
  return patients;
}

/** The present ids of people who are searched for by a former one. */
export async function presentPatients(
  deps: Pick<PatientDeps, "db" | "patientIds">,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = new Set(ids.flatMap((id) => deps.patientIds.numberOf(organisationId, id) ?? []));
  const people = numbers.size === 0 ? [] : await all(deps, organisationId, [...numbers]);
  return new Map(people.flatMap(({ id = "", formerIds }) => formerIds.map((former) => [former, id] as const)));
}

/** The person under an id of before more was known, with a link to the present one. */
const asFormer = (patient: KnownPatient, id: string): KnownPatient => ({
  ...patient,
  id,
  link: [{ other: { reference: `Patient/${patient.id}` }, type: "refer" }],
});

/** An erased person is not known any more, although the id still has the number. */
async function knownAmong({ db }: PatientDeps, organisationId: string, numbers: readonly string[]) {
  const contacts = await allContactNamesAmong(db.heavy, organisationId, numbers);
  const known = new Set(contacts.map(({ number }) => number));
  return numbers.filter((number) => known.has(number));
}

type KnownPatient = Patient & { formerIds: readonly string[] };

/** Each person of the numbers, in the order of the numbers, then of their ids. */
async function all(
  { db, patientIds }: Pick<PatientDeps, "db" | "patientIds">,
  organisationId: string,
  numbers: readonly string[],
): Promise<KnownPatient[]> {
  const people = await peopleAmong(db.heavy, organisationId, numbers);
  return numbers.flatMap((number) => {
    const known = people.get(number) ?? [];
    return (known.length === 0 ? [null] : known)
      .flatMap((person) => {
        const id = patientIds.idOf(organisationId, number, person);
        const ids = person === null ? [] : patientIds.idsOf(organisationId, number, person);
        return id === null ? [] : [{ ...patientResource(id, number, person), formerIds: ids.slice(1) }];
      })
      .toSorted((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1));
  });
}

async function shown(
  { readNotes }: PatientDeps,
  { organisationId, actor }: Asker,
  found: readonly Patient[],
): Promise<Patient[]> {
  if (found.length > 0)
    await readNotes.note({ organisationId, actor, action: "contact.listed", detail: { count: found.length } });
  return [...found];
}

/** Subjects of one identifier; more are of people who share it by mistake. */
const MOST_IDENTIFIED = 500;

async function candidates(
  deps: PatientDeps,
  asker: Asker,
  search: Search,
  { after, limit }: Page,
): Promise<Candidates<Patient>> {
  const { organisationId } = asker;
  const last = after === null ? null : deps.patientIds.numberOf(organisationId, after);
  const named = await namedNumbers(deps, organisationId, search);
  const further = named
    ? named.filter((number) => last === null || number > last)
    : await contactNumbersAfter(deps.db.heavy, organisationId, last, limit + 1);
  // Others of the last number may be left.
  const numbers = [...(last === null ? [] : [last]), ...further.slice(0, limit + 1)];
  const people = (await all(deps, organisationId, numbers)).map(({ formerIds: _, ...patient }) => patient);
  const isLeft = ({ id = "" }: Patient) =>
    after === null || deps.patientIds.numberOf(organisationId, id) !== last || id > after;
  const rest = people.filter(isLeft);
  const resources = await shown(deps, asker, rest.slice(0, limit));
  return { resources, next: rest.length > limit ? (resources.at(-1)?.id ?? null) : null };
}

/** The only numbers that a search can match, in order; null if it names none. */
async function namedNumbers(deps: PatientDeps, organisationId: string, search: Search): Promise<string[] | null> {
  const phone = codeOf(search, "phone");
  if (phone !== undefined) return knownAmong(deps, organisationId, [withPlus(phone)]);
  const value = codeOf(search, "identifier");
  if (value === undefined) return null;
  const found = await identifiersLike(deps.db.heavy, organisationId, { value }, MOST_IDENTIFIED);
  return [...new Set(found.map(({ number }) => number))].filter((number) => number !== "").toSorted();
}

/** An unencoded plus arrives as a space. */
const withPlus = (number: string) => number.replace(/^ /, "+");
