// Record types of organisations, people, keys and the audit trail, shared by the modules above.
import { flag, meanings, words, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";

export const organisationMeaning = meanings<"organisations">()({ unlimited_credits: flag, share_calls: flag });
export type Organisation = Meant<typeof organisationMeaning>;
export type ShareExpiry = Organisation["share_expiry"];

export type Person = Row<"people">;
export type Role = Person["role"];

export const keyMeaning = meanings<"api_keys">()({ scopes: words() });
export type ApiKey = Meant<typeof keyMeaning>;

export type AuditEntry = Row<"audit_entries">;
