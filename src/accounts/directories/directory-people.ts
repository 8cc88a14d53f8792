// The people of a directory here: made at their first sign-in, their role kept in step, their sessions ended when the
// directory refuses them.
import type { GroupRole, SignInSettings } from "../../config/sign-in-settings.ts";
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { DirectoryKind } from "../../payloads/sign-in.ts";
import type { Audit } from "../audit.ts";
import { sealOfPerson } from "../break-glass-store.ts";
import { deleteDevicesOf } from "../device-store.ts";
import { endLinksOf } from "../link-store.ts";
import { allOrganisations } from "../organisation-store.ts";
import type { PersonService, PreparedPerson } from "../person-service.ts";
import { personByEmail, personById, updatePerson } from "../person-store.ts";
import { boundsDetail, checkedBounds, mayHaveBranches } from "../reach.ts";
import type { Organisation, Person } from "../records.ts";
import { deleteSessionsOf } from "../session-store.ts";
import {
  directoryPersonBy,
  directoryPersonOf,
  insertDirectoryPerson,
  updateDirectoryPerson,
  type DirectoryPersonId,
} from "../directory-store.ts";
import { sameDn } from "./ldap-directory.ts";
import { accessOf, type DirectoryAccess, type Identity } from "./model.ts";

export interface DirectoryPeopleDeps {
  settings: SignInSettings;
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  secrets: SecretBox;
  people: Pick<PersonService, "prepare" | "createWithin">;
}

/** Why the directory does not let a person in. */
export type Exclusion = "no_group" | "gone" | "disabled" | "refused" | "unreachable" | "not_set_up";

export class DirectoryPeople {
  constructor(private readonly deps: DirectoryPeopleDeps) {}

  accessFor(directory: DirectoryKind, groups: readonly string[]): DirectoryAccess | null {
    const entries: readonly GroupRole[] = this.deps.settings[directory].groups;
    return directory === "ldap" ? accessOf(entries, groups, sameDn) : accessOf(entries, groups);
  }

  async excludeWithin(tx: Tx, person: Person, directory: DirectoryKind, reason: Exclusion): Promise<void> {
    await deleteSessionsOf(tx, person.id);
    await this.deps.audit.record(tx, {
      organisationId: person.organisation_id,
      actor: SYSTEM_ACTOR,
      action: "person.directory_refused",
      subjectId: person.id,
      detail: { directory, reason },
    });
  }

  async keepAccess(tx: Tx, person: Person, directory: DirectoryKind, access: DirectoryAccess): Promise<void> {
    const { role, branches } = access;
    const next = checkedBounds(person, { role, ...(mayHaveBranches(role) && { branches }) });
    if (person.role === role && person.branches === next.branches) return;
    await updatePerson(tx, person.id, next);
    await this.deps.audit.record(tx, {
      organisationId: person.organisation_id,
      actor: SYSTEM_ACTOR,
      action: "person.role_from_directory",
      subjectId: person.id,
      detail: { directory, role, ...boundsDetail(next) },
    });
  }

  /** The person of a proved identity. Throws if the directory's groups give no role here. */
  async admit(identity: Identity): Promise<Person> {
    const { settings, db, clock } = this.deps;
    const { directory, groups } = identity;
    const access = this.accessFor(directory, groups);
    const known = await directoryPersonBy(db.reader, identity);
    if (access === null) {
      const exclude = async (tx: Tx, { person_id: id }: { person_id: string }) =>
        this.excludeWithin(tx, await mustFind(tx, id), directory, "no_group");
      if (known) await db.write((tx) => exclude(tx, known));
      throw new AppError(
        "INSUFFICIENT_SCOPE",
        `Your account at ${settings[directory].name} is in no group that may use Ringward. Ask your administrator.`,
      );
    }
    if (!known) return this.#linkNew(identity, access);
    return db.write(async (tx) => {
      const person = await mustFind(tx, known.person_id);
      if (person.disabled_at !== null) throw disabledHere();
      const now = clock.now();
      await updateDirectoryPerson(tx, person.id, {
        sealed_refresh_token: this.sealToken(person.id, identity.refreshToken),
        confirmed_at: now,
        tried_at: now,
        unreachable_since: null,
        refresh_sent_at: null,
      });
      await this.keepAccess(tx, person, directory, access);
      return mustFind(tx, person.id);
    });
  }

  sealToken(personId: string, token: string | null): string | null {
    return token === null ? null : this.deps.secrets.seal(token, tokenPurpose(personId));
  }

  /** Null if there is none, or it was sealed with an earlier key. */
  refreshTokenOf(personId: string, text: string | null): string | null {
    if (text === null) return null;
    try {
      return this.deps.secrets.open(text, tokenPurpose(personId));
    } catch {
      return null;
    }
  }

  async #organisationOf({ directory }: Pick<DirectoryPersonId, "directory">): Promise<Organisation> {
    const { organisation: wanted, name } = this.deps.settings[directory];
    const all = await allOrganisations(this.deps.db.reader);
    const found = wanted === "" ? all : all.filter((each) => each.id === wanted || each.name === wanted);
    const [organisation, other] = found;
    if (organisation && !other) return organisation;
    throw new AppError(
      "CONFLICT",
      all.length === 0
        ? "This appliance is not set up yet."
        : `Nobody can sign in with ${name} yet: sign_in.${directory}.organisation must name one organisation.`,
    );
  }

  /** Why a local account stays local; null if it may become the directory's. */
  async #obstacle(tx: Tx, present: Person, organisation: Organisation, { directory, hasConfirmedEmail }: Identity) {
    const isTaken = (await directoryPersonOf(tx, present.id)) ?? (await sealOfPerson(tx, present.id));
    if (!this.deps.settings[directory].takes_over || isTaken || present.organisation_id !== organisation.id)
      return "not_set_up";
    if (!hasConfirmedEmail) return "unconfirmed";
    // The directory's groups would decide over an owner, and could leave none.
    return present.role === "owner" ? "owner" : null;
  }

  /** The local person who becomes the directory's, or a new one. Refusals are returned, so that they are recorded. */
  async #adopted(tx: Tx, organisation: Organisation, prepared: PreparedPerson, identity: Identity) {
    const { settings, clock, people, audit } = this.deps;
    const { directory } = identity;
    const present = await personByEmail(tx, prepared.email);
    if (!present) return (await people.createWithin(tx, organisation.id, prepared, SYSTEM_ACTOR)).person_id;
    const reason = await this.#obstacle(tx, present, organisation, identity);
    if (reason !== null) {
      await audit.record(tx, {
        organisationId: present.organisation_id,
        actor: SYSTEM_ACTOR,
        action: "person.takeover_refused",
        subjectId: present.id,
        detail: { directory, reason },
      });
      return new AppError("CONFLICT", OBSTACLES[reason](settings[directory].name));
    }
    if (present.disabled_at !== null) throw disabledHere();
    await updatePerson(tx, present.id, { password_hash: prepared.password_hash });
    await deleteSessionsOf(tx, present.id);
    await deleteDevicesOf(tx, present.id);
    await endLinksOf(tx, present.id, clock.now());
    return present.id;
  }

  async #linkNew(identity: Identity, access: DirectoryAccess): Promise<Person> {
    const { db, clock, ids, audit, people } = this.deps;
    const { directory, issuer, subject, email, name } = identity;
    if (!email.includes("@"))
      throw new AppError(
        "INSUFFICIENT_SCOPE",
        `${this.deps.settings[directory].name} shows no e-mail address for you. Ask your administrator.`,
      );
    const organisation = await this.#organisationOf(identity);
    // Nobody has this password; hashing it takes too long for a transaction.
    const prepared = await people.prepare({
      email,
      name: name.slice(0, 100),
      role: access.role,
      password: ids.secret(32),
    });
    const linked = await db.write(async (tx) => {
      const personId = await this.#adopted(tx, organisation, prepared, identity);
      if (personId instanceof AppError) return personId;
      const now = clock.now();
      await insertDirectoryPerson(tx, {
        person_id: personId,
        directory,
        issuer,
        subject,
        sealed_refresh_token: this.sealToken(personId, identity.refreshToken),
        created_at: now,
        confirmed_at: now,
        tried_at: now,
        unreachable_since: null,
        refresh_sent_at: null,
      });
      await audit.record(tx, {
        organisationId: organisation.id,
        actor: SYSTEM_ACTOR,
        action: "person.linked_to_directory",
        subjectId: personId,
        detail: { directory },
      });
      const person = await mustFind(tx, personId);
      await this.keepAccess(tx, person, directory, access);
      return mustFind(tx, personId);
    });
    if (linked instanceof AppError) throw linked;
    return linked;
  }
}

const OBSTACLES = {
  not_set_up: (name: string) =>
    `An account with your e-mail address is here already, and it is not from ${name}. Ask an owner.`,
  unconfirmed: (name: string) =>
    `An account with your e-mail address is here already, and ${name} does not say that the address is confirmed. ` +
    "Ask your administrator.",
  owner: (name: string) =>
    `An owner's account with your e-mail address is here already. ${name} never takes over an owner's account. ` +
    "Another owner can change its role first.",
};

export const createDirectoryPeople = (deps: DirectoryPeopleDeps): DirectoryPeople => new DirectoryPeople(deps);

const tokenPurpose = (personId: string): string => `directory-person/${personId}`;

const disabledHere = () => new AppError("UNAUTHORIZED", "Your account is disabled here. Ask an owner.");

async function mustFind(tx: Tx, personId: string): Promise<Person> {
  const person = await personById(tx, personId);
  if (!person) throw new AppError("NOT_FOUND", "There is no person with this id.");
  return person;
}
