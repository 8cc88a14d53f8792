// An endpoint as people and programs see it. Its secrets are never among it.
import { toIso } from "../core/clock.ts";
import { outageView } from "./outage.ts";
import type { Endpoint } from "./records.ts";

export function endpointView(row: Endpoint, now: number) {
  const overlapUntil = row.previous_secret_until;
  return {
    endpoint_id: row.id,
    url: row.url,
    description: row.description,
    event_types: [...row.event_types],
    signing: row.signing,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    consecutive_failures: row.consecutive_failures,
    /** While our own side keeps deliveries from going out. */
    outage: outageView(row, now),
    /** After a rotation: how long the old secret still signs beside the new one. */
    previous_secret_until: overlapUntil !== null && overlapUntil > now ? toIso(overlapUntil) : null,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}
