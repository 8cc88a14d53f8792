// Store of the address that each organisation asks before a call.
import { prepared } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { QuestionSettings } from "./records.ts";

const selectSettings = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db.selectFrom("call_questions").selectAll().where("organisation_id", "=", organisationId),
);

export async function questionSettingsOf(
  executor: Executor,
  organisationId: string,
): Promise<QuestionSettings | undefined> {
  return (await selectSettings(executor, { organisationId }))[0];
}

export async function insertQuestion(tx: Tx, row: QuestionSettings): Promise<void> {
  await tx.insertInto("call_questions").values(row).execute();
}

export async function updateQuestion(
  tx: Tx,
  organisationId: string,
  change: Partial<Omit<QuestionSettings, "organisation_id" | "created_at">>,
): Promise<void> {
  await tx.updateTable("call_questions").set(change).where("organisation_id", "=", organisationId).execute();
}

export async function deleteQuestion(tx: Tx, organisationId: string): Promise<void> {
  await tx.deleteFrom("call_questions").where("organisation_id", "=", organisationId).execute();
}
