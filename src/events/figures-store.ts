// Delivery and endpoint figures for /metrics. Deliveries are counted as they change (delivery_counts); the oldest one
// takes one index probe per endpoint.
import { sql } from "kysely";
import type { Executor } from "../db/tables.ts";
import type { Delivery } from "./records.ts";

const STATES = ["pending", "held", "delivered", "exhausted"] as const satisfies readonly Delivery["state"][];

export async function deliveriesInState(executor: Executor): Promise<{ state: string; count: number }[]> {
  const rows = await executor
    .selectFrom("delivery_counts")
    .select((eb) => ["state", eb.fn.sum<number | string>("count").as("count")])
    .groupBy("state")
    .execute();
  return STATES.map((state) => ({ state, count: Number(rows.find((row) => row.state === state)?.count ?? 0) }));
}

/** Creation time of the event that has waited longest for its receiver; null if none waits. */
export async function oldestPendingAt(executor: Executor): Promise<number | null> {
  const rows = await executor
    .selectFrom("webhook_endpoints")
    .select((eb) =>
      eb
        .selectFrom("deliveries")
        .select("deliveries.created_at")
        .where("deliveries.state", "=", sql.lit("pending" as const))
        .whereRef("deliveries.endpoint_id", "=", "webhook_endpoints.id")
        .orderBy("deliveries.created_at")
        .orderBy("deliveries.id")
        .limit(sql.lit(1))
        .as("oldest_at"),
    )
    .execute();
  const times = rows.flatMap(({ oldest_at }) => oldest_at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

export type EndpointFigures = Record<"on" | "outage" | "off", number>;

/** `outage`: enabled but unreachable. */
export async function endpointsByState(executor: Executor): Promise<EndpointFigures> {
  const rows = await executor.selectFrom("webhook_endpoints").select(["enabled", "outage_since"]).execute();
  const figures: EndpointFigures = { on: 0, outage: 0, off: 0 };
  for (const { enabled, outage_since } of rows)
    figures[enabled === 0 ? "off" : outage_since === null ? "on" : "outage"] += 1;
  return figures;
}
