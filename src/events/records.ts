// Row types of endpoints, events and deliveries.
import { flag, meanings, words, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";

export const endpointMeaning = meanings<"webhook_endpoints">()({
  event_types: words(),
  signing: flag,
  enabled: flag,
  /** Whether deliveries have yet to follow the last enable or disable. */
  is_settling: flag,
});
export type Endpoint = Meant<typeof endpointMeaning>;

/** `data` stays JSON text: it may be long, and is parsed for one delivery at a time (body.ts). */
export const eventMeaning = meanings<"events">()({
  /** Whether each attempt signs a link. */
  has_recording: flag,
  has_transcript: flag,
});
export type StoredEvent = Meant<typeof eventMeaning>;

/** The head is the first unfinished delivery of its order, and pending. Only order-store.ts sets it. */
export const deliveryMeaning = meanings<"deliveries">()({ is_head: flag });
export type Delivery = Meant<typeof deliveryMeaning>;

export const ENDPOINT_KINDS = ["webhook", "hl7"] as const satisfies readonly Endpoint["kind"][];

export const DELIVERY_STATES = [
  "pending",
  "delivered",
  "exhausted",
  "held",
] as const satisfies readonly Delivery["state"][];

export type DeliveryAttempt = Row<"delivery_attempts">;
export type AttemptOutcome = DeliveryAttempt["outcome"];

export const ATTEMPT_OUTCOMES = [
  "delivered",
  "refused",
  "unreachable",
  "timeout",
  "blocked",
  "our_fault",
] as const satisfies readonly AttemptOutcome[];
