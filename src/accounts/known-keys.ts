// Principals of cached keys, computed once per row because every request needs one.
import type { Config, PlanLimits } from "../config/schema.ts";
import { keyMatches } from "./api-key.ts";
import type { KeyWithPlan } from "./key-store.ts";

/** The identity and limits that a valid key stands for. */
export interface Principal {
  organisationId: string;
  keyId: string;
  scopes: ReadonlySet<string>;
  limits: PlanLimits;
}

interface KnownKey {
  hash: Buffer;
  principal: Principal;
}

export function createKnownKeys({ plans }: Config) {
  /** A row that is read again is a new object, so its principal is recomputed. */
  const known = new WeakMap<KeyWithPlan, KnownKey>();

  function workedOut(row: KeyWithPlan): KnownKey {
    const { organisation_id: organisationId, id: keyId, scopes, plan } = row;
    const principal = { organisationId, keyId, scopes: new Set(scopes), limits: plans[plan] };
    const key = { hash: Buffer.from(row.secret_hash, "hex"), principal };
    known.set(row, key);
    return key;
  }

  /** Null if `text` is a different key. */
  return (row: KeyWithPlan, text: string): Principal | null => {
    const { hash, principal } = known.get(row) ?? workedOut(row);
    // A SMART client signs; the text of its key is never accepted.
    return row.jwks === null && keyMatches(text, hash) ? principal : null;
  };
}
