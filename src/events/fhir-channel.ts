// FHIR Subscriptions as endpoints: the outbox, retries, replay and the allow list are those of webhooks. What is sent
// differs: the resource itself, or nothing, with the headers that the subscriber set.
import { AppError } from "../core/errors.ts";
import { remembered } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";
import type { EventToSend } from "./body.ts";
import { endpointMeaning, type Endpoint } from "./records.ts";
import { USER_AGENT } from "./signing.ts";

export interface FhirChannel {
  /** Such as `Appointment?status=booked`. */
  criteria: string;
  /** Media type of the notification; empty for one without content. */
  payload: string;
  /** `Name: value` */
  headers: readonly string[];
  /** Milliseconds; null if it does not end. */
  until: number | null;
}

export type FhirEndpoint = Endpoint & { fhir_criteria: string };

export const isFhir = (row: Endpoint): row is FhirEndpoint => row.fhir_criteria !== null;

export const NO_FHIR = { fhir_criteria: null, fhir_payload: null, fhir_until: null };

/** A Subscription is changed as one. It can be switched on again, replayed and removed like any other endpoint. */
export function assertNoSubscription(row: Endpoint): void {
  if (!isFhir(row)) return;
  throw new AppError("CONFLICT", "This endpoint is a FHIR Subscription. Delete it, and create another at /fhir.");
}

const selectSubscriptions = remembered<{ organisationId: string }>(["webhook_endpoints"])(
  (db, { organisationId }) =>
    db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where("organisation_id", "=", organisationId)
      .where("fhir_criteria", "is not", null)
      .orderBy("created_at")
      .orderBy("id"),
  (row) => endpointMeaning.read(row),
);

/** Of the organisation, in the order in which they were made. */
export async function subscriptionsOf(executor: Executor, organisationId: string): Promise<FhirEndpoint[]> {
  return (await selectSubscriptions(executor, { organisationId })).filter(isFhir);
}

/** The headers share the column of the signing secret, which a Subscription does not have. */
export const headersText = (headers: readonly string[]): string => JSON.stringify(headers);

/** What one delivery sends. The event holds the resource as it was at the change. */
export function fhirNotification(
  { fhir_payload: payload }: Endpoint,
  event: Pick<EventToSend, "id" | "data">,
  sealedHeaders: string,
): { body: string; headers: Record<string, string> } {
  const own = (JSON.parse(sealedHeaders) as string[]).map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
  });
  const fixed = { "user-agent": USER_AGENT, "x-webhook-id": event.id };
  const typed = payload ? { "content-type": `${payload}; charset=utf-8` } : {};
  return { body: payload ? event.data : "", headers: { ...Object.fromEntries(own), ...fixed, ...typed } };
}
