// Store of offers and open slots.
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { WaitingOffer, WaitingOpening } from "./records.ts";

export async function insertOffer(tx: Tx, row: WaitingOffer): Promise<void> {
  await tx.insertInto("waiting_offers").values(row).execute();
}

const selectOfCall = prepared<{ callId: string }>()((db, { callId }) =>
  db.selectFrom("waiting_offers").selectAll().where("call_id", "=", callId),
);

/** Runs at the end of every call. */
export async function offerOfCall(executor: Executor, callId: string): Promise<WaitingOffer | undefined> {
  const [offer] = await selectOfCall(executor, { callId });
  return offer;
}

export async function offerUnderWay(executor: Executor, entryId: string): Promise<WaitingOffer | undefined> {
  return executor
    .selectFrom("waiting_offers")
    .selectAll()
    .where("entry_id", "=", entryId)
    .where("state", "=", "calling")
    .executeTakeFirst();
}

export async function endOffer(tx: Tx, id: string, state: WaitingOffer["state"], now: number): Promise<void> {
  await tx.updateTable("waiting_offers").set({ state, ended_at: now }).where("id", "=", id).execute();
}

/** Offers of these entries, newest last. */
export async function offersOf(executor: Executor, entryIds: readonly string[]): Promise<WaitingOffer[]> {
  if (entryIds.length === 0) return [];
  return executor
    .selectFrom("waiting_offers")
    .selectAll()
    .where("entry_id", "in", entryIds)
    .orderBy("offered_at")
    .orderBy("id")
    .execute();
}

export async function isOnOffer(executor: Executor, windowId: string, date: string): Promise<boolean> {
  const row = await executor
    .selectFrom("waiting_offers")
    .select("id")
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .where("state", "=", "calling")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const selectUndialled = prepared<{ limit: number }>()((db, { limit }) =>
  db
    .selectFrom("waiting_offers")
    .innerJoin("calls", "calls.id", "waiting_offers.call_id")
    .selectAll("waiting_offers")
    .where("waiting_offers.state", "=", "calling")
    .where("calls.state", "in", ["scheduled", "queued"])
    .orderBy("waiting_offers.offered_at")
    .limit(limit),
);

/** Offers whose call has not been dialled, oldest first. */
export async function undialledOffers(executor: Executor, limit: number) {
  return selectUndialled(executor, { limit });
}

async function lastOfferedAt(executor: Executor, windowId: string, date: string): Promise<number | null> {
  const row = await executor
    .selectFrom("waiting_offers")
    .select((eb) => eb.fn.max("offered_at").as("last"))
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .executeTakeFirst();
  return row?.last ?? null;
}

/** Records an open slot. Its time is later than every earlier offer, so that each person may be asked about it. */
export async function noteOpening(tx: Tx, opening: Omit<WaitingOpening, "opened_at" | "next_at">, now: number) {
  const last = await lastOfferedAt(tx, opening.window_id, opening.date);
  const openedAt = last === null ? now : Math.max(now, last + 1);
  await tx
    .insertInto("waiting_openings")
    .values({ ...opening, opened_at: openedAt, next_at: now })
    .onConflict((conflict) =>
      conflict.columns(["window_id", "date"]).doUpdateSet({ opened_at: openedAt, next_at: now }),
    )
    .execute();
}

/** Sets the time of the next look, if the slot is still open. */
export async function lookAgain(tx: Tx, windowId: string, date: string, at: number): Promise<void> {
  await tx
    .updateTable("waiting_openings")
    .set({ next_at: at })
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .execute();
}

export async function openingOn(
  executor: Executor,
  windowId: string,
  date: string,
): Promise<WaitingOpening | undefined> {
  return executor
    .selectFrom("waiting_openings")
    .selectAll()
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .executeTakeFirst();
}

export async function closeOpening(tx: Tx, windowId: string, date: string): Promise<void> {
  await tx.deleteFrom("waiting_openings").where("window_id", "=", windowId).where("date", "=", date).execute();
}

const selectOpenings = prepared<{ limit: number }>()((db, { limit }) =>
  db.selectFrom("waiting_openings").selectAll().orderBy("next_at").orderBy("window_id").orderBy("date").limit(limit),
);

/** Longest due first. */
/** Deletes the open slots: they may be taken by now, so no automatic calls are made about them. */
export async function forgetOpenings(tx: Tx, organisationId: string): Promise<void> {
  await tx.deleteFrom("waiting_openings").where("organisation_id", "=", organisationId).execute();
}

export async function openingsByTime(executor: Executor, limit: number): Promise<WaitingOpening[]> {
  return selectOpenings(executor, { limit });
}

/** The clock was set back: open slots are looked at now. Past offers and their order stay. */
export async function replanOpenings(tx: Tx, now: number): Promise<void> {
  await tx.updateTable("waiting_openings").set({ next_at: now }).where("next_at", ">", now).execute();
}
