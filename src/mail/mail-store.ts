// Table of e-mails that the server has not taken yet.
import type { Executor, Tx } from "../db/tables.ts";
import type { WaitingMail } from "./records.ts";

export async function insertMail(tx: Tx, row: WaitingMail): Promise<void> {
  await tx.insertInto("mails").values(row).execute();
}

export async function countMails(executor: Executor): Promise<number> {
  const { count } = await executor
    .selectFrom("mails")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The mail that is due first. */
export async function nextMail(executor: Executor): Promise<WaitingMail | undefined> {
  return executor.selectFrom("mails").selectAll().orderBy("next_at").orderBy("id").limit(1).executeTakeFirst();
}

export async function oldestMailAt(executor: Executor): Promise<number | null> {
  const { at } = await executor
    .selectFrom("mails")
    .select((eb) => eb.fn.min("created_at").as("at"))
    .executeTakeFirstOrThrow();
  return at;
}

export async function putOffMail(tx: Tx, id: string, attempts: number, nextAt: number): Promise<void> {
  await tx.updateTable("mails").set({ attempts, next_at: nextAt }).where("id", "=", id).execute();
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("mails").where("id", "=", id).execute();
}
