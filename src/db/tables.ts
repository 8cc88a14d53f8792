// The rows of every table, as Kysely sees them. One interface per table, in the order of the migrations.
import type { Kysely } from "kysely";
import type { PlanName } from "../config/schema.ts";

export interface OrganisationRow {
  id: string;
  name: string;
  plan: PlanName;
  time_zone: string;
  created_at: number;
  updated_at: number;
}

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

export interface Tables {
  organisations: OrganisationRow;
  people: PersonRow;
  setup_codes: SetupCodeRow;
  api_keys: ApiKeyRow;
  audit_entries: AuditEntryRow;
  idempotency_keys: IdempotencyKeyRow;
  heartbeats: HeartbeatRow;
}

/** Where a query runs: the read-only connection, or the transaction of a write. Stores take it as their first argument. */
export type Executor = Kysely<Tables>;

/** An executor inside a write. The brand keeps a reader from being passed where a change is made. */
export type Tx = Executor & { readonly [writable]: true };
declare const writable: unique symbol;
