// The hospital's directories as sign-in sees them: whose password is theirs, who comes back from a provider.
import { AppError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hmac.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { SignInSettings } from "../../config/sign-in-settings.ts";
import type { DirectoryKind } from "../../payloads/sign-in.ts";
import type { Try } from "../guess-pace.ts";
import type { LoginThrottle } from "../login-throttle.ts";
import { isDeviceOfAnybody } from "../device-store.ts";
import { personByEmail, personById } from "../person-store.ts";
import type { Person } from "../records.ts";
import type { DirectoryPeople } from "./directory-people.ts";
import { directoriesOf, directoryPersonBy, directoryPersonOf } from "../directory-store.ts";
import type { FoundPerson, LdapDirectory } from "./ldap-directory.ts";
import { DirectoryFault, unanswered } from "./model.ts";
import type { Asker, OidcDirectory, Returned } from "./oidc-directory.ts";
import type { Rechecks } from "./rechecks.ts";

/** A person whom a directory has just proved. */
export interface ProvedByDirectory {
  person: Person;
  /** The directory asked for a second factor, and the settings trust it. */
  isTwice: boolean;
}

export interface DirectoriesDeps {
  settings: SignInSettings;
  db: Database;
  logger: Logger;
  people: DirectoryPeople;
  rechecks: Rechecks;
  oidc: OidcDirectory | null;
  ldap: LdapDirectory | null;
  /** Its own, whose turns are the directory's connections: a directory that hangs delays no local account. */
  throttle: LoginThrottle;
}

interface Attempt {
  source: string;
  /** The search does not queue with strangers. */
  isKnown: boolean;
  /** Whose attempt it is, once the directory has said who the person is. */
  by: (person: Person | undefined) => Promise<Try["by"]>;
}

/** By what the person is searched. */
type Wanted = { login: string } | { subject: string };

export type Directories = ReturnType<typeof createDirectories>;

export function createDirectories(deps: DirectoriesDeps) {
  const { settings, db, logger, people, rechecks, oidc, ldap, throttle } = deps;

  async function personOf(found: FoundPerson): Promise<Person | undefined> {
    const link = await directoryPersonBy(db.reader, found);
    return link && personById(db.reader, link.person_id);
  }

  /** The person of the directory with this user name and password; null if the password is wrong. */
  async function proveIn(directory: LdapDirectory, wanted: Wanted, password: string, attempt: Attempt) {
    try {
      const source = attempt.isKnown ? null : attempt.source;
      const found = await ("login" in wanted
        ? directory.find(wanted.login, source)
        : directory.findBySubject(wanted.subject));
      // One count for all spellings and user names of a person.
      const email = `directory ${found?.subject ?? ("login" in wanted ? wanted.login.trim().toLowerCase() : "")}`;
      const by = await attempt.by(found ? await personOf(found) : undefined);
      return await throttle.run({ source: attempt.source, by, email }, async () =>
        (await directory.prove(found, password)) ? found : null,
      );
    } catch (error) {
      if (!(error instanceof DirectoryFault)) throw error;
      logger.warn("sign-in with the directory failed", { reason: error.message });
      throw unanswered(directory.name);
    }
  }

  const trusted = settings.ldap.trust_second_factor;
  const identityOf = ({ dn: _dn, isDisabled: _isDisabled, ...identity }: FoundPerson) => ({
    ...identity,
    hasSecondFactor: trusted,
    refreshToken: null,
  });

  return {
    /** For the sign-in page. */
    shown: () => ({ oidc: oidc && { name: oidc.name }, ldap: ldap && { name: ldap.name } }),

    nameOf: (directory: DirectoryKind): string => settings[directory].name,

    begin(from: Asker): Promise<{ flow: string; url: string }> {
      return mustHave(oidc).begin(from);
    },

    async finish(flow: string | null, returned: Returned, from: Asker): Promise<ProvedByDirectory> {
      const identity = await mustHave(oidc).finish(flow, returned, from);
      const person = await people.admit(identity);
      return { person, isTwice: identity.hasSecondFactor && settings.oidc.trust_second_factor };
    },

    /**
     * Null if the directory has no say: none is set up, or the person is a local one, whose password is checked here
     * and never sent elsewhere.
     */
    async provePassword(
      login: string,
      password: string,
      attempt: { source: string; deviceToken: string | null; by: (person: Person | undefined) => Promise<Try["by"]> },
    ): Promise<ProvedByDirectory | null> {
      if (!ldap) return null;
      const asked = await personByEmail(db.reader, login.trim().toLowerCase());
      const link = asked && (await directoryPersonOf(db.reader, asked.id));
      if (asked && link?.directory !== "ldap") return null;
      if (asked?.disabled_at) return null;
      const { source, deviceToken, by } = attempt;
      // Who a user name stands for is known only after the search, in whose queue a known device does not wait for
      // strangers, whoever is known on it.
      const isKnown = deviceToken !== null && (await isDeviceOfAnybody(db.reader, sha256Hex(deviceToken)));
      const found = await proveIn(ldap, { login }, password, { source, isKnown, by });
      if (!found) throw new AppError("UNAUTHORIZED", "The e-mail address or the password is wrong.");
      return { person: await people.admit(identityOf(found)), isTwice: trusted };
    },

    /** The password of a person who is signed in. Null: a local person. Throws if the directory has no passwords. */
    async confirmPassword(person: Person, password: string, source: string): Promise<boolean | null> {
      const link = await directoryPersonOf(db.reader, person.id);
      if (!link) return null;
      if (link.directory !== "ldap" || !ldap) throw elsewhere(settings[link.directory].name);
      const found = await proveIn(ldap, link, password, {
        source,
        isKnown: true,
        by: async () => ({ kind: "session" }),
      });
      return found !== null;
    },

    /** By person; people with a password of their own are omitted. */
    kindsOf: (personIds: readonly string[]) => directoriesOf(db.reader, personIds),

    recheck: () => rechecks.run(),
    noticeOf: rechecks.noticeOf,
  };
}

function mustHave(oidc: OidcDirectory | null): OidcDirectory {
  if (!oidc) throw new AppError("NOT_FOUND", "This appliance has no sign-in with a provider.");
  return oidc;
}

const elsewhere = (name: string) =>
  new AppError("CONFLICT", `This account comes from ${name} and has no password here.`);
