// Subjects of the audit entries about one patient: their page, and their newest records.
import type { ContactIds } from "../calls/people/contact-ids.ts";
import { invalidField } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import { auditedRecords } from "./person-file-store.ts";

export interface AuditedSubjectsDeps {
  db: Pick<Database, "heavy">;
  contactIds: Pick<ContactIds, "numberOf">;
}

/** Of each kind. A person with more records is rare, and the older ones are found by their own ids. */
const MOST_RECORDS = 300;

export function createAuditedSubjects({ db, contactIds }: AuditedSubjectsDeps) {
  return async (organisationId: string, contactId: string): Promise<string[]> => {
    const number = contactIds.numberOf(organisationId, contactId);
    if (number === null) throw invalidField("contact_id", "contact_id is no id of a patient of this organisation.");
    return [contactId, ...(await auditedRecords(db.heavy, { organisationId, number, contactId }, MOST_RECORDS))];
  };
}

export type AuditedSubjects = ReturnType<typeof createAuditedSubjects>;
