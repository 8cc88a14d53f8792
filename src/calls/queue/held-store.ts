// Store of calls that wait for a person's decision.
import { sql } from "kysely";
import { callWithin } from "../../accounts/reach-store.ts";
import type { Reach } from "../../core/reach.ts";
import { RESTORED_HOLD, UNTIL_RELEASED_MS } from "../../db/backup/hold-due-calls.ts";
import type { Call } from "../call/records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { nextState } from "../call/state.ts";
import { LEGAL_HOLDS, PERSON_HOLDS, RELEASED, type PersonHold } from "./policy.ts";

export type HeldCall = Pick<Call, "id" | "agent_id" | "contact_name" | "contact_number" | "scheduled_at"> & {
  hold_reason: string | null;
};

const QUEUED = sql.lit("queued" as const);
const SCHEDULED = sql.lit("scheduled" as const);

export interface HeldQuestion {
  organisationId: string;
  callId?: string | undefined;
  reason?: PersonHold | undefined;
}

/** Earliest due first. */
export async function heldCalls(
  executor: Executor,
  { organisationId, callId, reason }: HeldQuestion,
  limit: number,
): Promise<HeldCall[]> {
  let query = executor
    .selectFrom("calls")
    .select(["id", "agent_id", "contact_name", "contact_number", "scheduled_at", "hold_reason"])
    .where("state", "=", QUEUED)
    .where("organisation_id", "=", organisationId)
    .where("next_at", "=", UNTIL_RELEASED_MS)
    .where("hold_reason", "in", reason === undefined ? PERSON_HOLDS : [reason]);
  if (callId !== undefined) query = query.where("id", "=", callId);
  return query.orderBy("scheduled_at").orderBy("id").limit(limit).execute();
}

export async function countHeld(
  executor: Executor,
  { organisationId, reason }: Omit<HeldQuestion, "callId">,
): Promise<number> {
  const { held } = await executor
    .selectFrom("calls")
    .select((eb) => eb.fn.countAll<number>().as("held"))
    .where("state", "=", QUEUED)
    .where("organisation_id", "=", organisationId)
    .where("next_at", "=", UNTIL_RELEASED_MS)
    .where("hold_reason", "in", reason === undefined ? PERSON_HOLDS : [reason])
    .executeTakeFirstOrThrow();
  return held;
}

/** Organisations with calls that wait for a person, with counts. */
export async function countHeldByOrganisation(executor: Executor, reason: PersonHold) {
  return executor
    .selectFrom("calls")
    .select((eb) => ["organisation_id", eb.fn.countAll<number>().as("held")])
    .where("state", "=", QUEUED)
    .where("hold_reason", "=", reason)
    .where("next_at", "=", UNTIL_RELEASED_MS)
    .groupBy("organisation_id")
    .execute();
}

/** Queued calls read in one look: about 2 ms. */
const MOST_LOOKED_AT = 1_000;

/** Calls that wait for a legal rule, earliest first, among the next thousand calls of the queue. */
export async function callsWaitingForRules(executor: Executor, organisationId: string, now: number, reach?: Reach) {
  const rows = await executor
    .selectFrom("calls")
    .select(["id", "contact_name", "contact_number", "next_at", "hold_reason"])
    .where("state", "=", QUEUED)
    .where("organisation_id", "=", organisationId)
    .where("next_at", ">", now)
    .where("next_at", "<", UNTIL_RELEASED_MS)
    .where(reach ? callWithin(reach) : sql<boolean>`1 = 1`)
    .orderBy("next_at")
    .orderBy("id")
    .limit(MOST_LOOKED_AT)
    .execute();
  const reasons: readonly string[] = LEGAL_HOLDS;
  return {
    calls: rows.filter(({ hold_reason }) => reasons.includes(hold_reason ?? "")),
    hasMore: rows.length === MOST_LOOKED_AT,
  };
}

/** False if the call is no longer held: cancelled or released meanwhile. */
export async function releaseHeld(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("calls")
    .set({ next_at: now, hold_reason: RELEASED, released_at: now, blocked_since: null, updated_at: now })
    .where("id", "=", id)
    .where("state", "=", QUEUED)
    .where("hold_reason", "in", PERSON_HOLDS)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export interface DueQuestion {
  organisationId: string;
  /** Calls due until then. */
  until: number;
  /** Also calls created since then, whenever they are due. */
  madeSince: number | null;
}

/** Queued calls that were due, and scheduled calls that become due by then. At most `limit`. */
async function dueIds(tx: Tx, { organisationId, until, madeSince }: DueQuestion, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (const state of [QUEUED, SCHEDULED]) {
    if (ids.length >= limit) break;
    const rows = await tx
      .selectFrom("calls")
      .select("id")
      .where("state", "=", state)
      .where("organisation_id", "=", organisationId)
      .where((eb) => {
        const due = eb(state === QUEUED ? "scheduled_at" : "next_at", "<=", until);
        return madeSince === null ? due : eb.or([due, eb("created_at", ">=", madeSince)]);
      })
      .where((eb) => eb.or([eb("hold_reason", "is", null), eb("hold_reason", "<>", RESTORED_HOLD)]))
      .limit(limit - ids.length)
      .execute();
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Returns how many; fewer than `limit` means that none are left. */
export async function holdDue(tx: Tx, question: DueQuestion, limit: number, now: number): Promise<number> {
  const ids = await dueIds(tx, question, limit);
  await holdForPerson(tx, ids, RESTORED_HOLD, now);
  return ids.length;
}

export async function holdForPerson(tx: Tx, ids: readonly string[], reason: PersonHold, now: number): Promise<void> {
  const state = nextState("scheduled", "due");
  if (ids.length === 0 || state === null) return;
  await tx
    .updateTable("calls")
    .set({ state, hold_reason: reason, next_at: UNTIL_RELEASED_MS, blocked_since: null, updated_at: now })
    .where("id", "in", ids)
    .where("state", "in", [QUEUED, SCHEDULED])
    .execute();
}
