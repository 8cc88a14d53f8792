// Organisations, people, keys and the audit trail, as every room above sees them.
import type { Row } from "../db/tables.ts";

export type ApiKey = Row<"api_keys">;
export type AuditEntry = Row<"audit_entries">;
export type Organisation = Row<"organisations">;
export type Person = Row<"people">;

export type Role = Person["role"];
export type ShareExpiry = Organisation["share_expiry"];
