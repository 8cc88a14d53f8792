// The numbers behind the overview, counted in the database.
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";

/** From `from` up to, but not including, `to`; milliseconds. */
export interface Span {
  from: number;
  to: number;
}

type Question = Span & { organisationId: string };

/** Asked once for each day shown, so built once. */
const selectCallsByState = prepared<Question>()((db, { organisationId, from, to }) =>
  db
    .selectFrom("calls")
    .select((eb) => [
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
    .groupBy("state"),
);

/** Calls created in a span, by state; `late_ms` is how long after their time those that went out did so, in all. */
export async function callsByState(executor: Executor, organisationId: string, span: Span) {
  return selectCallsByState(executor, { organisationId, ...span });
}

const selectBookings = prepared<Question>()((db, { organisationId, from, to }) =>
  db
    .selectFrom("appointments")
    .select((eb) => ["source", eb.fn.countAll<number>().as("count")])
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .groupBy("source"),
);

export async function bookingsMade(executor: Executor, organisationId: string, span: Span): Promise<{ all: number; ai: number }> {
  const rows = await selectBookings(executor, { organisationId, ...span });
  return { all: rows.reduce((sum, { count }) => sum + count, 0), ai: rows.find(({ source }) => source === "ai")?.count ?? 0 };
}

export async function deliveriesByState(executor: Executor, organisationId: string, { from, to }: Span) {
  return executor
    .selectFrom("deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "deliveries.endpoint_id")
    .select((eb) => ["deliveries.state", eb.fn.countAll<number>().as("count")])
    .where("webhook_endpoints.organisation_id", "=", organisationId)
    .where("deliveries.created_at", ">=", from)
    .where("deliveries.created_at", "<", to)
    .groupBy("deliveries.state")
    .execute();
}

const selectLive = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("calls")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("state", "in", ["initiated", "ringing", "in_progress"]),
);

export async function countLiveCalls(executor: Executor, organisationId: string): Promise<number> {
  const [row] = await selectLive(executor, { organisationId });
  return row?.count ?? 0;
}

type Counted = "agents" | "phone_numbers" | "api_keys" | "calls" | "webhook_endpoints";

/** A first call that was erased was made all the same. */
export async function hasEverCalled(executor: Executor, organisationId: string): Promise<boolean> {
  if (await hasAny(executor, "calls", organisationId)) return true;
  const erased = await executor.selectFrom("erased_calls").select("call_id").where("organisation_id", "=", organisationId).limit(1).executeTakeFirst();
  return erased !== undefined;
}

/** Whether there is one at all: the first row is enough, however many follow. */
export async function hasAny(executor: Executor, table: Counted, organisationId: string): Promise<boolean> {
  const row = await executor.selectFrom(table).select("id").where("organisation_id", "=", organisationId).limit(1).executeTakeFirst();
  return row !== undefined;
}
