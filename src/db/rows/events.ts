// Rows of outbound events, their deliveries, and shared calls.
import type { Generated, Selectable } from "kysely";

export interface WebhookEndpointRow {
  id: string;
  organisation_id: string;
  url: string;
  description: string;
  /** Space-separated. */
  event_types: string;
  /** 0 or 1. */
  signing: number;
  sealed_secret: string;
  sealed_previous_secret: string | null;
  previous_secret_until: number | null;
  /** 0 or 1. */
  enabled: number;
  disabled_reason: string | null;
  consecutive_failures: number;
  created_at: number;
  updated_at: number;
}

export interface EventRow {
  id: string;
  organisation_id: string;
  type: string;
  call_id: string | null;
  appointment_id: string | null;
  /** 0 or 1: whether a link is to be signed at each attempt. */
  has_recording: number;
  has_transcript: number;
  created_at: number;
  /** JSON, without media links. */
  data: string;
}

export type DeliveryState = "pending" | "delivered" | "exhausted" | "held";

export interface DeliveryRow {
  id: string;
  organisation_id: string;
  event_id: string;
  endpoint_id: string;
  order_key: string;
  state: DeliveryState;
  attempts: number;
  next_at: number;
  created_at: number;
  updated_at: number;
}

export type AttemptOutcome = "delivered" | "refused" | "unreachable" | "timeout" | "blocked" | "our_fault";

export interface DeliveryAttemptRow {
  id: Generated<number>;
  delivery_id: string;
  at: number;
  duration_ms: number;
  status: number | null;
  outcome: AttemptOutcome;
  detail: string;
  response: string;
}

/** As it is read. */
export type DeliveryAttempt = Selectable<DeliveryAttemptRow>;

export interface CallShareRow {
  call_id: string;
  organisation_id: string;
  token: string;
  created_at: number;
  expires_at: number | null;
}
