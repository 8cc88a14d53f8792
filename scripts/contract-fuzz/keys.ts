// API keys of every kind: all scopes, a single scope, all but one, and keys that are no longer valid.
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { until } from "../../test/support/until.ts";
import type { Owner } from "./owner.ts";
import type { Credential } from "./world.ts";

interface NewKey {
  key_id: string;
  key: string;
}

/** Long enough for creation, short enough to wait for. */
const EXPIRES_AFTER_MS = 1_500;

export const newKey = (owner: Owner, scopes: readonly string[], more: object = {}): Promise<NewKey> =>
  owner.ask<NewKey>("POST", "keys", { name: "fuzz", scopes, ...more });

export async function scopedKeys(owner: Owner) {
  const { key: all } = await newKey(owner, ALL_SCOPES);
  const only = new Map<string, string>();
  const without = new Map<string, string>();
  for (const scope of ALL_SCOPES) {
    only.set(scope, (await newKey(owner, [scope])).key);
    without.set(
      scope,
      (
        await newKey(
          owner,
          ALL_SCOPES.filter((other) => other !== scope),
        )
      ).key,
    );
  }
  return { all, only, without };
}

export interface DeadKeys {
  credentials: readonly Credential[];
  untilExpired(): Promise<void>;
}

export async function deadKeys(owner: Owner, alive: string): Promise<DeadKeys> {
  const revoked = await newKey(owner, ALL_SCOPES);
  await owner.ask("DELETE", `keys/${revoked.key_id}`);
  const expiresAt = Date.now() + EXPIRES_AFTER_MS;
  const expired = await newKey(owner, ALL_SCOPES, { expires_at: new Date(expiresAt).toISOString() });
  const key = (label: string, text: string): Credential => ({ label, headers: { "x-api-key": text } });
  const credentials = [
    { label: "no key", headers: {} },
    key("an empty key", ""),
    key("no key but a word", "secret"),
    key("a key that nobody has", `rw_live_${"0".repeat(26)}_${"A".repeat(43)}`),
    key("a key with another secret", alive.slice(0, -4) + (alive.endsWith("AAAA") ? "BBBB" : "AAAA")),
    key("a key in capitals", alive.toUpperCase()),
    key("two keys at once", `${alive}, ${alive}`),
    key("a revoked key", revoked.key),
    key("an expired key", expired.key),
    { label: "a key in another header", headers: { authorization: `Bearer ${alive}` } },
    { label: "a session of the dashboard", headers: { cookie: owner.cookie, "x-ringward-dashboard": "1" } },
  ];
  return { credentials, untilExpired: () => until(() => Date.now() > expiresAt) };
}
