// Database queries of Today's first lines: live calls, waiting calls, and what became of today's.
import { sql } from "kysely";
import { appointmentWithin, callWithin } from "../accounts/reach-store.ts";
import { LIVE_STATES } from "../calls/call/state.ts";
import type { Reach } from "../core/reach.ts";
import type { Executor } from "../db/tables.ts";

/** Absent reach means the whole organisation. */
export interface Seen {
  organisationId: string;
  reach?: Reach | undefined;
}

/** The oldest first, so that a row keeps its place while others join. */
export async function liveCalls(executor: Executor, { organisationId, reach }: Seen, limit: number) {
  let query = executor
    .selectFrom("calls")
    .innerJoin("agents", "agents.id", "calls.agent_id")
    .select([
      "calls.id",
      "calls.state",
      "calls.contact_name",
      "calls.contact_number",
      "calls.triggered_at",
      "calls.answered_at",
      "agents.name as agent_name",
    ])
    .where("calls.organisation_id", "=", organisationId)
    .where(
      "calls.state",
      "in",
      LIVE_STATES.map((state) => sql.lit(state)),
    );
  if (reach) query = query.where(callWithin(reach));
  return query.orderBy("calls.triggered_at").orderBy("calls.id").limit(limit).execute();
}

/** Counts at most `most`: a queue may hold a million calls. */
export async function countQueued(executor: Executor, { organisationId, reach }: Seen, most: number): Promise<number> {
  let some = executor
    .selectFrom("calls")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("state", "=", sql.lit("queued" as const));
  if (reach) some = some.where(callWithin(reach));
  const { count } = await executor
    .selectFrom(some.limit(most).as("some"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Calls created since `from`, by outcome. */
export async function outcomesSince(executor: Executor, { organisationId, reach }: Seen, from: number) {
  let query = executor
    .selectFrom("calls")
    .select((eb) => ["outcome", eb.fn.countAll<number>().as("count")])
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from);
  if (reach) query = query.where(callWithin(reach));
  return query.groupBy("outcome").execute();
}

/** Booked here since `from`; those of the hospital's own systems were booked elsewhere. */
export async function countBooked(executor: Executor, { organisationId, reach }: Seen, from: number): Promise<number> {
  let query = executor
    .selectFrom("appointments")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("source", "<>", sql.lit("source" as const));
  if (reach) query = query.where(appointmentWithin(reach));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Confirmed by the patient since `from`. A confirmation also updates the row, so the index of changes finds it. */
export async function countConfirmed(executor: Executor, { organisationId, reach }: Seen, from: number) {
  let query = executor
    .selectFrom("appointments")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">=", from)
    .where("contact_confirmed_at", ">=", from);
  if (reach) query = query.where(appointmentWithin(reach));
  return (await query.executeTakeFirstOrThrow()).count;
}
