// The audit trail gives no erased number back: with the last call and appointment of a person, the id by which entries
// name them is replaced by one that opens nothing. The entries stay, and those of one person still belong together.
import { contactSubjects, replaceContactSubject, type ContactSubject } from "../../accounts/audit-subject-store.ts";
import { othersFirst } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { ContactIds } from "../people/contact-ids.ts";
import { isContactKnown } from "../people/contact-store.ts";

export interface ErasedContactsDeps {
  db: Database;
  ids: Ids;
  contactIds: ContactIds;
}

/** Two lookups for each: about 5 ms. */
const MOST_AT_ONCE = 100;

export function createErasedContacts({ db, ids, contactIds }: ErasedContactsDeps) {
  async function forget(tx: Tx, organisationId: string, number: string): Promise<void> {
    const contactId = contactIds.idOf(organisationId, number);
    if (contactId !== null) await replaceContactSubject(tx, contactId, ids.next("gone"));
  }

  async function forgetUnknown(tx: Tx, organisationId: string, number: string): Promise<void> {
    if (!(await isContactKnown(tx, organisationId, number))) await forget(tx, organisationId, number);
  }

  async function isLeft({ organisation_id, subject_id }: ContactSubject): Promise<boolean> {
    const number = contactIds.numberOf(organisation_id, subject_id);
    return number !== null && !(await isContactKnown(db.reader, organisation_id, number));
  }

  return {
    /** In the transaction that erases the person as a whole. */
    forget,
    /** In the transaction that erases a call of theirs. */
    forgetUnknown,

    /** For people whose last appointment aged, and for entries of earlier versions. */
    async sweep(): Promise<void> {
      for (let after = "", count = MOST_AT_ONCE; count === MOST_AT_ONCE;) {
        const subjects = await contactSubjects(db.reader, after, MOST_AT_ONCE);
        for (const subject of subjects) {
          if (!(await isLeft(subject))) continue;
          const { organisation_id, subject_id } = subject;
          const number = contactIds.numberOf(organisation_id, subject_id) ?? "";
          await db.write((tx) => forgetUnknown(tx, organisation_id, number));
        }
        count = subjects.length;
        after = subjects.at(-1)?.subject_id ?? "";
        await othersFirst();
      }
    },
  };
}

export type ErasedContacts = ReturnType<typeof createErasedContacts>;
