// Endpoints, events and their deliveries.
import type { Row } from "../db/tables.ts";

export type Delivery = Row<"deliveries">;
export type DeliveryAttempt = Row<"delivery_attempts">;
export type Endpoint = Row<"webhook_endpoints">;
export type StoredEvent = Row<"events">;

export type AttemptOutcome = DeliveryAttempt["outcome"];
