// Queries of the dispatcher. States are literals, so that SQLite can use the partial index for each.
import { sql, type ExpressionBuilder } from "kysely";
import { MINUTE_MS } from "../../core/clock.ts";
import { UNTIL_RELEASED_MS } from "../../db/backup/hold-due-calls.ts";
import { prepared, preparedChange, preparedWrite } from "../../db/prepared.ts";
import { organisationMeaning, type Organisation } from "../../accounts/records.ts";
import { callMeaning, type Call } from "../call/records.ts";
import type { Executor, Tables, Tx } from "../../db/tables.ts";
import { nextState } from "../call/state.ts";
import { LEGAL_HOLDS } from "./policy.ts";

const SCHEDULED = sql.lit("scheduled" as const);
const QUEUED = sql.lit("queued" as const);
const LIVE = [sql.lit("initiated" as const), sql.lit("ringing" as const), sql.lit("in_progress" as const)];

const promote = preparedChange<{ now: number; limit: number; queued: Call["state"] }>()((db, { now, limit, queued }) =>
  db
    .updateTable("calls")
    .set({ state: queued, hold_reason: "waiting_for_line", updated_at: now })
    // Rechecked, because another writer may have changed the state since the subquery.
    .where("state", "=", SCHEDULED)
    .where("id", "in", (eb) =>
      eb
        .selectFrom("calls")
        .select("id")
        .where("state", "=", SCHEDULED)
        .where("next_at", "<=", now)
        .orderBy("next_at")
        .orderBy("id")
        .limit(limit),
    ),
);

/** Queues due scheduled calls, earliest first, in one statement. Returns how many. */
export async function queueDueCalls(tx: Tx, now: number, limit: number): Promise<number> {
  const queued = nextState("scheduled", "due");
  return queued === null ? 0 : promote(tx, { now, limit, queued });
}

const selectEarliestScheduled = prepared<object>()((db) =>
  db
    .selectFrom("calls")
    .select("next_at")
    .where("state", "=", SCHEDULED)
    .orderBy("next_at")
    .orderBy("id")
    .limit(sql.lit(1)),
);

/** Due time of the next scheduled call. */
export async function earliestScheduled(executor: Executor): Promise<number | null> {
  const [row] = await selectEarliestScheduled(executor, {});
  return row?.next_at ?? null;
}

export type WaitingOrganisation = Organisation & { earliest_at: number };

const selectWaiting = prepared<object>()((db) =>
  db
    .selectFrom("organisations")
    .selectAll("organisations")
    .select((eb) =>
      eb
        .selectFrom("calls")
        .select("calls.next_at")
        .where("calls.state", "=", QUEUED)
        .whereRef("calls.organisation_id", "=", "organisations.id")
        .orderBy("calls.next_at")
        .orderBy("calls.id")
        .limit(sql.lit(1))
        .as("earliest_at"),
    ),
);

/** Organisations with queued calls, each with the due time of its first one: one index probe each. */
export async function organisationsWaiting(executor: Executor): Promise<WaitingOrganisation[]> {
  const rows = await selectWaiting(executor, {});
  return organisationMeaning
    .readAll(rows)
    .filter((organisation): organisation is WaitingOrganisation => organisation.earliest_at !== null);
}

const selectQueued = prepared<{ organisationId: string; now: number; limit: number }>()(
  (db, { organisationId, now, limit }) =>
    db
      .selectFrom("calls")
      .selectAll()
      .where("state", "=", QUEUED)
      .where("organisation_id", "=", organisationId)
      .where("next_at", "<=", now)
      .orderBy("next_at")
      .orderBy("id")
      .limit(limit),
);

export async function queuedCalls(
  executor: Executor,
  organisationId: string,
  now: number,
  limit: number,
): Promise<Call[]> {
  return callMeaning.readAll(await selectQueued(executor, { organisationId, now, limit }));
}

/** Position among due calls: queued calls come first, then scheduled ones. */
export type QueuePlace = { state: Call["state"]; nextAt: number; id: string };

/** Due calls of all organisations after a position, in order. */
export async function dueCallsAfter(
  executor: Executor,
  now: number,
  after: QueuePlace | null,
  limit: number,
): Promise<Call[]> {
  const found: Call[] = [];
  for (const state of ["queued", "scheduled"] as const) {
    if (found.length >= limit || (after?.state === "scheduled" && state === "queued")) continue;
    let query = executor
      .selectFrom("calls")
      .selectAll()
      .where("state", "=", sql.lit(state))
      .where("next_at", "<=", now);
    if (after?.state === state) {
      const { nextAt, id } = after;
      query = query.where((eb) =>
        eb.or([eb("next_at", ">", nextAt), eb.and([eb("next_at", "=", nextAt), eb("id", ">", id)])]),
      );
    }
    const more = query.orderBy("next_at").orderBy("id");
    found.push(...callMeaning.readAll(await more.limit(limit - found.length).execute()));
  }
  return found;
}

const selectLive = prepared<object>()((db) =>
  db.selectFrom("calls").select(["organisation_id", "phone_number_id", "contact_number"]).where("state", "in", LIVE),
);

export type LiveCall = Pick<Call, "organisation_id" | "phone_number_id" | "contact_number">;

export async function liveCalls(executor: Executor): Promise<LiveCall[]> {
  return selectLive(executor, {});
}

const releaseHeld = preparedWrite<Pick<Call, "organisation_id" | "contact_number" | "agent_id"> & { now: number }>()(
  (db, p) =>
    db
      .updateTable("calls")
      .set({ next_at: p.now })
      .where("id", "in", (held) =>
        held
          .selectFrom("calls")
          .select("id")
          .where("state", "=", QUEUED)
          .where("organisation_id", "=", p.organisation_id)
          .where("next_at", ">", p.now)
          .where((eb) =>
            eb.or([
              eb.and([eb("hold_reason", "=", "number_in_call"), eb("contact_number", "=", p.contact_number)]),
              eb.and([eb("hold_reason", "=", "number_lines_busy"), eb("agent_id", "=", p.agent_id)]),
              eb("hold_reason", "=", "trunk_lines_busy"),
            ]),
          )
          .orderBy("next_at")
          .orderBy("id")
          .limit(sql.lit(2)),
      ),
);

/** The end of `call` frees one line and one contact: the calls held longest for either are released. */
export async function releaseHeldFor(tx: Tx, call: Call, now: number): Promise<void> {
  const { organisation_id, contact_number, agent_id } = call;
  await releaseHeld(tx, { organisation_id, contact_number, agent_id, now });
}

const releaseAsked = preparedWrite<{ id: string; dueAt: number; now: number }>()((db, p) =>
  db
    .updateTable("calls")
    .set({ next_at: p.dueAt, updated_at: p.now })
    .where("id", "=", p.id)
    .where("state", "=", QUEUED)
    .where("hold_reason", "=", "question_pending"),
);

/** The questions about these calls were answered: each returns to its place in the queue. */
export async function releaseAskedCalls(tx: Tx, calls: readonly { id: string; dueAt: number }[], now: number) {
  for (const { id, dueAt } of calls) await releaseAsked(tx, { id, dueAt, now });
}

/**
 * Calls held by a carrier when the process ended. Sorted here, because with ORDER BY SQLite scans the whole table by
 * its key.
 */
export async function callsCutOff(executor: Executor): Promise<Call[]> {
  const calls = await executor.selectFrom("calls").selectAll().where("state", "in", LIVE).execute();
  return callMeaning.readAll(calls).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The agent's calling hours changed: calls held for them are checked again. */
export async function releaseHeldByHours(tx: Tx, organisationId: string, agentId: string, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ next_at: now, updated_at: now })
    .where("state", "=", QUEUED)
    .where("organisation_id", "=", organisationId)
    .where("agent_id", "=", agentId)
    .where("hold_reason", "=", "outside_calling_hours")
    .execute();
}

/** The organisation changed a legal rule: calls held by the rules are checked again. */
export async function releaseHeldByRules(tx: Tx, organisationId: string, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ next_at: now, updated_at: now })
    .where("state", "=", QUEUED)
    .where("organisation_id", "=", organisationId)
    .where("hold_reason", "in", LEGAL_HOLDS)
    .execute();
}

/** A trunk or the telephony part of the appliance is back: calls held for it are checked again. */
export async function releaseHeldByTrunks(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ next_at: now, updated_at: now })
    .where("state", "=", QUEUED)
    .where("hold_reason", "in", ["trunk_unavailable", "overloaded", "number_has_no_trunk"])
    .execute();
}

/** A call without a time is scheduled within this; see scheduled-time.ts. */
const AT_ONCE_MS = MINUTE_MS;

/**
 * The clock was set back. Holds are checked again. Calls planned by the appliance, for at once or with a delay, keep
 * that delay from now on. Times chosen by people stay.
 */
export async function replanQueue(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable("calls")
    .set({ next_at: now, updated_at: now })
    .where("state", "=", QUEUED)
    .where("next_at", ">", now)
    .where("next_at", "<", UNTIL_RELEASED_MS)
    .execute();
  await tx
    .updateTable("calls")
    .set((eb) => {
      // The query builder adds no parentheses.
      const at = eb(eb("next_at", "-", eb.ref("created_at")), "+", now);
      return { next_at: at, scheduled_at: at, updated_at: now };
    })
    .where("state", "=", SCHEDULED)
    .where("created_at", ">", now)
    .where(isPlannedByUs)
    .execute();
}

/**
 * The clock was set forward by `byMs` to `to`: calls that the appliance planned since `since`, while the clock was not
 * trusted, keep their delays.
 */
export async function moveQueue(tx: Tx, step: { since: number; to: number; byMs: number }): Promise<void> {
  const { since, to, byMs } = step;
  await tx
    .updateTable("calls")
    .set((eb) => ({
      next_at: eb("next_at", "+", byMs),
      scheduled_at: eb("scheduled_at", "+", byMs),
      updated_at: to,
    }))
    .where("state", "=", SCHEDULED)
    .where("created_at", ">=", since)
    .where("created_at", "<", to)
    .where(isPlannedByUs)
    .execute();
}

/** The appliance chose the time, not a person. */
const isPlannedByUs = (eb: ExpressionBuilder<Tables, "calls">) =>
  eb.or([eb("source", "in", ["retry", "campaign"]), eb("next_at", "<=", eb(eb.ref("created_at"), "+", AT_ONCE_MS))]);
