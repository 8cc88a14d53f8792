// Endpoints, events and their deliveries.
import { flag, meanings, words, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";

export const endpointMeaning = meanings<"webhook_endpoints">()({
  event_types: words(),
  signing: flag,
  enabled: flag,
  /** Whether deliveries still have to follow the last switch-on or switch-off. */
  is_settling: flag,
});
export type Endpoint = Meant<typeof endpointMeaning>;

/** `data` stays JSON text: it may be long, and is read for one delivery at a time (body.ts). */
export const eventMeaning = meanings<"events">()({
  /** Whether a link is to be signed at each attempt. */
  has_recording: flag,
  has_transcript: flag,
});
export type StoredEvent = Meant<typeof eventMeaning>;

/** The head is the first unfinished one of its order, and pending. Kept by order-store.ts alone. */
export const deliveryMeaning = meanings<"deliveries">()({ is_head: flag });
export type Delivery = Meant<typeof deliveryMeaning>;

export type DeliveryAttempt = Row<"delivery_attempts">;
export type AttemptOutcome = DeliveryAttempt["outcome"];
