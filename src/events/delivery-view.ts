// API representation of a delivery and its attempts.
import { toIso } from "../core/clock.ts";
import type { ListedDelivery } from "./delivery-list-store.ts";
import type { Delivery, DeliveryAttempt, StoredEvent } from "./records.ts";

export function listedView(row: ListedDelivery) {
  return {
    delivery_id: row.id,
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    call_id: row.call_id,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: nextAttemptAt(row),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

/** The body is shown without media links, because they are signed per attempt. */
export function requestView(event: StoredEvent) {
  return {
    event_id: event.id,
    event_type: event.type,
    created_at: toIso(event.created_at),
    data: JSON.parse(event.data) as Record<string, unknown>,
  };
}

export function attemptView({ at, duration_ms, status, outcome, detail, response }: DeliveryAttempt) {
  return { at: toIso(at), duration_ms, status, outcome, detail, response };
}

/** A delivery queued behind another event of its call has no due time of its own. */
export function nextAttemptAt({ is_head, next_at }: Pick<Delivery, "is_head" | "next_at">): string | null {
  return is_head ? toIso(next_at) : null;
}
