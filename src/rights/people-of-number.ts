// The people behind one number: a family may share a telephone. Identifiers tell them apart, then names.
import { appointmentWithin, callWithin } from "../accounts/reach-store.ts";
import { identifiersOfNumbers } from "../calendar/identifier-store.ts";
import { isSamePerson } from "../calendar/same-person.ts";
import { allContactNamesAmong } from "../calls/people/contact-store.ts";
import type { Reach } from "../core/reach.ts";
import type { Executor } from "../db/tables.ts";
import { distinctIdentifiers, identifiersIn, type Identifier } from "../payloads/identifiers.ts";

export interface PersonOfNumber {
  names: string[];
  identifiers: Identifier[];
}

/** What one call or appointment says about its person. */
export interface Mention {
  /** Empty where unknown. */
  name: string;
  identifiers: readonly Identifier[];
}

/** More are not told apart. */
const MOST_PEOPLE = 50;
/** Rows of each kind that are read for people with a reach. */
const MOST_MENTIONS = 1_000;

/** Newest mention first. A mention without a name and identifiers tells nothing, unless there is no other. */
export function peopleIn(mentions: readonly Mention[]): PersonOfNumber[] {
  const people: PersonOfNumber[] = [];
  // With identifiers first: a name alone joins the person who is known by more.
  for (const mention of mentions.toSorted(
    (a, b) => Number(b.identifiers.length > 0) - Number(a.identifiers.length > 0),
  ))
    addTo(people, mention);
  return people;
}

function addTo(people: PersonOfNumber[], { name, identifiers }: Mention): void {
  if (name === "" && identifiers.length === 0) return;
  const same = people.filter((person) => isOf(person, name, identifiers));
  const [first] = same;
  if (!first && people.length === MOST_PEOPLE) return;
  const person = first ?? { names: [], identifiers: [] };
  if (!first) people.push(person);
  // A mention with identifiers of two people, as after a merge of patients, makes them one.
  const others = identifiers.length > 0 ? same.slice(1) : [];
  person.names = distinctNames([
    ...person.names,
    ...others.flatMap(({ names }) => names),
    ...(name === "" ? [] : [name]),
  ]);
  person.identifiers = distinctIdentifiers([
    ...person.identifiers,
    ...others.flatMap((other) => other.identifiers),
    ...identifiers,
  ]);
  for (const other of others) people.splice(people.indexOf(other), 1);
}

/** They have the number in common, so without a common system the names decide. */
export function isOf(person: PersonOfNumber, name: string, identifiers: readonly Identifier[]): boolean {
  const mention = { contact_name: name, contact_identifiers: identifiers };
  const names = person.names.length === 0 ? [""] : person.names;
  return names.some((known) => isSamePerson({ contact_name: known, contact_identifiers: person.identifiers }, mention));
}

const spelled = (name: string) => name.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** In the first spelling. */
function distinctNames(names: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const name of names) if (!kept.has(spelled(name))) kept.set(spelled(name), name);
  return [...kept.values()];
}

/** By number. */
export async function peopleAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
  reach?: Reach,
): Promise<Map<string, PersonOfNumber[]>> {
  if (reach) {
    const mentions = Map.groupBy(await mentionsWithin(executor, organisationId, numbers, reach), (one) => one.number);
    return new Map(numbers.map((number) => [number, peopleIn(mentions.get(number) ?? [])]));
  }
  const names = Map.groupBy(await allContactNamesAmong(executor, organisationId, numbers), ({ number }) => number);
  const known = Map.groupBy(await identifiersOfNumbers(executor, organisationId, numbers), ({ number }) => number);
  return new Map(
    numbers.map((number) => {
      const subjects = Map.groupBy(known.get(number) ?? [], ({ subject_id }) => subject_id);
      const identified = [...subjects.values()].map((identifiers) => ({
        name: identifiers[0]?.name ?? "",
        identifiers: identifiers.map(({ system, value }) => ({ system, value })),
      }));
      const named = (names.get(number) ?? []).map(({ name }) => ({ name, identifiers: [] }));
      return [number, peopleIn([...identified, ...named])];
    }),
  );
}

/** What calls and appointments within a reach say about these numbers, the newest first. */
export async function mentionsWithin(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
  reach: Reach,
): Promise<(Mention & { number: string; at: number })[]> {
  if (numbers.length === 0) return [];
  const calls = await executor
    .selectFrom("calls")
    .select(["contact_number as number", "contact_name as name", "user_identifiers as identifiers", "created_at as at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where(callWithin(reach))
    .orderBy("created_at", "desc")
    .limit(MOST_MENTIONS)
    .execute();
  const appointments = await executor
    .selectFrom("appointments")
    .select((eb) => [
      eb.ref("contact_number").$notNull().as("number"),
      "contact_name as name",
      "contact_identifiers as identifiers",
      "created_at as at",
    ])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where(appointmentWithin(reach))
    .orderBy("created_at", "desc")
    .limit(MOST_MENTIONS)
    .execute();
  return [...calls, ...appointments]
    .toSorted((a, b) => b.at - a.at)
    .map(({ number, name, identifiers, at }) => ({
      number,
      name: name ?? "",
      identifiers: identifiersIn(identifiers),
      at,
    }));
}
