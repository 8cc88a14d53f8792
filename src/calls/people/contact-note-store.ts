// Store of notes about contacts.
import type { Executor, Row, Tx } from "../../db/tables.ts";
import { isContactKnown } from "./contact-store.ts";

/** Newest first. */
export async function notesOf(
  executor: Executor,
  organisationId: string,
  number: string,
): Promise<Row<"contact_notes">[]> {
  return executor
    .selectFrom("contact_notes")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export async function noteOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<Row<"contact_notes"> | undefined> {
  return executor
    .selectFrom("contact_notes")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function insertNote(tx: Tx, row: Row<"contact_notes">): Promise<void> {
  await tx.insertInto("contact_notes").values(row).execute();
}

export async function deleteNotes(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("contact_notes").where("id", "in", ids).execute();
}

export async function deleteNotesOf(
  tx: Tx,
  organisationId: string,
  number: string,
  youngest = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await tx
    .deleteFrom("contact_notes")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where("created_at", "<=", youngest)
    .execute();
}

/** Deletes the notes up to `youngest` with a contact's last call, if the contact has no appointment. */
export async function forgetNotesWithCall(tx: Tx, callId: string, youngest: number): Promise<void> {
  const call = await tx
    .selectFrom("calls")
    .select(["organisation_id", "contact_number"])
    .where("id", "=", callId)
    .executeTakeFirst();
  if (!call) return;
  const { organisation_id, contact_number } = call;
  if (!(await isContactKnown(tx, organisation_id, contact_number, callId)))
    await deleteNotesOf(tx, organisation_id, contact_number, youngest);
}

export type OrphanedNote = Pick<Row<"contact_notes">, "id" | "organisation_id" | "contact_number">;

/** Notes up to `youngest` about people without any call or appointment, in the order of their ids, after `after`. */
export async function orphanedNotes(
  executor: Executor,
  limit: number,
  { after, youngest }: { after: string; youngest: number },
): Promise<OrphanedNote[]> {
  return executor
    .selectFrom("contact_notes")
    .select(["contact_notes.id", "contact_notes.organisation_id", "contact_notes.contact_number"])
    .where("contact_notes.id", ">", after)
    .where("contact_notes.created_at", "<=", youngest)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("calls")
            .select("calls.id")
            .whereRef("calls.organisation_id", "=", "contact_notes.organisation_id")
            .whereRef("calls.contact_number", "=", "contact_notes.contact_number"),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("appointments")
            .select("appointments.id")
            .whereRef("appointments.organisation_id", "=", "contact_notes.organisation_id")
            .whereRef("appointments.contact_number", "=", "contact_notes.contact_number"),
        ),
      ),
    )
    .orderBy("contact_notes.id")
    .limit(limit)
    .execute();
}
