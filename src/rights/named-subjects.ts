// Names of what audit entries are about, for the page. The log holds only ids: a name comes from what is stored now, so
// an erased person has none.
import { contactNamesAmong } from "../calls/people/contact-store.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import type { Database } from "../db/database.ts";
import { agentNamesOf, patientsOf } from "./named-subject-store.ts";

export interface NamedSubject {
  name: string | null;
  isPatient: boolean;
  /** Of a patient's page. */
  contact_id: string | null;
}

export interface NamedSubjectsDeps {
  db: Pick<Database, "heavy">;
  contactIds: ContactIds;
}

export function createNamedSubjects({ db, contactIds }: NamedSubjectsDeps) {
  return async (organisationId: string, subjectIds: readonly string[]): Promise<Map<string, NamedSubject>> => {
    const ids = [...new Set(subjectIds)];
    const named = new Map<string, NamedSubject>();
    for (const { id, name } of await agentNamesOf(db.heavy, organisationId, ids))
      named.set(id, { name, isPatient: false, contact_id: null });
    for (const { id, contact_name, contact_number } of await patientsOf(db.heavy, organisationId, ids)) {
      const contact_id = contact_number === null ? null : contactIds.idOf(organisationId, contact_number);
      named.set(id, { name: contact_name, isPatient: true, contact_id });
    }
    const numbers = new Map(ids.flatMap((id) => toEntry(id, contactIds.numberOf(organisationId, id))));
    // A person without a stored name stays without one: the number is shown on their own page alone.
    const names = await contactNamesAmong(db.heavy, organisationId, [...numbers.values()]);
    for (const [id, number] of numbers)
      named.set(id, { name: names.get(number) ?? null, isPatient: true, contact_id: id });
    return named;
  };
}

const toEntry = (id: string, number: string | null): [string, string][] => (number === null ? [] : [[id, number]]);

export type NamedSubjects = ReturnType<typeof createNamedSubjects>;
