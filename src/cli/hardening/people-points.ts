// Hardening points about people and API keys. People are counted, and named by their ids.
import { DAY_MS, toIso } from "../../core/clock.ts";
import type { AccountFact } from "../../accounts/hardening-store.ts";
import { counted, NO_DATABASE, named, notApplicable, ok, open, openIfAny, type Grounds, type Point } from "./point.ts";

/** Accounts and keys without a use for longer are no longer needed, or not noticed if they are stolen. */
export const IDLE_AFTER_MS = 90 * DAY_MS;

/** Every role that people have. */
export function secondFactor({ stored, config }: Grounds): Point {
  if (stored === null) return NO_DATABASE;
  const { oidc, ldap } = config.sign_in;
  const isTrusted = ({ directory }: AccountFact) =>
    (directory === "oidc" && oidc.trust_second_factor) || (directory === "ldap" && ldap.trust_second_factor);
  const people = stored.accounts.filter((person) => !person.isEmergency && !isTrusted(person));
  if (people.length === 0) return notApplicable("There is no person with a local sign-in.");
  const demanded = new Map(stored.organisations.map(({ id, secondFactorRoles }) => [id, secondFactorRoles]));
  const isDemanded = ({ organisationId, role }: AccountFact) => demanded.get(organisationId)?.includes(role) === true;
  const exempt = people.filter((person) => !isDemanded(person));
  const lacking = people.filter((person) => isDemanded(person) && !person.hasSecondFactor);
  const roles = [...new Set(exempt.map(({ role }) => role))].toSorted();
  const faults: string[] = [];
  if (exempt.length > 0) {
    faults.push(
      `It is not demanded of ${roles.join(", ")} (${counted(exempt.length, "account")}). ` +
        "Owners demand it under Settings → Organisation.",
    );
  }
  if (lacking.length > 0) {
    const ids = lacking.map(({ id }) => id);
    faults.push(`${counted(lacking.length, "account")} of these roles without one yet: ${named(ids)}.`);
  }
  return openIfAny(faults, `Demanded of every role, and all ${counted(people.length, "account")} have one.`);
}

export function emergencyAccount({ stored }: Grounds): Point {
  if (stored === null) return NO_DATABASE;
  const [first] = stored.organisations;
  if (!first) return notApplicable("There is no organisation yet.");
  const faults = stored.organisations.flatMap(({ id, seal }) => {
    if (seal === null) return [`${id} has none. Create it: "ringward break-glass seal --org ${id}".`];
    if (seal.usedAt !== null && seal.acknowledgedAt === null)
      return [`${id}: used at ${toIso(seal.usedAt)}, and not acknowledged: "ringward break-glass acknowledge".`];
    if (seal.sealedAt === null) return [`${id}: it is not sealed: "ringward break-glass seal --org ${id}".`];
    return [];
  });
  const uses = stored.organisations.flatMap(({ seal }) => seal?.usedAt ?? []);
  const lastUse = uses.length === 0 ? "Never used." : `Last used at ${toIso(Math.max(...uses))}.`;
  return openIfAny(faults, `Sealed. ${lastUse}`);
}

export function idleAccounts({ stored }: Grounds): Point {
  if (stored === null) return NO_DATABASE;
  const idle = stored.accounts.filter(({ isIdle, isEmergency }) => isIdle && !isEmergency).map(({ id }) => id);
  const days = IDLE_AFTER_MS / DAY_MS;
  if (idle.length === 0) return ok(`Every enabled account was used or made in the last ${days} days.`);
  return open(
    `${counted(idle.length, "enabled account")} without a sign-in for ${days} days: ${named(idle)}. ` +
      "Owners disable those that are not needed under Settings → People.",
  );
}

export function apiKeys({ stored, now }: Grounds): Point {
  if (stored === null) return NO_DATABASE;
  const { keys } = stored;
  if (keys.length === 0) return notApplicable("There is no active key.");
  const endless = keys.filter(({ expiresAt }) => expiresAt === null).map(({ id }) => id);
  const unused = keys.filter(({ lastUsedAt }) => lastUsedAt < now - IDLE_AFTER_MS).map(({ id }) => id);
  const faults: string[] = [];
  if (endless.length > 0)
    faults.push(`${counted(endless.length, "key")} without an expiry: ${named(endless)}. Make new ones that expire.`);
  if (unused.length > 0) {
    const days = IDLE_AFTER_MS / DAY_MS;
    faults.push(
      `${counted(unused.length, "key")} unused for ${days} days: ${named(unused)}. Revoke what is not needed.`,
    );
  }
  return openIfAny(faults, `${counted(keys.length, "active key")}, used lately, with an expiry.`);
}
