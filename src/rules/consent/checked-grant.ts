// Validation of a consent before it is stored, and the decision whether it changes anything. Pure.
import { MINUTE_MS } from "../../core/clock.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { assertDiallable } from "../../core/phone.ts";
import type { Actor } from "../../core/actor.ts";
import type { ConsentBasis, ConsentSource } from "../../payloads/consent.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import type { Consent } from "./records.ts";

/** A consent as it was given. Times in milliseconds. */
export interface Grant {
  number: string;
  purpose: Purpose;
  basis: ConsentBasis;
  /** Null: now. */
  grantedAt: number | null;
  until: number | null;
  reference: string | null;
}

/** Clocks of other systems differ from ours. */
const MOST_AHEAD_MS = 5 * MINUTE_MS;

export function assertGrantable({ number, purpose, basis, grantedAt, until }: Grant, now: number): void {
  assertDiallable(number, "contact_number");
  if (purpose === "promotional" && basis === "treatment")
    throw invalidField("basis", "basis must not be treatment for promotional calls: they need a consent of their own.");
  if (grantedAt !== null && grantedAt > now + MOST_AHEAD_MS)
    throw invalidField("granted_at", "granted_at must not lie in the future.");
  if (until !== null && until <= now) throw invalidField("until", "until must lie in the future.");
}

/**
 * Whether the grant changes the stored consent. Throws if the person has withdrawn since they gave it. An old list must
 * not bring back a consent, so a row of a list needs a moment after the withdrawal: a row without a date says nothing
 * about when the person agreed. Without a date, the same grant in a list or a call is no new consent.
 */
export function isNewGrant(present: Consent | undefined, grant: Grant, now: number, source: ConsentSource): boolean {
  if (!present) return true;
  const { grantedAt } = grant;
  if (present.withdrawn_at !== null) {
    assertAfterWithdrawal(present.withdrawn_at, grant, source);
    return true;
  }
  const isOver = present.until !== null && present.until <= now;
  const isSame =
    present.basis === grant.basis && present.until === grant.until && present.reference === grant.reference;
  if (isOver || !isSame) return true;
  return grantedAt === null ? source !== "list" && source !== "call" : grantedAt !== present.granted_at;
}

export function assertAfterWithdrawal(withdrawnAt: number, { grantedAt }: Grant, source: ConsentSource): void {
  if (source === "list" && (grantedAt ?? -Infinity) <= withdrawnAt) throw new AppError("CONFLICT", AFTER_LIST);
  if (grantedAt !== null && grantedAt < withdrawnAt)
    throw new AppError("CONFLICT", "The consent was withdrawn after this date. Record the date of a new consent.");
}

const AFTER_LIST =
  "The consent was withdrawn after this date, or the row has no date. " +
  "If the person has agreed again since, give the moment as granted_on, for example 2026-11-20T15:30:00+05:30.";

const SOURCES: Readonly<Record<Actor["kind"], ConsentSource>> = {
  key: "api",
  hook: "api",
  person: "dashboard",
  cli: "cli",
  system: "call",
  signed_link: "api",
  share_link: "api",
};

/** Where this actor records a consent or a withdrawal. */
export const sourceOf = ({ kind }: Actor): ConsentSource => SOURCES[kind];
