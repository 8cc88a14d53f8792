// Writes one attempt down and plans what follows from it, in one transaction.
import type { AttemptOutcome, Tx } from "../db/tables.ts";
import { deliveryById, insertAttempt, updateDelivery } from "./delivery-store.ts";
import { disableWithin } from "./endpoint-service.ts";
import { endpointById, updateEndpoint } from "./endpoint-store.ts";
import { FAILURES_UNTIL_DISABLED, nextDelayMs, OUR_FAULT_PAUSE_MS } from "./retry-schedule.ts";

export interface Attempt {
  at: number;
  durationMs: number;
  status: number | null;
  outcome: AttemptOutcome;
  detail: string;
  response: string;
}

export async function recordAttempt(
  tx: Tx,
  deliveryId: string,
  attempt: Attempt,
  now: number,
): Promise<{ disabled: boolean }> {
  const delivery = await deliveryById(tx, deliveryId);
  const endpoint = delivery && (await endpointById(tx, delivery.endpoint_id));
  // Erased while the attempt was under way: nothing of it is kept.
  if (!delivery || !endpoint) return { disabled: false };
  await insertAttempt(tx, {
    delivery_id: deliveryId,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    outcome: attempt.outcome,
    detail: attempt.detail,
    response: attempt.response,
  });
  // While the endpoint is off, what would be tried again is held instead.
  const again = endpoint.enabled === 1 ? "pending" : "held";

  if (attempt.outcome === "our_fault") {
    await updateDelivery(tx, deliveryId, { state: again, next_at: now + OUR_FAULT_PAUSE_MS, updated_at: now });
    return { disabled: false };
  }
  const attempts = delivery.attempts + 1;
  if (attempt.outcome === "delivered") {
    await updateDelivery(tx, deliveryId, { state: "delivered", attempts, updated_at: now });
    if (endpoint.consecutive_failures > 0) await updateEndpoint(tx, endpoint.id, { consecutive_failures: 0 });
    return { disabled: false };
  }
  const delayMs = nextDelayMs(attempts);
  await updateDelivery(tx, deliveryId, {
    state: delayMs === null ? "exhausted" : again,
    attempts,
    next_at: now + (delayMs ?? 0),
    updated_at: now,
  });
  const failures = endpoint.consecutive_failures + 1;
  await updateEndpoint(tx, endpoint.id, { consecutive_failures: failures });
  if (failures < FAILURES_UNTIL_DISABLED || endpoint.enabled === 0) return { disabled: false };
  await disableWithin(tx, endpoint, `${failures} attempts failed in a row.`, now);
  return { disabled: true };
}
