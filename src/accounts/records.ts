// Record types of organisations, people, keys and the audit trail, shared by the modules above.
import { flag, json, meanings, orNull, words, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";
import type { Scope } from "../payloads/scopes.ts";
import type { PublicJwks } from "./jwks.ts";

export const organisationMeaning = meanings<"organisations">()({
  unlimited_credits: flag,
  share_calls: flag,
  asks_before_calls: flag,
  second_factor_roles: words<Role>(),
});
export type Organisation = Meant<typeof organisationMeaning>;
export type ShareExpiry = Organisation["share_expiry"];

export type Person = Row<"people">;
export type PasswordLink = Row<"password_links">;
export type Role = Person["role"];
export const ROLES = ["owner", "staff", "viewer", "doctor", "auditor"] as const satisfies readonly Role[];

export const keyMeaning = meanings<"api_keys">()({ scopes: words<Scope>(), jwks: orNull(json<PublicJwks>()) });
export type ApiKey = Meant<typeof keyMeaning>;

export type AuditEntry = Row<"audit_entries">;
