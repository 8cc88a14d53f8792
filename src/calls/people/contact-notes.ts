// Notes about contacts for colleagues, with author and time.
import { SYSTEM_ACTOR, type Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import { toIso, type Clock } from "../../core/clock.ts";
import { peopleSharing } from "../../accounts/person-store.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { Database } from "../../db/database.ts";
import type { Keeping } from "../../rules/holds/keeping.ts";
import { deleteNotes, insertNote, noteOf, notesOf } from "./contact-note-store.ts";

const MOST_PER_CONTACT = 200;

export interface ContactNotesDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  keeping: Pick<Keeping, "assertErasable">;
}

export function createContactNotes({ db, clock, ids, audit, keeping }: ContactNotesDeps) {
  return {
    /** Newest first. A note has no branch: people of branches see those of colleagues who share one, and their own. */
    async list(organisationId: string, number: string, reader: Pick<Actor, "id" | "reach"> = SYSTEM_ACTOR) {
      const { reach, id: readerId } = reader;
      const all = await notesOf(db.reader, organisationId, number);
      const colleagues = reach ? await peopleSharing(db.reader, organisationId, reach) : null;
      const rows = all.filter(({ person_id: by }) => colleagues === null || by === readerId || colleagues.has(by));
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
        await keeping.assertErasable(tx, { organisationId, number }, note.created_at);
        await deleteNotes(tx, [id]);
        await audit.record(tx, { organisationId, actor, action: "contact.note_removed", subjectId: id });
      });
    },
  };
}

export type ContactNotes = ReturnType<typeof createContactNotes>;
