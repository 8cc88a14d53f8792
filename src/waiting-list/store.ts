// Store of waiting-list entries.
import { rowWithin } from "../accounts/reach-store.ts";
import type { Reach } from "../core/reach.ts";
import { behind } from "../db/index-slices.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { areOfOnePerson, identifiersIn } from "../payloads/identifiers.ts";
import { entryMeaning, type WaitingEntry, type WaitingState } from "./records.ts";

export async function insertEntry(tx: Tx, row: WaitingEntry): Promise<void> {
  await tx.insertInto("waiting_list").values(entryMeaning.write(row)).execute();
}

/** For internal use only; requests go through entryOf. */
export async function entryById(executor: Executor, id: string): Promise<WaitingEntry | undefined> {
  const row = await executor.selectFrom("waiting_list").selectAll().where("id", "=", id).executeTakeFirst();
  return row && entryMeaning.read(row);
}

/** Another organisation's entry is treated like an unknown one. */
export async function entryOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<WaitingEntry | undefined> {
  const row = await entryById(executor, id);
  return row?.organisation_id === organisationId ? row : undefined;
}

export type EntryChange = Partial<Omit<WaitingEntry, "id" | "organisation_id" | "created_at">> & { updated_at: number };

export async function updateEntry(tx: Tx, id: string, change: EntryChange): Promise<void> {
  await tx.updateTable("waiting_list").set(entryMeaning.write(change)).where("id", "=", id).execute();
}

export interface EntryFilter {
  organisationId: string;
  branchId?: string | undefined;
  reach?: Reach | undefined;
  states: readonly WaitingState[];
  /** Last entry of the previous page. */
  after?: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** In order of turn. */
export async function listEntries(executor: Executor, filter: EntryFilter): Promise<WaitingEntry[]> {
  const { organisationId, branchId, states, after } = filter;
  let query = executor
    .selectFrom("waiting_list")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("state", "in", states);
  if (branchId !== undefined) query = query.where("branch_id", "=", branchId);
  if (filter.reach) query = query.where(rowWithin(filter.reach, "waiting_list"));
  if (after !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("created_at", ">", after.createdAt),
        eb.and([eb("created_at", "=", after.createdAt), eb("id", ">", after.id)]),
      ]),
    );
  }
  return entryMeaning.readAll(await query.orderBy("created_at").orderBy("id").limit(filter.limit).execute());
}

export interface PlaceQuestion {
  organisationId: string;
  branchId: string;
  /** Service that the window is restricted to. */
  serviceId: string | null;
  session: string;
  windowId: string;
  date: string;
  /** People asked about this slot since then are skipped. */
  openedAt: number;
  /** Start of the day, and the limit of calls per day. */
  dayBegan: number;
  callsPerDay: number;
  /** The agent's share is full: people added by phone keep waiting. */
  isAgentsShareFull: boolean;
  limit: number;
}

/** People whom the slot suits and who may be called now, in order of turn. */
export async function entriesForPlace(executor: Executor, place: PlaceQuestion): Promise<WaitingEntry[]> {
  const { organisationId, serviceId } = place;
  let query = executor
    .selectFrom("waiting_list")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("state", "=", "waiting")
    .where("branch_id", "=", place.branchId)
    .where("agent_id", "is not", null)
    .where("from_date", "<=", place.date)
    .where("to_date", ">=", place.date)
    .where((eb) => eb.or([eb("sessions", "=", ""), eb("sessions", "like", `%${place.session}%`)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("waiting_offers")
            .select("waiting_offers.id")
            .whereRef("waiting_offers.entry_id", "=", "waiting_list.id")
            .where("waiting_offers.window_id", "=", place.windowId)
            .where("waiting_offers.date", "=", place.date)
            .where("waiting_offers.offered_at", ">=", place.openedAt)
            .where("waiting_offers.state", "!=", "undialled"),
        ),
      ),
    )
    .where(({ selectFrom, eb, val }) =>
      eb(
        selectFrom("waiting_offers")
          .select((count) => count.fn.countAll<number>().as("count"))
          .whereRef("waiting_offers.entry_id", "=", "waiting_list.id")
          .where("waiting_offers.offered_at", ">=", place.dayBegan)
          .where("waiting_offers.state", "!=", "undialled"),
        "<",
        val(place.callsPerDay),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("do_not_disturb")
            .select("do_not_disturb.number")
            .where("do_not_disturb.organisation_id", "=", organisationId)
            .whereRef("do_not_disturb.number", "=", "waiting_list.contact_number"),
        ),
      ),
    )
    // A person is called about one slot at a time.
    .where("contact_number", "not in", (eb) =>
      eb
        .selectFrom("waiting_list as others")
        .select("others.contact_number")
        .where("others.organisation_id", "=", organisationId)
        .where("others.state", "=", "offered"),
    );
  if (serviceId !== null) {
    query = query.where((eb) =>
      eb.or([eb("appointment_type_id", "is", null), eb("appointment_type_id", "=", serviceId)]),
    );
  }
  if (place.isAgentsShareFull) query = query.where("source", "!=", "ai");
  return entryMeaning.readAll(await query.orderBy("created_at").orderBy("id").limit(place.limit).execute());
}

/** An entry that waits for the same. */
export async function sameEntry(
  executor: Executor,
  wanted: Pick<
    WaitingEntry,
    "organisation_id" | "branch_id" | "appointment_type_id" | "contact_number" | "contact_name" | "contact_identifiers"
  >,
): Promise<WaitingEntry | undefined> {
  const rows = await executor
    .selectFrom("waiting_list")
    .selectAll()
    .where("organisation_id", "=", wanted.organisation_id)
    .where("state", "in", ["waiting", "offered"])
    .where("branch_id", "=", wanted.branch_id)
    .where("contact_number", "=", wanted.contact_number)
    .execute();
  // A family may share a phone, so identifiers are compared too, and names where no identifier decides.
  const identifiers = identifiersIn(wanted.contact_identifiers);
  const same = rows.find(
    ({ appointment_type_id, contact_name, contact_identifiers }) =>
      appointment_type_id === wanted.appointment_type_id &&
      (areOfOnePerson(identifiers, identifiersIn(contact_identifiers)) ?? contact_name === wanted.contact_name),
  );
  return same && entryMeaning.read(same);
}

/** Waiting entries of this number, in order of turn. */
export async function entriesWaitingOf(
  executor: Executor,
  organisationId: string,
  number: string,
): Promise<WaitingEntry[]> {
  const rows = await executor
    .selectFrom("waiting_list")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where("state", "in", ["waiting", "offered"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return entryMeaning.readAll(rows);
}

/** Whether any entry waits for this branch. */
export async function isAwaited(executor: Executor, organisationId: string, branchId: string): Promise<boolean> {
  const row = await executor
    .selectFrom("waiting_list")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("state", "in", ["waiting", "offered"])
    .where("branch_id", "=", branchId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Last day that an entry of the branch waits for; null if none waits. */
export async function lastDayAwaited(
  executor: Executor,
  organisationId: string,
  branchId: string,
): Promise<string | null> {
  const row = await executor
    .selectFrom("waiting_list")
    .select((eb) => eb.fn.max("to_date").as("last"))
    .where("organisation_id", "=", organisationId)
    .where("state", "in", ["waiting", "offered"])
    .where("branch_id", "=", branchId)
    .executeTakeFirst();
  return row?.last ?? null;
}

/** Waiting entries whose days are over. */
export async function entriesPast(executor: Executor, lastDate: string, limit: number): Promise<WaitingEntry[]> {
  const rows = await executor
    .selectFrom("waiting_list")
    .selectAll()
    .where("state", "=", "waiting")
    .where("to_date", "<=", lastDate)
    .orderBy("to_date")
    .limit(limit)
    .execute();
  return entryMeaning.readAll(rows);
}

/** States of closed entries. */
export const OVER: readonly WaitingState[] = ["booked", "left", "removed", "expired"];

/** Closed entries, unchanged since then. */
export type OldEntry = Pick<WaitingEntry, "id" | "organisation_id" | "call_id" | "contact_number" | "updated_at">;

/** Oldest first, after the last one of the slice before. One state at a time, as the index has it. */
export async function entriesToForget(
  executor: Executor,
  state: WaitingState,
  until: number,
  limit: number,
  after: OldEntry | null,
): Promise<OldEntry[]> {
  let query = executor
    .selectFrom("waiting_list")
    .select(["id", "organisation_id", "call_id", "contact_number", "updated_at"])
    .where("state", "=", state)
    .where("updated_at", "<", until);
  if (after) query = query.where(behind(["updated_at", "id"], after));
  return query.orderBy("updated_at").orderBy("id").limit(limit).execute();
}

export async function entriesOfCall(executor: Executor, callId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("waiting_list")
    .select("waiting_list.id")
    .where((eb) =>
      eb.or([
        eb("waiting_list.call_id", "=", callId),
        eb("waiting_list.id", "in", (offers) =>
          offers.selectFrom("waiting_offers").select("entry_id").where("waiting_offers.call_id", "=", callId),
        ),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

export async function entriesOfNumber(executor: Executor, organisationId: string, number: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("waiting_list")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes entries with their offers. */
export async function deleteEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom("waiting_offers").where("entry_id", "in", ids).execute();
  await tx.deleteFrom("waiting_list").where("id", "in", ids).execute();
}
