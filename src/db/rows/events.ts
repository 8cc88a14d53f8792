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
  /** Since when our own side keeps deliveries from going out; null while it does not. */
  outage_since: number | null;
  outage_reason: string | null;
  outage_probes: number;
  next_probe_at: number | null;
  /** 0 or 1: whether deliveries still have to follow the last switch-on or switch-off. */
  is_settling: number;
  created_at: number;
  updated_at: number;
}

/** A file of an erased call that is still to be removed. */
export interface FileRemovalRow {
  kind: "recording" | "capture";
  name: string;
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
  /** 0 or 1: whether it is the first unfinished one of its order, and pending. Kept by order-store.ts alone. */
  is_head: number;
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

/** Kept by triggers. */
export interface DeliveryCountRow {
  endpoint_id: string;
  state: DeliveryRow["state"];
  count: number;
}
