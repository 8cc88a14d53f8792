// Notes about contacts for colleagues, with author and time.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import { toIso, type Clock } from "../../core/clock.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { Database } from "../../db/database.ts";
import { deleteNotes, insertNote, noteOf, notesOf } from "./contact-note-store.ts";

const MOST_PER_CONTACT = 200;

export function createContactNotes({ db, clock, ids, audit }: { db: Database; clock: Clock; ids: Ids; audit: Audit }) {
  return {
    /** Newest first. */
    async list(organisationId: string, number: string) {
      const rows = await notesOf(db.reader, organisationId, number);
      return rows.map(({ id, text, person_id, created_at }) => ({
        note_id: id,
        text,
        person_id,
        at: toIso(created_at),
      }));
    },

    async add(organisationId: string, number: string, text: string, personId: string, actor: Actor): Promise<void> {
      const said = text.trim();
      if (said === "") throw invalidField("text", "Write something first.");
      await db.write(async (tx) => {
        if ((await notesOf(tx, organisationId, number)).length >= MOST_PER_CONTACT)
          throw new AppError("CONFLICT", `There are ${MOST_PER_CONTACT} notes already. Remove one first.`);
        const id = ids.next("note");
        await insertNote(tx, {
          id,
          organisation_id: organisationId,
          contact_number: number,
          text: said,
          person_id: personId,
          created_at: clock.now(),
        });
        await audit.record(tx, { organisationId, actor, action: "contact.noted", subjectId: id });
      });
    },

    /** Members may delete their own notes, owners any. */
    async remove(organisationId: string, number: string, id: string, isOwner: boolean, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        const note = await noteOf(tx, organisationId, id);
        if (note?.contact_number !== number) throw new AppError("NOT_FOUND", "There is no such note.");
        if (note.person_id !== actor.id && !isOwner)
          throw new AppError(
            "INSUFFICIENT_SCOPE",
            "Somebody else wrote this note. Only they or an owner can remove it.",
          );
        await deleteNotes(tx, [id]);
        await audit.record(tx, { organisationId, actor, action: "contact.note_removed", subjectId: id });
      });
    },
  };
}

export type ContactNotes = ReturnType<typeof createContactNotes>;
