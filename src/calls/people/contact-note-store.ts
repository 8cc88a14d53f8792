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

export async function deleteNotesOf(tx: Tx, organisationId: string, number: string): Promise<void> {
  await tx
    .deleteFrom("contact_notes")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .execute();
}

/** Deletes the notes with a contact's last call, if the contact has no appointment. */
export async function forgetNotesWithCall(tx: Tx, callId: string): Promise<void> {
  const call = await tx
    .selectFrom("calls")
    .select(["organisation_id", "contact_number"])
    .where("id", "=", callId)
    .executeTakeFirst();
  if (!call) return;
  const { organisation_id, contact_number } = call;
  if (!(await isContactKnown(tx, organisation_id, contact_number, callId)))
    await deleteNotesOf(tx, organisation_id, contact_number);
}

/** Notes about people without any call or appointment. */
export async function orphanedNotes(executor: Executor, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom("contact_notes")
    .select("contact_notes.id")
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
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
