// A consent as API, events and pages show it.
import { toIso, toIsoOrNull } from "../../core/clock.ts";
import type { ConsentState } from "../../payloads/consent.ts";
import type { ConsentView, ConsentWithHistory } from "./model.ts";
import type { Consent, ConsentChange } from "./records.ts";

export function stateOf({ withdrawn_at, until }: Consent, now: number): ConsentState {
  if (withdrawn_at !== null) return "withdrawn";
  return until !== null && until <= now ? "expired" : "active";
}

export function consentView(row: Consent, now: number): ConsentView {
  return {
    consent_id: row.id,
    contact_number: row.contact_number,
    purpose: row.purpose,
    status: stateOf(row, now),
    basis: row.basis,
    source: row.source,
    reference: row.reference,
    call_id: row.call_id,
    granted_at: toIsoOrNull(row.granted_at),
    until: toIsoOrNull(row.until),
    withdrawn_at: toIsoOrNull(row.withdrawn_at),
    recorded_by: { kind: row.actor_kind, id: row.actor_id },
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

export function historyView(row: Consent, changes: readonly ConsentChange[], now: number): ConsentWithHistory {
  const history = changes.map((change) => ({
    change: change.change,
    at: toIso(change.at),
    basis: change.basis,
    source: change.source,
    reference: change.reference,
    call_id: change.call_id,
    granted_at: toIsoOrNull(change.granted_at),
    until: toIsoOrNull(change.until),
    recorded_by: { kind: change.actor_kind, id: change.actor_id },
  }));
  return { ...consentView(row, now), history };
}

const VIEW_COLUMNS = [
  "consent_id",
  "contact_number",
  "purpose",
  "status",
  "basis",
  "source",
  "reference",
  "call_id",
  "granted_at",
  "until",
  "withdrawn_at",
] as const;

/** Source, reference, call and author of a withdrawn consent are those of the grant, where there was one. */
export const CONSENT_COLUMNS = [
  ...VIEW_COLUMNS,
  "recorded_by",
  "withdrawn_source",
  "withdrawn_reference",
  "withdrawn_call_id",
  "withdrawn_by",
] as const;

/** `withdrawal`: its newest one, if the consent is withdrawn. */
export function consentCells(view: ConsentView, withdrawal: ConsentChange | null): (string | null)[] {
  const { kind, id } = view.recorded_by;
  return [
    ...VIEW_COLUMNS.map((name) => view[name]),
    id ?? kind,
    withdrawal?.source ?? null,
    withdrawal?.reference ?? null,
    withdrawal?.call_id ?? null,
    withdrawal ? (withdrawal.actor_id ?? withdrawal.actor_kind) : null,
  ];
}
