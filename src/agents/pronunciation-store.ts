// Store of pronunciations.
import { prepared } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";

const selectAll = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("pronunciations")
    .select(["word_key", "word", "said"])
    .where("organisation_id", "=", organisationId)
    .orderBy("word_key"),
);

/** The whole list; read at every dial. */
export async function pronunciationsOf(
  executor: Executor,
  organisationId: string,
): Promise<Pick<Row<"pronunciations">, "word_key" | "word" | "said">[]> {
  return selectAll(executor, { organisationId });
}

export async function putPronunciation(tx: Tx, row: Row<"pronunciations">): Promise<void> {
  const { word, said, updated_at } = row;
  await tx
    .insertInto("pronunciations")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organisation_id", "word_key"]).doUpdateSet({ word, said, updated_at }))
    .execute();
}

/** Returns whether it existed. */
export async function deletePronunciation(tx: Tx, organisationId: string, wordKey: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("pronunciations")
    .where("organisation_id", "=", organisationId)
    .where("word_key", "=", wordKey)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
