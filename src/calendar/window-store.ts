// Windows, their dates and holds, in the database.
import { prepared, preparedChange, preparedWrite } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import type { BookingWindow, WindowDate } from "./records.ts";

export async function insertWindow(tx: Tx, row: BookingWindow): Promise<void> {
  await tx.insertInto("windows").values(row).execute();
}

const selectWindow = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("windows").selectAll().where("id", "=", id),
);

export async function windowOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<BookingWindow | undefined> {
  const [row] = await selectWindow(executor, { id });
  return row?.organisation_id === organisationId ? row : undefined;
}

export async function windowsOf(
  executor: Executor,
  organisationId: string,
  branchId: string | undefined,
): Promise<BookingWindow[]> {
  let query = executor.selectFrom("windows").selectAll().where("organisation_id", "=", organisationId);
  if (branchId !== undefined) query = query.where("branch_id", "=", branchId);
  return query.orderBy("branch_id").orderBy("day").orderBy("start_time").orderBy("id").execute();
}

export async function updateWindow(
  tx: Tx,
  id: string,
  change: Partial<Omit<BookingWindow, "id" | "organisation_id">>,
): Promise<void> {
  await tx.updateTable("windows").set(change).where("id", "=", id).execute();
}

const selectDate = prepared<{ windowId: string; date: string }>()((db, { windowId, date }) =>
  db.selectFrom("window_dates").selectAll().where("window_id", "=", windowId).where("date", "=", date),
);

export async function windowDate(executor: Executor, windowId: string, date: string): Promise<WindowDate | undefined> {
  const [row] = await selectDate(executor, { windowId, date });
  return row;
}

/** Creates the row of a date if it does not exist. */
export async function ensureWindowDate(tx: Tx, windowId: string, date: string, now: number): Promise<void> {
  await tx
    .insertInto("window_dates")
    .values({
      window_id: windowId,
      date,
      max_slots: null,
      ai_slots: null,
      status: null,
      filled: 0,
      ai_filled: 0,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["window_id", "date"]).doNothing())
    .execute();
}

export async function updateWindowDate(
  tx: Tx,
  windowId: string,
  date: string,
  change: Partial<Pick<WindowDate, "max_slots" | "ai_slots" | "status" | "filled" | "ai_filled">> & {
    updated_at: number;
  },
): Promise<void> {
  await tx.updateTable("window_dates").set(change).where("window_id", "=", windowId).where("date", "=", date).execute();
}

const addFill = preparedChange<{ windowId: string; date: string; filled: number; aiFilled: number; now: number }>()(
  (db, p) =>
    db
      .updateTable("window_dates")
      .set((eb) => ({
        filled: eb("filled", "+", p.filled),
        ai_filled: eb("ai_filled", "+", p.aiFilled),
        updated_at: p.now,
      }))
      .where("window_id", "=", p.windowId)
      .where("date", "=", p.date),
);

/** Adds to the fill: +1 for a taken slot, -1 for a released one. */
export async function changeFill(
  tx: Tx,
  windowId: string,
  date: string,
  by: { filled: number; aiFilled: number },
  now: number,
): Promise<void> {
  await ensureWindowDate(tx, windowId, date, now);
  await addFill(tx, { windowId, date, ...by, now });
}

const countHolds = prepared<{ windowId: string; date: string; now: number }>()((db, { windowId, date, now }) =>
  db
    .selectFrom("slot_holds")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .where("expires_at", ">", now),
);

/** Slots held for callers now; expired holds do not count. */
export async function heldSlots(executor: Executor, windowId: string, date: string, now: number): Promise<number> {
  const [row] = await countHolds(executor, { windowId, date, now });
  return row?.count ?? 0;
}

/** When the first hold there expires; null if there is none. */
export async function nextHoldEnd(
  executor: Executor,
  windowId: string,
  date: string,
  now: number,
): Promise<number | null> {
  const row = await executor
    .selectFrom("slot_holds")
    .select((eb) => eb.fn.min("expires_at").as("first"))
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.first ?? null;
}

export async function insertHold(tx: Tx, row: Row<"slot_holds">): Promise<void> {
  await tx.insertInto("slot_holds").values(row).execute();
}

const selectHold = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("slot_holds").selectAll().where("id", "=", id),
);

export async function holdById(executor: Executor, id: string): Promise<Row<"slot_holds"> | undefined> {
  const [row] = await selectHold(executor, { id });
  return row;
}

const countHeldBy = prepared<{ keyId: string; now: number }>()((db, { keyId, now }) =>
  db
    .selectFrom("slot_holds")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("held_by", "=", keyId)
    .where("expires_at", ">", now),
);

export async function holdsOfKey(tx: Tx, keyId: string, now: number): Promise<number> {
  const [row] = await countHeldBy(tx, { keyId, now });
  return row?.count ?? 0;
}

const deleteOfCall = preparedWrite<{ callId: string }>()((db, { callId }) =>
  db.deleteFrom("slot_holds").where("call_id", "=", callId),
);

export async function deleteHoldsOfCall(tx: Tx, callId: string): Promise<void> {
  await deleteOfCall(tx, { callId });
}

export async function shortenHolds(tx: Tx, latest: number): Promise<void> {
  await tx.updateTable("slot_holds").set({ expires_at: latest }).where("expires_at", ">", latest).execute();
}

/** Extends holds that end after `now`. */
export async function lengthenHolds(tx: Tx, now: number, byMs: number): Promise<void> {
  await tx
    .updateTable("slot_holds")
    .set((eb) => ({ expires_at: eb("expires_at", "+", byMs) }))
    .where("expires_at", ">", now)
    .execute();
}

export async function deleteExpiredHolds(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("slot_holds").where("expires_at", "<=", now).execute();
}
