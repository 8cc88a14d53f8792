// API representation of an endpoint. Never contains its secrets.
import { toIso } from "../core/clock.ts";
import { outageView } from "./outage.ts";
import type { Endpoint } from "./records.ts";

export function endpointView(row: Endpoint, now: number) {
  const overlapUntil = row.previous_secret_until;
  return {
    endpoint_id: row.id,
    kind: row.kind,
    /** Of kind hl7: the source that it belongs to. */
    source_id: row.source_id,
    url: row.url,
    description: row.description,
    event_types: [...row.event_types],
    /** Of a FHIR Subscription; null for a webhook. */
    fhir_criteria: row.fhir_criteria,
    signing: row.signing,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    consecutive_failures: row.consecutive_failures,
    /** Set while a fault on our side blocks deliveries. */
    outage: outageView(row, now),
    /** After a rotation: until when the old secret also signs. */
    previous_secret_until: overlapUntil !== null && overlapUntil > now ? toIso(overlapUntil) : null,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}
