// Removes erased numbers from the audit trail: after a person's last call and appointment, their contact id in audit
// entries is replaced by an irreversible one. The entries stay, and entries of one person remain linked.
import {
  contactSubjects,
  replaceContactSubject,
  SUBJECT_REPLACED,
  type ContactSubject,
} from "../../accounts/audit-subject-store.ts";
import type { Audit } from "../../accounts/audit.ts";
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import { othersFirst } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { ContactIds } from "../people/contact-ids.ts";
import { isContactKnown } from "../people/contact-store.ts";

export interface ErasedContactsDeps {
  db: Database;
  ids: Ids;
  audit: Audit;
  contactIds: ContactIds;
}

/** Two lookups each: about 5 ms in all. */
const MOST_AT_ONCE = 100;

export function createErasedContacts({ db, ids, audit, contactIds }: ErasedContactsDeps) {
  async function forget(tx: Tx, organisationId: string, number: string): Promise<void> {
    const contactId = contactIds.idOf(organisationId, number);
    if (contactId === null) return;
    const replacement = ids.next("gone");
    const entries = await replaceContactSubject(tx, contactId, replacement);
    if (entries === 0) return;
    const detail = { entries };
    await audit.record(tx, {
      organisationId,
      actor: SYSTEM_ACTOR,
      action: SUBJECT_REPLACED,
      subjectId: replacement,
      detail,
    });
  }

  async function forgetUnknown(tx: Tx, organisationId: string, number: string): Promise<void> {
    if (!(await isContactKnown(tx, organisationId, number))) await forget(tx, organisationId, number);
  }

  async function isLeft({ organisation_id, subject_id }: ContactSubject): Promise<boolean> {
    const number = contactIds.numberOf(organisation_id, subject_id);
    return number !== null && !(await isContactKnown(db.reader, organisation_id, number));
  }

  return {
    /** Runs in the transaction that erases the whole person. */
    forget,
    /** Runs in the transaction that erases one of the person's calls. */
    forgetUnknown,

    /** Covers people whose last appointment expired, and entries of earlier versions. */
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
