// The numbers behind the overview, counted in the database.
import type { Executor } from "../db/tables.ts";

interface Span {
  from: number;
  to: number;
}

/** Calls created in a span, by state. */
export async function callsByState(executor: Executor, organisationId: string, { from, to }: Span) {
  return executor
    .selectFrom("calls")
    .select((eb) => [
      "state",
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number | null>("duration_seconds").as("duration_seconds"),
      eb.fn.sum<number | null>("credits_consumed").as("credits"),
    ])
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .groupBy("state")
    .execute();
}

export async function bookingsMade(executor: Executor, organisationId: string, { from, to }: Span): Promise<{ all: number; ai: number }> {
  const row = await executor
    .selectFrom("appointments")
    .select((eb) => [eb.fn.countAll<number>().as("all"), eb.fn.sum<number | null>(eb.case().when("source", "=", "ai").then(1).else(0).end()).as("ai")])
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .executeTakeFirstOrThrow();
  return { all: row.all, ai: Number(row.ai ?? 0) };
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

/** How long after their time the calls of a span went out, in milliseconds. */
export async function lateness(executor: Executor, organisationId: string, { from, to }: Span): Promise<number | null> {
  const row = await executor
    .selectFrom("calls")
    .select((eb) => eb.fn.avg<number | null>(eb("triggered_at", "-", eb.ref("scheduled_at"))).as("late"))
    .where("organisation_id", "=", organisationId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .where("triggered_at", "is not", null)
    .executeTakeFirst();
  return row?.late ?? null;
}

export async function countOf(executor: Executor, table: "agents" | "phone_numbers" | "api_keys" | "calls" | "webhook_endpoints", organisationId: string) {
  const row = await executor
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .executeTakeFirstOrThrow();
  return row.count;
}
