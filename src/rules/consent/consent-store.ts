// Lookup of consents for calls, and their erasure. record-store.ts writes them.
import { preparedList } from "../../db/prepared-list.ts";
import { prepared } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import type { Refusals } from "./refusal-store.ts";

const selectInForce = prepared<{ organisationId: string; number: string; purpose: Purpose; now: number }>()(
  (db, { organisationId, number, purpose, now }) =>
    db
      .selectFrom("consents")
      .select("id")
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", number)
      .where("purpose", "=", purpose)
      .where("withdrawn_at", "is", null)
      .where("granted_at", "<=", now)
      .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", now)])),
);

/** The consent in force for calls of this purpose to the number; null if there is none. */
export async function consentFor(
  executor: Executor,
  organisationId: string,
  number: string,
  purpose: Purpose,
  now: number,
): Promise<{ id: string } | null> {
  const [consent] = await selectInForce(executor, { organisationId, number, purpose, now });
  return consent ?? null;
}

const selectAmong = preparedList<{ organisationId: string; now: number }>()((db, numbers, { organisationId, now }) =>
  db
    .selectFrom("consents")
    .select(["id", "contact_number", "purpose", "withdrawn_at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "in", numbers)
    .where((eb) =>
      eb.or([
        eb("withdrawn_at", "is not", null),
        eb.and([eb("granted_at", "<=", now), eb.or([eb("until", "is", null), eb("until", ">", now)])]),
      ]),
    ),
);

/**
 * `given`: in force. `withdrawn`: the callee does not want calls of this purpose, even where the rules need no consent.
 */
export interface KnownConsent {
  /** Null: the refusal of a person who was erased. */
  id: string | null;
  state: "given" | "withdrawn";
}

/** Number → purpose. Without an entry the callee has not said anything, or the consent has expired. */
export type KnownConsents = ReadonlyMap<string, ReadonlyMap<Purpose, KnownConsent>>;

/** Reads the consents of many numbers, in one statement for up to 64. */
export async function consentsAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
  now: number,
): Promise<KnownConsents> {
  const found = new Map<string, Map<Purpose, KnownConsent>>();
  for (const row of await selectAmong(executor, numbers, { organisationId, now })) {
    const ofNumber = found.get(row.contact_number) ?? new Map<Purpose, KnownConsent>();
    ofNumber.set(row.purpose, { id: row.id, state: row.withdrawn_at === null ? "given" : "withdrawn" });
    found.set(row.contact_number, ofNumber);
  }
  return found;
}

/** Refusals of erased people count as withdrawn. A newer consent has deleted its refusal. */
export function withRefusals(consents: KnownConsents, refusals: Refusals): KnownConsents {
  if (refusals.size === 0) return consents;
  const refused = [...refusals].map(([number, purposes]): [string, Map<Purpose, KnownConsent>] => [
    number,
    new Map([
      ...purposes.keys().map((purpose): [Purpose, KnownConsent] => [purpose, { id: null, state: "withdrawn" }]),
      ...(consents.get(number) ?? []),
    ]),
  ]);
  return new Map([...consents, ...refused]);
}

/** For the erasure of a person. */
export async function deleteConsentsOf(tx: Tx, organisationId: string, number: string): Promise<void> {
  const own = tx
    .selectFrom("consents")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number);
  await tx.deleteFrom("consent_changes").where("consent_id", "in", own).execute();
  await tx
    .deleteFrom("consents")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .execute();
}
