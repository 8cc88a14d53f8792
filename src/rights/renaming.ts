// Renames a person, and merges two people of one number, by giving the rows of one the name of the other. A family may
// share a telephone, so only the rows of the chosen person change. Numbers, identifiers, consents and what was said in
// calls stay.
import type { Audit } from "../accounts/audit.ts";
import type { AppointmentService } from "../calendar/appointment-service.ts";
import { isFinalStatus } from "../calendar/appointment-state.ts";
import { appointmentOf, updateAppointment } from "../calendar/appointment-store.ts";
import { callOf, updateCall } from "../calls/call/store.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { areOfOnePerson, type Identifier } from "../payloads/identifiers.ts";
import { updateEntry } from "../waiting-list/store.ts";
import { isOf, peopleAmong, type PersonOfNumber } from "./people-of-number.ts";
import { MOST_RENAMED, namedRowsOf, type NamedRow, type NamedRows } from "./renaming-store.ts";

export interface RenamingDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  appointments: Pick<AppointmentService, "within">;
}

/** A person as the page showed them. Without names and identifiers: the only one, of whom nothing is known. */
export interface ShownPerson {
  names: readonly string[];
  identifiers: readonly Identifier[];
}

/** How many rows were renamed. */
export interface Renamed {
  calls: number;
  appointments: number;
  waiting: number;
}

/** Placeholders that a name fills. */
const NAME_PLACEHOLDERS: readonly string[] = ["user_name", "contact_name"];

export class Renaming {
  constructor(private readonly deps: RenamingDeps) {}

  async rename(organisationId: string, number: string, person: ShownPerson, name: string, actor: Actor) {
    return this.deps.db.write(async (tx) => {
      const people = await this.#people(tx, organisationId, number);
      const chosen = foundAmong(people, person);
      const namesake = people.find((other) => other !== chosen && isOf(other, name, []) && other.names.length > 0);
      if (namesake)
        throw new AppError("CONFLICT", "Another person with this number has this name. Merge them instead.");
      const rows = await this.#rowsOf(tx, organisationId, number, people, chosen);
      return this.#apply(tx, organisationId, rows, name, actor, "contact.renamed");
    });
  }

  /** `person` gets the first name of `into`. */
  async merge(organisationId: string, number: string, person: ShownPerson, into: ShownPerson, actor: Actor) {
    return this.deps.db.write(async (tx) => {
      const people = await this.#people(tx, organisationId, number);
      const [one, other] = [foundAmong(people, person), foundAmong(people, into)];
      const [name] = other?.names ?? [];
      if (!one || !other || one === other || name === undefined) throw changedMeanwhile();
      if (areOfOnePerson(one.identifiers, other.identifiers) === false)
        throw new AppError("CONFLICT", "Their identifiers differ, so these are two people.");
      const rows = await this.#rowsOf(tx, organisationId, number, people, one);
      return this.#apply(tx, organisationId, rows, name, actor, "contact.merged");
    });
  }

  async #people(tx: Tx, organisationId: string, number: string): Promise<PersonOfNumber[]> {
    return (await peopleAmong(tx, organisationId, [number])).get(number) ?? [];
  }

  async #rowsOf(
    tx: Tx,
    organisationId: string,
    number: string,
    people: readonly PersonOfNumber[],
    chosen: PersonOfNumber | undefined,
  ): Promise<NamedRows> {
    const all = await namedRowsOf(tx, organisationId, number);
    if (Object.values(all).some((rows: NamedRow[]) => rows.length > MOST_RENAMED))
      throw new AppError("CONFLICT", `More than ${MOST_RENAMED} records have this number.`);
    const own = (rows: NamedRow[]) => rows.filter((row) => ownerOf(row, people) === chosen);
    return { calls: own(all.calls), appointments: own(all.appointments), waiting: own(all.waiting) };
  }

  async #apply(
    tx: Tx,
    organisationId: string,
    rows: NamedRows,
    name: string,
    actor: Actor,
    action: "contact.renamed" | "contact.merged",
  ): Promise<Renamed> {
    const { clock, audit, appointments } = this.deps;
    const updated_at = clock.now();
    const left = (of: readonly NamedRow[]) => of.filter((row) => row.name !== name);
    const [calls, booked, waiting] = [left(rows.calls), left(rows.appointments), left(rows.waiting)];
    for (const { id } of calls) {
      const missing = (await callOf(tx, organisationId, id))?.missing_placeholders ?? [];
      const missing_placeholders = missing.filter((each) => !NAME_PLACEHOLDERS.includes(each));
      await updateCall(tx, id, { contact_name: name, missing_placeholders, updated_at });
    }
    for (const { id } of booked) {
      const row = await appointmentOf(tx, organisationId, id);
      if (row && !isFinalStatus(row.status))
        await appointments.within.change(tx, organisationId, id, { contact_name: name }, actor);
      else await updateAppointment(tx, id, { contact_name: name, updated_at });
    }
    for (const { id } of waiting) await updateEntry(tx, id, { contact_name: name, updated_at });
    const renamed = { calls: calls.length, appointments: booked.length, waiting: waiting.length };
    // The names stay out of the trail; its subject leads to the person until they are erased.
    const subjectId = (calls[0] ?? booked[0] ?? waiting[0])?.id ?? null;
    await audit.record(tx, { organisationId, actor, action, ...(subjectId && { subjectId }), detail: { ...renamed } });
    return renamed;
  }
}

/** As the page groups them. A row that tells nothing belongs to the only person. */
function ownerOf(
  { name, identifiers }: NamedRow,
  people: readonly PersonOfNumber[],
): PersonOfNumber | null | undefined {
  if (name === "" && identifiers.length === 0) return people.length > 1 ? null : people[0];
  return people.find((person) => isOf(person, name, identifiers));
}

const keyOf = ({ names, identifiers }: ShownPerson): string =>
  JSON.stringify([names.toSorted(), identifiers.map(({ system, value }) => `${system} ${value}`).toSorted()]);

/** Undefined for a number of whose person nothing is known. */
function foundAmong(people: readonly PersonOfNumber[], shown: ShownPerson): PersonOfNumber | undefined {
  const found = people.find((person) => keyOf(person) === keyOf(shown));
  const isUnknown = people.length === 0 && shown.names.length === 0;
  if (!found && !isUnknown) throw changedMeanwhile();
  return found;
}

const changedMeanwhile = () =>
  new AppError("CONFLICT", "What is known of these people changed meanwhile. Load the page again.");
