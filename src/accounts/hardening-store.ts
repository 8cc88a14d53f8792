// Facts about accounts and API keys for `ringward doctor --security`: ids, roles and times, no names.
import type { Executor } from "../db/tables.ts";
import { factorsOf } from "./factor-store.ts";
import { allOrganisations } from "./organisation-store.ts";
import type { Role } from "./records.ts";

export interface AccountFact {
  id: string;
  organisationId: string;
  role: Role;
  /** Null for a local account. */
  directory: string | null;
  isEmergency: boolean;
  hasSecondFactor: boolean;
  /** No sign-in, no open session and no creation since the given time. */
  isIdle: boolean;
}

export interface SealFact {
  sealedAt: number | null;
  usedAt: number | null;
  acknowledgedAt: number | null;
}

export interface KeyFact {
  id: string;
  expiresAt: number | null;
  /** The creation, if it was never used. */
  lastUsedAt: number;
}

export interface AccountFacts {
  organisations: { id: string; secondFactorRoles: readonly Role[]; seal: SealFact | null }[];
  /** Enabled accounts. */
  accounts: AccountFact[];
  /** Keys that are neither revoked nor expired. */
  keys: KeyFact[];
}

export async function accountFacts(executor: Executor, now: number, idleSince: number): Promise<AccountFacts> {
  const seals = await executor.selectFrom("break_glass").selectAll().execute();
  const organisations = await allOrganisations(executor);
  return {
    organisations: organisations.map(({ id, second_factor_roles }) => {
      const seal = seals.find(({ organisation_id }) => organisation_id === id);
      return {
        id,
        secondFactorRoles: second_factor_roles,
        seal: seal ? { sealedAt: seal.sealed_at, usedAt: seal.used_at, acknowledgedAt: seal.acknowledged_at } : null,
      };
    }),
    accounts: await accounts(executor, idleSince),
    keys: await activeKeys(executor, now),
  };
}

async function accounts(executor: Executor, idleSince: number): Promise<AccountFact[]> {
  const rows = await executor
    .selectFrom("people")
    .leftJoin("break_glass", "break_glass.person_id", "people.id")
    .leftJoin("directory_people", "directory_people.person_id", "people.id")
    .select(["people.id", "people.organisation_id", "people.role", "people.created_at"])
    .select(["break_glass.person_id as emergency", "directory_people.directory"])
    .where("people.disabled_at", "is", null)
    .orderBy("people.id")
    .execute();
  const factors = await factorsOf(
    executor,
    rows.map(({ id }) => id),
  );
  const seen = await seenSince(executor, idleSince);
  return rows.map(({ id, organisation_id, role, created_at, emergency, directory }) => ({
    id,
    organisationId: organisation_id,
    role,
    directory,
    isEmergency: emergency !== null,
    hasSecondFactor: factors.has(id),
    isIdle: created_at < idleSince && !seen.has(id),
  }));
}

/** By sessions, known devices and the audit trail, which may be pruned. */
async function seenSince(executor: Executor, since: number): Promise<Set<string>> {
  const sessions = await executor
    .selectFrom("sessions")
    .select("person_id")
    .distinct()
    .where("last_seen_at", ">=", since)
    .execute();
  const devices = await executor
    .selectFrom("known_devices")
    .select("person_id")
    .distinct()
    .where("used_at", ">=", since)
    .execute();
  const noted = await executor
    .selectFrom("audit_entries")
    .select("actor_id")
    .distinct()
    .where("action", "=", "person.signed_in")
    .where("at", ">=", since)
    .execute();
  return new Set([
    ...sessions.map(({ person_id }) => person_id),
    ...devices.map(({ person_id }) => person_id),
    ...noted.flatMap(({ actor_id }) => actor_id ?? []),
  ]);
}

async function activeKeys(executor: Executor, now: number): Promise<KeyFact[]> {
  const rows = await executor
    .selectFrom("api_keys")
    .select(["id", "created_at", "expires_at", "last_used_at"])
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("id")
    .execute();
  return rows.map(({ id, created_at, expires_at, last_used_at }) => ({
    id,
    expiresAt: expires_at,
    lastUsedAt: last_used_at ?? created_at,
  }));
}
