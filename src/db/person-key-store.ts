// Keys that seal what backups hold of a person. Deleting a key makes the person unreadable in every older backup.
import { sql } from "kysely";
import type { Eraser } from "./eraser.ts";
import { IS_NUMBER_NAMED } from "./person-key-rule.ts";
import type { Executor, Row, Tx } from "./tables.ts";

const isNamed = sql<boolean>`(${sql.raw(IS_NUMBER_NAMED)})`;
const AT_ONCE = 500;

/** Called with every erasure: copies of the keys beside the backups are written anew. */
export async function noteErasure(tx: Tx): Promise<void> {
  await tx
    .updateTable("person_key_stores")
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    // The only row, by its index.
    .where("id", ">=", "")
    .execute();
}

/** In the transaction that erases one of the person's calls. */
export async function forgetKeyOfUnknown(tx: Tx, organisationId: string, number: string): Promise<void> {
  await noteErasure(tx);
  if (number === "") return;
  await tx
    .deleteFrom("person_keys")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where((eb) => eb.not(isNamed))
    .execute();
}

/** Keys of people whose last record went in another way. Returns the last id of the slice, or null at the end. */
export async function forgetKeysOfUnknown(tx: Tx, after: string): Promise<string | null> {
  const slice = await tx
    .selectFrom("person_keys")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(AT_ONCE)
    .execute();
  const last = slice.at(-1);
  if (!last) return null;
  const gone = await tx
    .deleteFrom("person_keys")
    .where("id", ">", after)
    .where("id", "<=", last.id)
    .where("contact_number", "<>", "")
    .where((eb) => eb.not(isNamed))
    .executeTakeFirst();
  if (gone.numDeletedRows > 0n) await noteErasure(tx);
  return slice.length < AT_ONCE ? null : last.id;
}

export const personKeysEraser: Eraser = {
  tables: ["person_keys"],
  // The person's other calls need it.
  async eraseCall() {},
  async eraseContact(tx, organisationId, number) {
    await noteErasure(tx);
    await tx
      .deleteFrom("person_keys")
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", number)
      .execute();
  },
};

/** Null while no backup was made: then there are no keys. */
export async function keysRevision(executor: Executor): Promise<number | null> {
  const row = await executor.selectFrom("person_key_stores").select("revision").executeTakeFirst();
  return row?.revision ?? null;
}

/** Erasures that a restore found, in slices. */
export async function erasuresToRepeat(executor: Executor, limit: number): Promise<Row<"erasures_to_repeat">[]> {
  return executor.selectFrom("erasures_to_repeat").selectAll().limit(limit).execute();
}

export async function erasureRepeated(tx: Tx, row: Row<"erasures_to_repeat">): Promise<void> {
  await tx
    .deleteFrom("erasures_to_repeat")
    .where("kind", "=", row.kind)
    .where("organisation_id", "=", row.organisation_id)
    .where("subject_key", "=", row.subject_key)
    .execute();
}
