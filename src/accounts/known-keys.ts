// Whom a remembered key speaks for, worked out once for each row that was read: every request asks.
import type { Config, PlanLimits } from "../config/schema.ts";
import { keyMatches } from "./api-key.ts";
import type { KeyWithPlan } from "./key-store.ts";

/** Whoever a valid key speaks for. */
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
  /** A row that is read anew is another object, and is worked out anew. */
  const known = new WeakMap<KeyWithPlan, KnownKey>();

  function workedOut(row: KeyWithPlan): KnownKey {
    const { organisation_id: organisationId, id: keyId, scopes, plan } = row;
    const principal = { organisationId, keyId, scopes: new Set(scopes), limits: plans[plan] };
    const key = { hash: Buffer.from(row.secret_hash, "hex"), principal };
    known.set(row, key);
    return key;
  }

  /** Null where `text` is another key. */
  return (row: KeyWithPlan, text: string): Principal | null => {
    const { hash, principal } = known.get(row) ?? workedOut(row);
    return keyMatches(text, hash) ? principal : null;
  };
}
