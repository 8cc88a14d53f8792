// Database queries of the overview.
import { sql } from "kysely";
import { callWithin } from "../accounts/reach-store.ts";
import { LIVE_STATES } from "../calls/call/state.ts";
import type { Reach } from "../core/reach.ts";
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";

/** From `from` up to, but not including, `to`; milliseconds. */
export interface Span {
  from: number;
  to: number;
}

type Question = Span & { organisationId: string };

/** Days of equal length, one after the other. */
export interface Run extends Span {
  dayMs: number;
}

type RunQuestion = Run & { organisationId: string };

/** From 0, within a run. SQLite divides to a fraction, and PostgreSQL to a whole number. */
const dayOf = ({ from, dayMs }: Run) => sql<number>`cast((created_at - ${from}) / ${dayMs} as integer)`;

const selectCallsByState = prepared<RunQuestion>()((db, { organisationId, from, to, dayMs }) =>
  db
    .selectFrom("calls")
    .select((eb) => [
      dayOf({ from, to, dayMs }).as("day"),
      "state",
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number | null>("duration_seconds").as("duration_seconds"),
      eb.fn.sum<number | null>("credits_consumed").as("credits"),
      eb.fn.count<number>("triggered_at").as("triggered"),
      eb.fn.sum<number | null>(eb("triggered_at", "-", eb.ref("scheduled_at"))).as("late_ms"),
    ])
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .groupBy([sql.ref("day"), "state"]),
);

/** Calls created in a run, by day and state. `late_ms`: total delay of triggered calls after their planned time. */
export async function callsByState(executor: Executor, organisationId: string, run: Run) {
  return selectCallsByState(executor, { organisationId, ...run });
}

const selectBookings = prepared<RunQuestion>()((db, { organisationId, from, to, dayMs }) =>
  db
    .selectFrom("appointments")
    .select((eb) => [dayOf({ from, to, dayMs }).as("day"), "source", eb.fn.countAll<number>().as("count")])
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    // Those of the hospital's own systems were booked elsewhere.
    .where("source", "<>", sql.lit("source" as const))
    .groupBy([sql.ref("day"), "source"]),
);

/** Bookings made in a run, by day and source. */
export async function bookingsMade(executor: Executor, organisationId: string, run: Run) {
  return selectBookings(executor, { organisationId, ...run });
}

const selectDeliveries = prepared<Question>()((db, { organisationId, from, to }) =>
  db
    .selectFrom("deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "deliveries.endpoint_id")
    .select((eb) => ["deliveries.state", eb.fn.countAll<number>().as("count")])
    .where("webhook_endpoints.organisation_id", "=", organisationId)
    .where("deliveries.created_at", ">=", from)
    .where("deliveries.created_at", "<", to)
    .groupBy("deliveries.state"),
);

export async function deliveriesByState(
  executor: Executor,
  organisationId: string,
  span: Span,
): Promise<Record<string, number>> {
  const rows = await selectDeliveries(executor, { organisationId, ...span });
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

interface ChangeQuestion {
  organisationId: string;
  since: number;
  limit: number;
}

const selectChangedCalls = prepared<ChangeQuestion>()((db, { organisationId, since, limit }) =>
  db
    .selectFrom("calls")
    .select("created_at")
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">=", since)
    .limit(limit),
);

const selectChangedAppointments = prepared<ChangeQuestion>()((db, { organisationId, since, limit }) =>
  db
    .selectFrom("appointments")
    .select("created_at")
    .where("organisation_id", "=", organisationId)
    .where("updated_at", ">=", since)
    .limit(limit),
);

/** Creation times of the calls and appointments changed since `since`; at most `limit` of each. */
export async function createdAtOfChanged(
  executor: Executor,
  organisationId: string,
  since: number,
  limit: number,
): Promise<number[]> {
  const question = { organisationId, since, limit };
  const rows = [
    ...(await selectChangedCalls(executor, question)),
    ...(await selectChangedAppointments(executor, question)),
  ];
  return rows.map(({ created_at }) => created_at);
}

export async function hasErasedSince(executor: Executor, organisationId: string, since: number): Promise<boolean> {
  const row = await executor
    .selectFrom("erased_calls")
    .select("call_id")
    .where("organisation_id", "=", organisationId)
    .where("erased_at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const selectLive = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("calls")
    // With this form of count, and the states as text, SQLite uses the index of live calls. Otherwise it reads every
    // call of the organisation.
    .select((eb) =>
      eb.fn
        .sum<number | null>(eb.case().when("organisation_id", "=", organisationId).then(1).else(0).end())
        .as("count"),
    )
    .where(
      "state",
      "in",
      LIVE_STATES.map((state) => sql.lit(state)),
    ),
);

export async function countLiveCalls(executor: Executor, organisationId: string): Promise<number> {
  const [row] = await selectLive(executor, { organisationId });
  return row?.count ?? 0;
}

export async function countLiveCallsWithin(executor: Executor, organisationId: string, reach: Reach): Promise<number> {
  const { count } = await executor
    .selectFrom("calls")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where(
      "state",
      "in",
      LIVE_STATES.map((state) => sql.lit(state)),
    )
    .where(callWithin(reach))
    .executeTakeFirstOrThrow();
  return count;
}

type Counted = "agents" | "phone_numbers" | "api_keys" | "calls" | "webhook_endpoints";

/** Erased calls count too. */
export async function hasEverCalled(executor: Executor, organisationId: string): Promise<boolean> {
  if (await hasAny(executor, "calls", organisationId)) return true;
  const erased = await executor
    .selectFrom("erased_calls")
    .select("call_id")
    .where("organisation_id", "=", organisationId)
    .limit(1)
    .executeTakeFirst();
  return erased !== undefined;
}

/** Stops at the first row. */
export async function hasAny(executor: Executor, table: Counted, organisationId: string): Promise<boolean> {
  const row = await executor
    .selectFrom(table)
    .select("id")
    .where("organisation_id", "=", organisationId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
