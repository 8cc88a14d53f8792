// Table of alarms.
import type { Executor, Tx } from "../db/tables.ts";
import type { FaultName } from "../payloads/alarm.ts";
import { alarmMeaning, type Alarm } from "./records.ts";

export async function insertAlarm(tx: Tx, row: Alarm): Promise<void> {
  await tx.insertInto("alarms").values(alarmMeaning.write(row)).execute();
}

export async function updateAlarm(
  tx: Tx,
  id: string,
  change: Partial<Pick<Alarm, "step" | "told_at" | "told_step" | "over_at" | "over_told_at">>,
): Promise<void> {
  await tx.updateTable("alarms").set(change).where("id", "=", id).execute();
}

export async function openAlarms(executor: Executor): Promise<Alarm[]> {
  const rows = await executor.selectFrom("alarms").selectAll().where("over_at", "is", null).execute();
  return alarmMeaning.readAll(rows);
}

/** Over, but its end or more was not told yet. */
export async function overUntold(executor: Executor): Promise<Alarm[]> {
  const rows = await executor
    .selectFrom("alarms")
    .selectAll()
    .where("over_at", "is not", null)
    .where("over_told_at", "is", null)
    .execute();
  return alarmMeaning.readAll(rows);
}

/** The newest alarms about one subject, newest first. */
export async function alarmsAbout(executor: Executor, fault: FaultName, subject: string, most: number) {
  const rows = await executor
    .selectFrom("alarms")
    .selectAll()
    .where("fault", "=", fault)
    .where("subject", "=", subject)
    .orderBy("opened_at", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return alarmMeaning.readAll(rows);
}

/** Of everything that an organisation may see; `isOperator`: also what only the administrator is told. */
const seenBy = (executor: Executor, organisationId: string, isOperator: boolean) =>
  executor
    .selectFrom("alarms")
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("audience", "=", "all"),
        eb("organisation_id", "=", organisationId),
        ...(isOperator ? [eb("audience", "=", "operator")] : []),
      ]),
    );

export async function openAlarmsOf(executor: Executor, organisationId: string, isOperator: boolean, most: number) {
  const rows = await seenBy(executor, organisationId, isOperator)
    .where("over_at", "is", null)
    .orderBy("opened_at", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return alarmMeaning.readAll(rows);
}

export async function pastAlarmsOf(executor: Executor, organisationId: string, isOperator: boolean, most: number) {
  const rows = await seenBy(executor, organisationId, isOperator)
    .where("over_at", "is not", null)
    .orderBy("over_at", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return alarmMeaning.readAll(rows);
}

/** Deletes alarms that were over before `before`, and the oldest ones beyond `most`. */
export async function deletePastAlarms(tx: Tx, before: number, most: number): Promise<void> {
  const first = await tx
    .selectFrom("alarms")
    .select("over_at")
    .where("over_at", "is not", null)
    .orderBy("over_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .offset(most)
    .executeTakeFirst();
  const until = Math.max(before, first?.over_at ?? before);
  await tx
    .deleteFrom("alarms")
    .where("over_at", "is not", null)
    .where("over_at", "<=", until)
    .where("over_told_at", "is not", null)
    .execute();
}
