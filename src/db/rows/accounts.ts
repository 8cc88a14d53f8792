// Rows of organisations, people, keys, sessions, credits, and what the HTTP layer remembers.
import type { PlanName } from "../../config/schema.ts";

export interface OrganisationRow {
  id: string;
  name: string;
  plan: PlanName;
  time_zone: string;
  created_at: number;
  updated_at: number;
  /** 0 or 1. */
  unlimited_credits: number;
  credit_balance: number;
  /** 0 or 1. */
  share_calls: number;
  share_expiry: ShareExpiry;
  /** 0: the dashboard never locks itself. */
  idle_lock_minutes: number;
  /** E.164: where patients call back. */
  callback_number: string | null;
}

export type ShareExpiry = "none" | "hour" | "day" | "week" | "month";

export type Role = "owner" | "staff" | "viewer";

export interface PersonRow {
  id: string;
  organisation_id: string;
  email: string;
  name: string;
  role: Role;
  password_hash: string;
  created_at: number;
  disabled_at: number | null;
  /** Of the dashboard; null follows the browser. */
  language: string | null;
}

export interface SetupCodeRow {
  code_hash: string;
  created_at: number;
  used_at: number | null;
}

export interface ApiKeyRow {
  id: string;
  organisation_id: string;
  name: string;
  secret_hash: string;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface AuditEntryRow {
  id: string;
  organisation_id: string;
  at: number;
  actor_kind: string;
  actor_id: string | null;
  action: string;
  subject_id: string | null;
  /** JSON, without personal data. */
  detail: string;
  request_id: string | null;
}

export interface IdempotencyKeyRow {
  scope_hash: string;
  organisation_id: string;
  request_hash: string;
  status: number;
  response: string;
  subject_id: string | null;
  expires_at: number;
}

export interface HeartbeatRow {
  name: string;
  at: number;
}

export interface CreditEntryRow {
  id: string;
  organisation_id: string;
  at: number;
  amount: number;
  reason: string;
  call_id: string | null;
}

export interface KnownDeviceRow {
  token_hash: string;
  person_id: string;
  used_at: number;
}

export interface SessionRow {
  token_hash: string;
  person_id: string;
  organisation_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** Since when the screen asks for the password. */
  locked_at: number | null;
}
