// Writes one attempt down and plans what follows from it, in one transaction.
import type { AttemptOutcome, DeliveryRow, Tx, WebhookEndpointRow } from "../db/tables.ts";
import { deliveryById, dropOurFaults, insertAttempt, trimAttempts } from "./delivery-store.ts";
import { disableWithin } from "./endpoint-service.ts";
import { endpointById, updateEndpoint } from "./endpoint-store.ts";
import { changeDelivery } from "./order-store.ts";
import { NO_OUTAGE, outageAfter } from "./outage.ts";
import { FAILURES_UNTIL_DISABLED, MOST_ATTEMPTS_KEPT, nextDelayMs, STEP_BACK_MS } from "./retry-schedule.ts";

export interface Attempt {
  at: number;
  durationMs: number;
  status: number | null;
  outcome: AttemptOutcome;
  detail: string;
  response: string;
  /** Of a fault of our own: whether it lies in this one event, so that another might go through. */
  isOfThisEvent?: boolean;
}

/** What became of the endpoint by it, worth a line in the log. */
export type Consequence = "disabled" | "outage began" | "outage ended" | null;

export async function recordAttempt(tx: Tx, deliveryId: string, attempt: Attempt, now: number): Promise<Consequence> {
  const delivery = await deliveryById(tx, deliveryId);
  const endpoint = delivery && (await endpointById(tx, delivery.endpoint_id));
  // Erased while the attempt was under way: nothing of it is kept.
  if (!delivery || !endpoint) return null;
  if (attempt.outcome === "our_fault") return recordOurFault(tx, delivery, endpoint, attempt, now);

  await keepAttempt(tx, deliveryId, attempt);
  const attempts = delivery.attempts + 1;
  const hadOutage = endpoint.outage_since !== null;
  if (hadOutage) await updateEndpoint(tx, endpoint.id, NO_OUTAGE);
  const consequence = hadOutage ? "outage ended" : null;
  if (attempt.outcome === "delivered") {
    await changeDelivery(tx, delivery, { state: "delivered", attempts, updated_at: now });
    if (endpoint.consecutive_failures > 0) await updateEndpoint(tx, endpoint.id, { consecutive_failures: 0 });
    return consequence;
  }
  const delayMs = nextDelayMs(attempts);
  await changeDelivery(tx, delivery, {
    state: delayMs === null ? "exhausted" : stateToTryAgain(delivery, endpoint),
    attempts,
    next_at: now + (delayMs ?? 0),
    updated_at: now,
  });
  const failures = endpoint.consecutive_failures + 1;
  await updateEndpoint(tx, endpoint.id, { consecutive_failures: failures });
  if (failures < FAILURES_UNTIL_DISABLED || endpoint.enabled === 0) return consequence;
  await disableWithin(tx, endpoint, `${failures} attempts failed in a row.`, now);
  return "disabled";
}

/** No attempt is used up, nothing counts against the receiver, and no row is written that the next try would repeat. */
async function recordOurFault(
  tx: Tx,
  delivery: DeliveryRow,
  endpoint: WebhookEndpointRow,
  attempt: Attempt,
  now: number,
): Promise<Consequence> {
  if (attempt.isOfThisEvent === true) {
    await dropOurFaults(tx, delivery.id);
    await keepAttempt(tx, delivery.id, attempt);
    await changeDelivery(tx, delivery, { next_at: now + STEP_BACK_MS, updated_at: now });
  }
  // Whoever switches the endpoint on again starts without an outage.
  if (endpoint.enabled === 0) return null;
  const reason = attempt.isOfThisEvent === true ? "An event could not be prepared for sending." : attempt.detail;
  const outage = outageAfter(endpoint, reason, now);
  if (outage) await updateEndpoint(tx, endpoint.id, outage);
  return endpoint.outage_since === null ? "outage began" : null;
}

/** What was given up while the attempt was under way stays given up; while the endpoint is off, what is left is held. */
function stateToTryAgain({ state }: DeliveryRow, { enabled }: WebhookEndpointRow): DeliveryRow["state"] {
  if (state === "exhausted" || state === "delivered") return state;
  return enabled === 1 ? "pending" : "held";
}

async function keepAttempt(tx: Tx, deliveryId: string, attempt: Attempt): Promise<void> {
  await insertAttempt(tx, {
    delivery_id: deliveryId,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    outcome: attempt.outcome,
    detail: attempt.detail,
    response: attempt.response,
  });
  await trimAttempts(tx, deliveryId, MOST_ATTEMPTS_KEPT);
}
