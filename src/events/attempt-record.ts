// Writes one attempt down and plans what follows from it, in one transaction.
import type { AttemptOutcome, DeliveryRow, Tx, WebhookEndpointRow } from "../db/tables.ts";
import { deliveryById, dropOurFaults, insertAttempt, trimAttempts } from "./delivery-store.ts";
import { disableWithin } from "./endpoint-service.ts";
import { endpointById, setFailures, updateEndpoint } from "./endpoint-store.ts";
import { changeReadDelivery } from "./order-store.ts";
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
  /** How long the receiver asks us to wait before anything new is sent to it. */
  pauseMs?: number | null;
}

/** What became of the endpoint by it, worth a line in the log. */
export type Consequence = "disabled" | "outage began" | "outage ended" | null;

export interface Recorded {
  consequence: Consequence;
  /** When the next delivery of this order is due: this one again, or the one behind it. Null where there is none. */
  nextAt: number | null;
}

const NOTHING: Recorded = { consequence: null, nextAt: null };

/** Endpoints that were read in this transaction; each is taken out when it changes. */
export type EndpointsRead = Map<string, WebhookEndpointRow>;

export async function recordAttempt(
  tx: Tx,
  deliveryId: string,
  attempt: Attempt,
  now: number,
  read: EndpointsRead = new Map(),
): Promise<Recorded> {
  const delivery = await deliveryById(tx, deliveryId);
  const endpoint = delivery && (read.get(delivery.endpoint_id) ?? (await endpointById(tx, delivery.endpoint_id)));
  // Erased while the attempt was under way: nothing of it is kept.
  if (!delivery || !endpoint) return NOTHING;
  const isAsBefore =
    attempt.outcome === "delivered" && endpoint.outage_since === null && endpoint.consecutive_failures === 0;
  if (isAsBefore) read.set(endpoint.id, endpoint);
  else read.delete(endpoint.id);
  if (attempt.outcome === "our_fault") return recordOurFault(tx, delivery, endpoint, attempt, now);

  await keepAttempt(tx, delivery, attempt);
  const attempts = delivery.attempts + 1;
  const hadOutage = endpoint.outage_since !== null;
  if (hadOutage) await updateEndpoint(tx, endpoint.id, NO_OUTAGE);
  const consequence = hadOutage ? "outage ended" : null;
  if (attempt.outcome === "delivered") {
    const nextAt = await changeReadDelivery(tx, delivery, { state: "delivered", attempts, updated_at: now });
    if (endpoint.consecutive_failures > 0) await setFailures(tx, { id: endpoint.id, consecutive_failures: 0 });
    return { consequence, nextAt };
  }
  const delayMs = nextDelayMs(attempts);
  const nextAt = await changeReadDelivery(tx, delivery, {
    state: delayMs === null ? "exhausted" : stateToTryAgain(delivery, endpoint),
    attempts,
    next_at: now + (delayMs ?? 0),
    updated_at: now,
  });
  const failures = endpoint.consecutive_failures + 1;
  await setFailures(tx, { id: endpoint.id, consecutive_failures: failures });
  if (failures < FAILURES_UNTIL_DISABLED || endpoint.enabled === 0) return { consequence, nextAt };
  await disableWithin(tx, endpoint, `${failures} attempts failed in a row.`, now);
  return { consequence: "disabled", nextAt };
}

/** No attempt is used up, nothing counts against the receiver, and no row is written that the next try would repeat. */
async function recordOurFault(
  tx: Tx,
  delivery: DeliveryRow,
  endpoint: WebhookEndpointRow,
  attempt: Attempt,
  now: number,
): Promise<Recorded> {
  let nextAt: number | null = null;
  if (attempt.isOfThisEvent === true) {
    await dropOurFaults(tx, delivery.id);
    await keepAttempt(tx, delivery, attempt);
    nextAt = await changeReadDelivery(tx, delivery, { next_at: now + STEP_BACK_MS, updated_at: now });
  }
  // Whoever switches the endpoint on again starts without an outage.
  if (endpoint.enabled === 0) return { consequence: null, nextAt };
  const reason = attempt.isOfThisEvent === true ? "An event could not be prepared for sending." : attempt.detail;
  const outage = outageAfter(endpoint, reason, now);
  if (outage) await updateEndpoint(tx, endpoint.id, outage);
  return { consequence: endpoint.outage_since === null ? "outage began" : null, nextAt };
}

/** What was given up while the attempt was under way stays given up; while the endpoint is off, what is left is held. */
function stateToTryAgain({ state }: DeliveryRow, { enabled }: WebhookEndpointRow): DeliveryRow["state"] {
  if (state === "exhausted" || state === "delivered") return state;
  return enabled === 1 ? "pending" : "held";
}

async function keepAttempt(tx: Tx, delivery: DeliveryRow, attempt: Attempt): Promise<void> {
  await insertAttempt(tx, {
    delivery_id: delivery.id,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    outcome: attempt.outcome,
    detail: attempt.detail,
    response: attempt.response,
  });
  // One that has never changed has no attempts yet.
  if (delivery.updated_at !== delivery.created_at) await trimAttempts(tx, delivery.id, MOST_ATTEMPTS_KEPT);
}
