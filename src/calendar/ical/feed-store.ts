// Calendar feeds in the database, and the appointments they show.
import { prepared } from "../../db/prepared.ts";
import type { Appointment, CalendarFeed } from "../records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { DateRange } from "../days.ts";

const selectByToken = prepared<{ tokenHash: string }>()((db, { tokenHash }) =>
  db.selectFrom("calendar_feeds").selectAll().where("token_hash", "=", tokenHash),
);

export async function feedByToken(executor: Executor, tokenHash: string): Promise<CalendarFeed | undefined> {
  const [row] = await selectByToken(executor, { tokenHash });
  return row;
}

export async function feedsOf(executor: Executor, organisationId: string): Promise<CalendarFeed[]> {
  return executor
    .selectFrom("calendar_feeds")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function insertFeed(tx: Tx, row: CalendarFeed): Promise<void> {
  await tx.insertInto("calendar_feeds").values(row).execute();
}

/** Returns whether there was one. */
export async function deleteFeed(tx: Tx, organisationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("calendar_feeds")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Confirmed appointments at a branch, in order of date and time. */
export async function expectedAt(
  executor: Executor,
  organisationId: string,
  branchId: string,
  range: DateRange,
  limit: number,
): Promise<Appointment[]> {
  return executor
    .selectFrom("appointments")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("branch_id", "=", branchId)
    .where("date", ">=", range.from)
    .where("date", "<=", range.to)
    .where("status", "!=", "cancelled")
    .orderBy("date")
    .orderBy("start_time")
    .orderBy("id")
    .limit(limit)
    .execute();
}
