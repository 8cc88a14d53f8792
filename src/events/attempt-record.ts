// Stores delivery attempts and schedules what follows each, in one transaction.
import type { Tx } from "../db/tables.ts";
import { deliveryById, dropOurFaults, insertAttempts, trimAttempts, type DueEvent } from "./delivery-store.ts";
import { disableWithin } from "./endpoint-service.ts";
import { endpointById, setFailures, updateEndpoint } from "./endpoint-store.ts";
import { changeReadDelivery, finishHeads } from "./order-store.ts";
import { NO_OUTAGE, outageAfter } from "./outage.ts";
import type { AttemptOutcome, Delivery, Endpoint } from "./records.ts";
import {
  FAILURES_UNTIL_DISABLED,
  LONGEST_DELAY_MS,
  MOST_ATTEMPTS,
  MOST_ATTEMPTS_KEPT,
  nextDelayMs,
  STEP_BACK_MS,
} from "./retry-schedule.ts";

export interface Attempt {
  at: number;
  durationMs: number;
  status: number | null;
  outcome: AttemptOutcome;
  detail: string;
  response: string;
  /** For an internal fault: whether only this event is affected, so others may still be delivered. */
  isOfThisEvent?: boolean;
  /** Pause requested by the receiver (Retry-After) before new deliveries. */
  pauseMs?: number | null;
}

/** Effect on the endpoint, if it is worth a log line. */
export type Consequence = "disabled" | "outage began" | "outage ended" | null;

export interface Recorded {
  consequence: Consequence;
  /** When the next delivery of this order is due: a retry of this one, or its successor. Null if there is none. */
  nextAt: number | null;
}

export const NOTHING_FOLLOWS: Recorded = { consequence: null, nextAt: null };

/** A finished attempt, with the event as it was when the attempt began. */
export interface Ended {
  event: DueEvent;
  attempt: Attempt;
}

export interface Moment {
  now: number;
  /**
   * False while the clock is not trusted: receivers may reject our signatures, so no delivery is given up and no
   * endpoint is disabled.
   */
  mayGiveUp: boolean;
}

/** Returns one result per attempt, in the same order. */
export async function recordAttempts(tx: Tx, ended: readonly Ended[], moment: Moment): Promise<Recorded[]> {
  const { now } = moment;
  const plain = await recordPlain(tx, ended, now);
  const recorded: Recorded[] = [];
  for (const { event, attempt } of ended)
    recorded.push(plain.get(event.delivery_id) ?? (await recordAttempt(tx, event.delivery_id, attempt, moment)));
  return recorded;
}

/**
 * Fast path for nearly all attempts: first-try deliveries to an endpoint without failures or outage, written per
 * endpoint in bulk. Skips deliveries that changed in the meantime.
 */
async function recordPlain(tx: Tx, ended: readonly Ended[], now: number): Promise<Map<string, Recorded>> {
  const recorded = new Map<string, Recorded>();
  // A delivery that has never changed has no attempts yet.
  const firsts = ended.filter(
    ({ event, attempt }) => attempt.outcome === "delivered" && event.made_at === event.changed_at,
  );
  for (const [endpointId, group] of Map.groupBy(firsts, ({ event }) => event.endpoint_id)) {
    const endpoint = await endpointById(tx, endpointId);
    if (endpoint?.outage_since !== null || endpoint.consecutive_failures > 0) continue;
    const heads = group.map(({ event }) => ({
      id: event.delivery_id,
      order_key: event.order_key,
      isAlone: event.order_key === event.id,
    }));
    const finished = await finishHeads(tx, endpointId, heads, now);
    const rows = [];
    for (const { event, attempt } of group) {
      const nextAt = finished.get(event.delivery_id);
      if (nextAt === undefined) continue;
      rows.push(attemptRow(event.delivery_id, attempt));
      recorded.set(event.delivery_id, { consequence: null, nextAt });
    }
    await insertAttempts(tx, rows);
  }
  return recorded;
}

async function recordAttempt(tx: Tx, deliveryId: string, attempt: Attempt, moment: Moment): Promise<Recorded> {
  const { now, mayGiveUp } = moment;
  const delivery = await deliveryById(tx, deliveryId);
  const endpoint = delivery && (await endpointById(tx, delivery.endpoint_id));
  // The delivery was erased during the attempt: stores nothing.
  if (!delivery || !endpoint) return NOTHING_FOLLOWS;
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
  const delayMs = nextDelayMs(attempts) ?? (mayGiveUp ? null : LONGEST_DELAY_MS);
  const nextAt = await changeReadDelivery(tx, delivery, {
    state: delayMs === null ? "exhausted" : stateToTryAgain(delivery, endpoint),
    attempts: mayGiveUp ? attempts : Math.min(attempts, MOST_ATTEMPTS - 1),
    next_at: now + (delayMs ?? 0),
    updated_at: now,
  });
  if (!mayGiveUp) return { consequence, nextAt };
  const failures = endpoint.consecutive_failures + 1;
  await setFailures(tx, { id: endpoint.id, consecutive_failures: failures });
  if (failures < FAILURES_UNTIL_DISABLED || !endpoint.enabled) return { consequence, nextAt };
  await disableWithin(tx, endpoint, `${failures} attempts failed in a row.`, now);
  return { consequence: "disabled", nextAt };
}

/**
 * An internal fault uses up no attempt, does not count against the receiver, and stores no row that the next try would
 * repeat.
 */
async function recordOurFault(
  tx: Tx,
  delivery: Delivery,
  endpoint: Endpoint,
  attempt: Attempt,
  now: number,
): Promise<Recorded> {
  let nextAt: number | null = null;
  if (attempt.isOfThisEvent === true) {
    await dropOurFaults(tx, delivery.id);
    await keepAttempt(tx, delivery, attempt);
    nextAt = await changeReadDelivery(tx, delivery, { next_at: now + STEP_BACK_MS, updated_at: now });
  }
  // An endpoint that is enabled again starts without an outage.
  if (!endpoint.enabled) return { consequence: null, nextAt };
  const reason = attempt.isOfThisEvent === true ? "An event could not be prepared for sending." : attempt.detail;
  const outage = outageAfter(endpoint, reason, now);
  if (outage) await updateEndpoint(tx, endpoint.id, outage);
  return { consequence: endpoint.outage_since === null ? "outage began" : null, nextAt };
}

/** A delivery given up during the attempt stays given up. While the endpoint is disabled, the others are held. */
function stateToTryAgain({ state }: Delivery, { enabled }: Endpoint): Delivery["state"] {
  if (state === "exhausted" || state === "delivered") return state;
  return enabled ? "pending" : "held";
}

async function keepAttempt(tx: Tx, delivery: Delivery, attempt: Attempt): Promise<void> {
  await insertAttempts(tx, [attemptRow(delivery.id, attempt)]);
  // A delivery that has never changed has no attempts yet.
  if (delivery.updated_at !== delivery.created_at) await trimAttempts(tx, delivery.id, MOST_ATTEMPTS_KEPT);
}

function attemptRow(deliveryId: string, { at, durationMs, status, outcome, detail, response }: Attempt) {
  return { delivery_id: deliveryId, at, duration_ms: durationMs, status, outcome, detail, response };
}
