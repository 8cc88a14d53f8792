// Checks the people with open sessions in their directory: who was disabled there, left it, or is in no group with a
// role any more is signed out here. A directory that does not answer keeps sessions for a limited time.
import type { SignInSettings } from "../../config/sign-in-settings.ts";
import { MINUTE_MS, type Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import { DIRECTORIES, type DirectoryKind } from "../../payloads/sign-in.ts";
import { personById } from "../person-store.ts";
import type { DirectoryPeople, Exclusion } from "./directory-people.ts";
import { directoryPersonOf, peopleToCheck, updateDirectoryPerson, type DirectoryPerson } from "../directory-store.ts";
import { LDAP_ISSUER, type LdapDirectory } from "./ldap-directory.ts";
import type { Standing } from "./model.ts";
import { issuerOf, type OidcDirectory } from "./oidc-directory.ts";
import { createTokenKeeper } from "./token-keeper.ts";

/** A hospital's shift within a minute, without a burst at the directory. */
const AT_ONCE = 4;
/** For the rest of a round, after as many silences in a row. */
const SILENT: Standing = { state: "unreachable", reason: "The directory did not answer for others.", isSilent: true };
/** An earlier answer with the new token never arrived: nothing is known of the person. */
const LOST: Standing = {
  state: "unreachable",
  reason: "The provider no longer takes a refresh token whose last use it did not answer.",
  isSilent: false,
};

type Settled = Standing | { state: "not_set_up" };

export interface RecheckDeps {
  settings: SignInSettings;
  db: Database;
  clock: Clock;
  logger: Logger;
  people: DirectoryPeople;
  oidc: OidcDirectory | null;
  ldap: LdapDirectory | null;
}

/** When the sessions of a person end if the directory stays silent. */
function endOf(settings: SignInSettings, { directory, confirmed_at }: DirectoryPerson): number {
  const { recheck_minutes, unreachable_minutes } = settings[directory];
  return confirmed_at + (recheck_minutes + unreachable_minutes) * MINUTE_MS;
}

/** Keeps or ends the sessions of a person by what their directory said. */
async function settle(
  { settings, db, clock, people }: RecheckDeps,
  asked: DirectoryPerson,
  standing: Settled,
): Promise<void> {
  const { directory, person_id: personId } = asked;
  await db.write(async (tx) => {
    const row = await directoryPersonOf(tx, personId);
    const person = await personById(tx, personId);
    // A sign-in meanwhile is newer than what was asked.
    if (!row || !person || row.confirmed_at !== asked.confirmed_at) return;
    const now = clock.now();
    const exclude = (reason: Exclusion) => people.excludeWithin(tx, person, directory, reason);
    if (standing.state === "not_set_up") {
      await exclude("not_set_up");
      return;
    }
    if (standing.state === "refused") {
      await updateDirectoryPerson(tx, personId, {
        tried_at: now,
        sealed_refresh_token: null,
        unreachable_since: null,
        refresh_sent_at: null,
      });
      await exclude(standing.reason);
      return;
    }
    if (standing.state === "unreachable") {
      const isOver = now >= endOf(settings, row);
      const since = isOver ? null : (row.unreachable_since ?? now);
      const lost = standing === LOST ? { sealed_refresh_token: null } : {};
      await updateDirectoryPerson(tx, personId, { tried_at: now, unreachable_since: since, ...lost });
      if (isOver) await exclude("unreachable");
      return;
    }
    const { groups, refreshToken } = standing;
    await updateDirectoryPerson(tx, personId, {
      confirmed_at: now,
      tried_at: now,
      unreachable_since: null,
      sealed_refresh_token: people.sealToken(personId, refreshToken),
      refresh_sent_at: null,
    });
    if (groups === null) return;
    const access = people.accessFor(directory, groups);
    if (access === null) await exclude("no_group");
    else await people.keepAccess(tx, person, directory, access);
  });
}

export function createRechecks(deps: RecheckDeps) {
  const { settings, db, clock, logger, oidc, ldap } = deps;
  const tokens = createTokenKeeper(deps);
  let running: Promise<void> | null = null;

  /** Null: another check of this person is under way. */
  async function standingOf(row: DirectoryPerson): Promise<Settled | null> {
    if (row.directory === "ldap")
      return ldap && row.issuer === LDAP_ISSUER ? ldap.check(row.subject) : { state: "not_set_up" };
    if (!oidc || row.issuer !== issuerOf(settings.oidc)) return { state: "not_set_up" };
    const { token, isInDoubt } = tokens.of(row);
    const standing = await oidc.check(row.subject, token, tokens.useOf(row));
    return standing?.state === "refused" && standing.isOfToken && isInDoubt ? LOST : standing;
  }

  async function runAll(): Promise<void> {
    const now = clock.now();
    const before = {
      oidc: now - settings.oidc.recheck_minutes * MINUTE_MS,
      ldap: now - settings.ldap.recheck_minutes * MINUTE_MS,
    };
    const waiting = await peopleToCheck(db.reader, { now, before });
    const of = (directory: DirectoryKind) => waiting.filter((row) => row.directory === directory);
    // Apart: one directory that hangs does not delay the other.
    await Promise.all(DIRECTORIES.map((directory) => checkAll(of(directory))));
  }

  async function checkAll(waiting: DirectoryPerson[]): Promise<void> {
    let silences = 0;
    const reasons = new Set<string>();
    const [first] = waiting;
    const takeOne = async (row: DirectoryPerson): Promise<void> => {
      const standing = silences < AT_ONCE ? await standingOf(row) : SILENT;
      if (!standing) return;
      const isUnreachable = standing.state === "unreachable";
      silences = isUnreachable && standing.isSilent ? silences + 1 : 0;
      if (isUnreachable && standing !== SILENT) reasons.add(standing.reason);
      await settle(deps, row, standing);
    };
    const takeAll = async (): Promise<void> => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        try {
          await takeOne(row);
        } catch (error) {
          // Faults of ours, such as of the database: others are checked all the same, this person in a later round.
          logger.error("directory check of a person failed", { directory: row.directory, error: messageOf(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, takeAll));
    if (reasons.size > 0)
      logger.warn("directory check failed", { directory: first?.directory, reasons: [...reasons].join(" ") });
  }

  return {
    /** One round at a time: a slow directory does not pile them up. */
    run(): Promise<void> {
      running ??= runAll().finally(() => {
        running = null;
      });
      return running;
    },

    /** For a notice above every page; null while the directory answers. */
    async noticeOf(personId: string): Promise<{ name: string; endsAt: number } | null> {
      const row = await directoryPersonOf(db.reader, personId);
      if (!row || row.unreachable_since === null) return null;
      return { name: settings[row.directory].name, endsAt: endOf(settings, row) };
    },
  };
}

export type Rechecks = ReturnType<typeof createRechecks>;
