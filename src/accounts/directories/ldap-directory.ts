// Sign-in with LDAP or Active Directory: a service account finds the person, then the person's own password is tried.
import {
  AndFilter,
  EqualityFilter,
  ExtensibleFilter,
  FilterParser,
  OrFilter,
  ResultCodeError,
  type Client,
  type Entry,
  type Filter,
} from "ldapts";
import type { LdapSettings } from "../../config/sign-in-settings.ts";
import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { HashGate } from "../hash-gate.ts";
import type { LdapConnector } from "./ldap-connection.ts";
import { DirectoryFault, type Identity, type Standing } from "./model.ts";

/** One directory at a time is set up, and the ids below are unique in the world. */
export const LDAP_ISSUER = "ldap";

/** Found in the directory; the password is not proved. */
export type FoundPerson = Omit<Identity, "hasSecondFactor" | "refreshToken"> & { dn: string; isDisabled: boolean };

export interface LdapDirectory {
  readonly name: string;
  /** `source`: of a stranger, for turns in the queue; null for a known device. Null: no person, or several. */
  find(login: string, source: string | null): Promise<FoundPerson | null>;
  findBySubject(subject: string): Promise<FoundPerson | null>;
  /** Whether the password is right. Without a person the same is asked of the directory, for the same time. */
  prove(person: FoundPerson | null, password: string): Promise<boolean>;
  check(subject: string): Promise<Standing>;
  /** For the doctor: throws a DirectoryFault. */
  look(): Promise<void>;
}

/** Attributes that name an entry for good, in order of preference. The first is bytes. */
const GUID = "objectGUID";
const ID_ATTRIBUTES = [GUID, "entryUUID", "nsUniqueId", "ipaUniqueID"];
const ATTRIBUTES = [
  ...ID_ATTRIBUTES,
  "mail",
  "userPrincipalName",
  "displayName",
  "cn",
  "userAccountControl",
  "accountExpires",
  "nsAccountLock",
  "pwdAccountLockedTime",
];
const MEMBER_OF = "memberOf";
/** LDAP_MATCHING_RULE_IN_CHAIN: also groups in groups. */
const IN_CHAIN = "1.2.840.113556.1.4.1941";
const MOST_GROUPS = 1_000;
const LONGEST_LOGIN = 254;
const ACCOUNT_DISABLED = 0x2;
/** Results of a bind that are about the person's password or account, not about us (RFC 4511, appendix A). */
const REFUSED_BINDS = new Set([19, 32, 34, 48, 49, 50, 53]);

export interface LdapDirectoryDeps {
  settings: LdapSettings;
  connector: LdapConnector;
  /** Bounds the connections. */
  gate: HashGate;
  clock: Clock;
}

export function createLdapDirectory({ settings, connector, gate, clock }: LdapDirectoryDeps): LdapDirectory {
  /** On a connection of the service account. */
  const asService = <T>(source: string | null, work: (client: Client) => Promise<T>): Promise<T> =>
    gate.run(source, () =>
      connector.run(async (client) => {
        try {
          await client.bind(settings.bind_dn, settings.bind_password);
          return await work(client);
        } catch (error) {
          if (error instanceof ResultCodeError)
            throw new DirectoryFault(`The directory refuses the service account or its search (code ${error.code}).`, {
              isOfOne: true,
            });
          throw error;
        }
      }),
    );

  async function entryWith(client: Client, filter: Filter): Promise<FoundPerson | null> {
    const { searchEntries } = await client.search(settings.user_base, {
      scope: "sub",
      filter: new AndFilter({ filters: [FilterParser.parseString(settings.user_filter), filter] }),
      attributes: settings.group_base === "" ? [...ATTRIBUTES, MEMBER_OF] : ATTRIBUTES,
      explicitBufferAttributes: [GUID],
      sizeLimit: 2,
    });
    const [entry] = searchEntries;
    // Of two people with one user name, neither is signed in.
    if (!entry || searchEntries.length > 1) return null;
    return personOf(entry, await groupsOf(settings, client, entry), clock.now());
  }

  const findBySubject = (subject: string) => asService(null, (client) => entryWith(client, bySubject(subject)));

  return {
    name: settings.name,
    findBySubject,

    async find(login, source) {
      const value = login.trim();
      if (value === "" || value.length > LONGEST_LOGIN || /\p{Cc}/u.test(value)) return null;
      // Built as values, never as text, so nothing in them is read as a filter.
      const filters = settings.login_attributes.map((attribute) => new EqualityFilter({ attribute, value }));
      return asService(source, (client) => entryWith(client, new OrFilter({ filters })));
    },

    async prove(person, password) {
      // RFC 4513, section 5.1.2: with an empty password a directory confirms anybody.
      if (password === "") return false;
      const dn = person?.dn ?? `cn=nobody,${settings.user_base}`;
      return connector.run(async (client) => {
        try {
          await client.bind(dn, password);
          return person !== null && !person.isDisabled;
        } catch (error) {
          if (!(error instanceof ResultCodeError)) throw error;
          if (REFUSED_BINDS.has(error.code)) return false;
          throw new DirectoryFault(`The directory cannot check a password now (code ${error.code}).`);
        }
      });
    },

    async check(subject) {
      try {
        const found = await findBySubject(subject);
        if (!found) return { state: "refused", reason: "gone" };
        if (found.isDisabled) return { state: "refused", reason: "disabled" };
        return { state: "confirmed", groups: found.groups, refreshToken: null };
      } catch (error) {
        return {
          state: "unreachable",
          reason: messageOf(error),
          isSilent: error instanceof DirectoryFault && !error.isOfOne,
        };
      }
    },

    look: () =>
      asService(null, async (client) => {
        FilterParser.parseString(settings.user_filter);
        await client.search(settings.user_base, { scope: "base", attributes: ["1.1"], sizeLimit: 1 });
      }),
  };
}

async function groupsOf(settings: LdapSettings, client: Client, entry: Entry): Promise<string[]> {
  if (settings.group_base === "") return groupsIn(entry);
  const member = (attribute: string) =>
    settings.nested_groups
      ? new ExtensibleFilter({ matchType: attribute, rule: IN_CHAIN, value: entry.dn })
      : new EqualityFilter({ attribute, value: entry.dn });
  const membership = settings.nested_groups
    ? member("member")
    : new OrFilter({ filters: [member("member"), member("uniqueMember")] });
  // A person may be in thousands of groups: only those that have a role here are asked for.
  const names = settings.groups.map(({ group }) => nameFilter(group));
  const named = names.includes(null) ? [] : [new OrFilter({ filters: names.filter((filter) => filter !== null) })];
  const { searchEntries } = await client.search(settings.group_base, {
    scope: "sub",
    filter: new AndFilter({ filters: [membership, ...named] }),
    attributes: ["1.1"],
    sizeLimit: MOST_GROUPS,
  });
  return searchEntries.map(({ dn }) => dn);
}

function groupsIn(entry: Entry): string[] {
  // Active Directory sends a long list in parts under another name.
  if (Object.keys(entry).some((name) => name.toLowerCase().startsWith("memberof;range=")))
    throw new DirectoryFault("A person is in too many groups for memberOf. Set sign_in.ldap.group_base.", {
      isOfOne: true,
    });
  return textsOf(entry[MEMBER_OF]);
}

/** Matches the entries whose name is that of a distinguished name; null if it is not written as text (RFC 4514). */
export function nameFilter(dn: string): Filter | null {
  const [, attribute, written = "#"] = /^\s*([A-Za-z][\w-]*)\s*=\s*((?:\\.|[^\\,+])*)/s.exec(dn) ?? [];
  if (attribute === undefined || written.startsWith("#")) return null;
  const bytes = written
    .trimEnd()
    .replaceAll(/(?:\\[0-9A-Fa-f]{2})+/g, (escaped) => Buffer.from(escaped.replaceAll("\\", ""), "hex").toString());
  return new EqualityFilter({ attribute, value: bytes.replaceAll(/\\(.)/gs, "$1") });
}

/** Distinguished names are compared without regard to case and to spaces around separators. */
export const sameDn = (dn: string): string =>
  dn
    .toLowerCase()
    .replaceAll(/\s*([,=+])\s*/g, "$1")
    .trim();

function personOf(entry: Entry, groups: string[], now: number): FoundPerson {
  const subject = subjectOf(entry);
  if (subject === null)
    throw new DirectoryFault(`The directory shows no usable ${ID_ATTRIBUTES.join(", ")} to the service account.`, {
      isOfOne: true,
    });
  const [mail] = textsOf(entry["mail"]);
  const email = mail ?? textsOf(entry["userPrincipalName"])[0] ?? "";
  const [name = textsOf(entry["cn"])[0] ?? email] = textsOf(entry["displayName"]);
  return {
    directory: "ldap",
    issuer: LDAP_ISSUER,
    subject,
    email,
    hasConfirmedEmail: mail !== undefined,
    name,
    groups,
    dn: entry.dn,
    isDisabled: isDisabled(entry, now),
  };
}

function subjectOf(entry: Entry): string | null {
  for (const attribute of ID_ATTRIBUTES) {
    const [value, other] = [entry[attribute]].flat();
    // Two ids name nobody.
    if (other !== undefined) return null;
    if (Buffer.isBuffer(value) && value.length > 0) return `${attribute}:${value.toString("hex")}`;
    if (typeof value === "string" && value !== "") return `${attribute}:${value.toLowerCase()}`;
  }
  return null;
}

function bySubject(subject: string): Filter {
  const [attribute = "", value = ""] = subject.split(/:(.*)/s);
  return new EqualityFilter({ attribute, value: attribute === GUID ? Buffer.from(value, "hex") : value });
}

function isDisabled(entry: Entry, now: number): boolean {
  /** Bytes that are no text count as unreadable, not as absent. */
  const has = (attribute: string, holds: (value: string) => boolean) =>
    [entry[attribute] ?? []].flat().some((value) => holds(String(value)));
  if (has("userAccountControl", (flags) => !/^[0-9]+$/.test(flags) || (Number(flags) & ACCOUNT_DISABLED) !== 0))
    return true;
  if (has("nsAccountLock", (isLocked) => isLocked.toLowerCase() === "true")) return true;
  // The password policy's lock for good; shorter ones pass by themselves.
  if (has("pwdAccountLockedTime", (time) => time === "000001010000Z")) return true;
  return has("accountExpires", (time) => hasExpired(time, now));
}

/** Hundreds of nanoseconds since 1601; 0 and 2^63-1 mean never. */
function hasExpired(fileTime: string, now: number): boolean {
  if (!/^[0-9]{1,19}$/.test(fileTime)) return false;
  const ticks = BigInt(fileTime);
  if (ticks === 0n || ticks >= 0x7fffffffffffffffn) return false;
  return Number(ticks / 10_000n - 11_644_473_600_000n) <= now;
}

const textsOf = (value: Entry[string] | undefined): string[] =>
  [value].flat().flatMap((each) => (typeof each === "string" && each !== "" ? [each] : []));
