// Dashboard users: their roles, and what they may see beyond that.
import { toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedName, isSafeText } from "../core/names.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import type { Audit, AuditNote } from "./audit.ts";
import { sealOf } from "./break-glass-store.ts";
import type { Claims } from "./claims.ts";
import { deleteDevicesOf } from "./device-store.ts";
import { endLinksOf } from "./link-store.ts";
import { assertLocal } from "./local-only.ts";
import { assertNoEmergency } from "./factor-service.ts";
import { factorsOf, type Factors } from "./factor-store.ts";
import { hashPassword } from "./password.ts";
import {
  assertAsShown,
  boundsDetail,
  branchesOfPerson,
  checkedBounds,
  type BoundInput,
  type BoundsShown,
} from "./reach.ts";
import { ROLES, type Person, type Role } from "./records.ts";
import { deleteSessionsOf } from "./session-store.ts";
import type { ReadNotes } from "./read-notes.ts";
import { insertPerson, peopleOf, personByEmail, personById, updatePerson } from "./person-store.ts";

export interface NewPerson {
  email: string;
  name: string;
  role: string;
  password: string;
  /** Null or absent: the whole organisation. */
  branches?: readonly string[] | null | undefined;
  practitioner_id?: string | null | undefined;
}

/** A validated person with a hashed password, ready to insert. */
export type PreparedPerson = Pick<Person, "email" | "name" | "role" | "password_hash" | "branches" | "practitioner_id">;

/** An absent field stays as it is. */
export interface AccessChange extends BoundInput {
  enabled?: boolean;
  password?: string;
  /** Absent: the last change counts. */
  before?: BoundsShown;
}

type CheckedInput = BoundInput & { role?: Role | undefined };

const UNBOUND = { branches: null, practitioner_id: null };

interface PersonChange {
  action: string;
  values: Parameters<typeof updatePerson>[2];
  bounds?: CheckedInput;
  before?: BoundsShown;
  actor: Actor;
  detail?: NonNullable<AuditNote["detail"]>;
}

export interface PersonServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  claims: Claims;
}

export class PersonService {
  constructor(private readonly deps: PersonServiceDeps) {}

  /** Separate from the insert, because hashing takes a good part of a second and must not hold a write transaction. */
  async prepare(input: NewPerson): Promise<PreparedPerson> {
    return {
      email: checkedEmail(input.email),
      name: checkedName("name", input.name, 100),
      ...checkedBounds(
        { ...UNBOUND, role: checkedRole(input.role) },
        { branches: input.branches, practitioner_id: input.practitioner_id },
      ),
      password_hash: await hashPassword(input.password),
    };
  }

  async createWithin(tx: Tx, organisationId: string, person: PreparedPerson, actor: Actor) {
    const { clock, ids, audit } = this.deps;
    if (await personByEmail(tx, person.email)) {
      throw new AppError("CONFLICT", "A person with this e-mail address already exists.");
    }
    const row: Person = {
      ...person,
      id: ids.next("per"),
      organisation_id: organisationId,
      created_at: clock.now(),
      disabled_at: null,
      language: null,
    };
    await insertPerson(tx, row);
    await audit.record(tx, {
      organisationId,
      actor,
      action: "person.created",
      subjectId: row.id,
      detail: { role: row.role, ...boundsDetail(row) },
    });
    return view(row);
  }

  /** `alongside` runs in the same transaction, with the person's id. */
  async create(organisationId: string, input: NewPerson, actor: Actor, alongside: Alongside<string> = async () => {}) {
    const person = await this.prepare(input);
    const holder = async (executor: Executor) => (await personByEmail(executor, person.email))?.organisation_id;
    return this.deps.claims.run({ organisationId, kind: "person", actor, holder }, async (tx) => {
      const created = await this.createWithin(tx, organisationId, person, actor);
      await alongside(tx, created.person_id);
      return created;
    });
  }

  /** A person without a password, who sets one by the link that `invite` sends. */
  async createInvited(
    organisationId: string,
    input: Omit<NewPerson, "password">,
    actor: Actor,
    invite: Alongside<string>,
  ) {
    const password = this.deps.ids.secret(32);
    return this.create(organisationId, { ...input, password }, actor, invite);
  }

  async list(organisationId: string, actor: Actor) {
    const { db, readNotes } = this.deps;
    const people = await peopleOf(db.reader, organisationId);
    await readNotes.note({ organisationId, actor, action: "person.listed", detail: { count: people.length } });
    const factors = await factorsOf(
      db.reader,
      people.map(({ id }) => id),
    );
    const emergency = (await sealOf(db.reader, organisationId))?.person_id;
    return people.map((person) => ({
      ...view(person),
      second_factor: secondFactorWords(factors.get(person.id)),
      is_emergency: person.id === emergency,
    }));
  }

  /**
   * `instead`: the person as read when they proved their current password. Refused if an owner has changed it since.
   */
  async setPassword(
    organisationId: string,
    email: string,
    password: string,
    actor: Actor,
    instead?: Person,
  ): Promise<void> {
    const values = { password_hash: await hashPassword(password) };
    await this.deps.db.write(async (tx) => {
      if (instead && (await personById(tx, instead.id))?.password_hash !== instead.password_hash)
        throw new AppError("CONFLICT", "This password was changed meanwhile. Sign in again.");
      await this.#changeWithin(tx, organisationId, email, { action: "person.password_changed", values, actor });
    });
  }

  /**
   * Changes another person's access from the dashboard. A person cannot revoke their own access, which could leave the
   * organisation without an owner. Changing one's own password requires the old one, because the screen may be
   * unattended.
   */
  async changeAccess(
    organisationId: string,
    email: string,
    { role, branches, practitioner_id, before, ...input }: AccessChange,
    selfId: string,
    actor: Actor,
  ): Promise<void> {
    const { db, clock } = this.deps;
    const values = {
      ...(input.enabled === undefined ? {} : { disabled_at: input.enabled ? null : clock.now() }),
      ...(input.password === undefined ? {} : { password_hash: await hashPassword(input.password) }),
    };
    const bounds = { role: role === undefined ? undefined : checkedRole(role), branches, practitioner_id };
    const detail = {
      ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
      ...(input.password === undefined ? {} : { password_changed: true }),
    };
    await db.write(async (tx) => {
      const self = await personById(tx, selfId);
      if (self?.email === normalised(email))
        throw new AppError("CONFLICT", "You cannot change your own access. Ask another owner.");
      // Two owners demoting each other at the same moment would leave none.
      if (self?.role !== "owner" || self.disabled_at !== null)
        throw new AppError("INSUFFICIENT_SCOPE", "You are no longer an owner here.");
      const change = { action: "person.changed", values, bounds, actor, detail } as const;
      await this.#changeWithin(tx, organisationId, email, before ? { ...change, before } : change);
    });
  }

  /** Role, branches and practitioner from the command line. The last owner keeps the role. */
  async setBounds(organisationId: string, email: string, input: BoundInput, actor: Actor): Promise<void> {
    if (!boundsGiven(input))
      throw invalidField("role", "Say what changes: the role, the branches, or a doctor's practitioner.");
    const bounds = { ...input, role: input.role === undefined ? undefined : checkedRole(input.role) };
    await this.deps.db.write((tx) =>
      this.#changeWithin(tx, organisationId, email, { action: "person.changed", values: {}, bounds, actor }),
    );
  }

  /** Changes name and e-mail address. Open sessions stay valid; the next sign-in uses the new address. */
  async rename(organisationId: string, email: string, input: { name: string; email: string }, actor: Actor) {
    const { claims } = this.deps;
    const values = { name: checkedName("name", input.name, 100), email: checkedEmail(input.email) };
    const holder = async (executor: Executor) => (await personByEmail(executor, values.email))?.organisation_id;
    const change = (tx: Tx) =>
      this.#changeWithin(tx, organisationId, email, { action: "person.renamed", values, actor });
    if (values.email === normalised(email)) {
      await this.deps.db.write(change);
      return;
    }
    await claims.run({ organisationId, kind: "person", actor, holder }, async (tx) => {
      if (await personByEmail(tx, values.email))
        throw new AppError("CONFLICT", "A person with this e-mail address already exists.");
      await change(tx);
    });
  }

  /** The person's own language; null follows the browser. */
  async setLanguage(organisationId: string, email: string, language: string | null, actor: Actor): Promise<void> {
    if (language !== null && !/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language))
      throw invalidField("language", "language must be a tag such as hi.");
    await this.#change(organisationId, email, "person.language_changed", { language }, actor);
  }

  disable(organisationId: string, email: string, actor: Actor): Promise<void> {
    return this.#change(organisationId, email, "person.disabled", { disabled_at: this.deps.clock.now() }, actor);
  }

  enable(organisationId: string, email: string, actor: Actor): Promise<void> {
    return this.#change(organisationId, email, "person.enabled", { disabled_at: null }, actor);
  }

  async #change(
    organisationId: string,
    email: string,
    action: string,
    values: Parameters<typeof updatePerson>[2],
    actor: Actor,
  ): Promise<void> {
    await this.deps.db.write((tx) => this.#changeWithin(tx, organisationId, email, { action, values, actor }));
  }

  async #changeWithin(
    tx: Tx,
    organisationId: string,
    email: string,
    { action, values: given, bounds, before, actor, detail = {} }: PersonChange,
  ): Promise<void> {
    const person = await personByEmail(tx, normalised(email));
    if (person?.organisation_id !== organisationId) {
      throw new AppError("NOT_FOUND", "There is no person with this e-mail address.");
    }
    assertAsShown(person, before);
    const changed = bounds && boundsGiven(bounds) ? checkedBounds(person, bounds) : null;
    if (changed) await assertOwnerLeft(tx, person, changed.role);
    const values = { ...given, ...changed };
    const isNewAccess = values.password_hash !== undefined || values.role !== undefined || values.email !== undefined;
    if (isNewAccess) await assertNoEmergency(tx, person.id);
    // Branches are set here for everyone.
    const isTheirs = values.role === undefined || values.role === person.role;
    if (values.password_hash !== undefined || values.email !== undefined || !isTheirs) await assertLocal(tx, person.id);
    if (Object.keys(values).length > 0) await updatePerson(tx, person.id, values);
    // A new password or a disabled account ends all sessions.
    if (values.password_hash !== undefined || values.disabled_at) {
      await deleteSessionsOf(tx, person.id);
      await deleteDevicesOf(tx, person.id);
    }
    // Links in an old mailbox, or of a person without access, must not open the account.
    if (values.password_hash !== undefined || values.disabled_at || values.email !== undefined)
      await endLinksOf(tx, person.id, this.deps.clock.now());
    await this.deps.audit.record(tx, {
      organisationId,
      actor,
      action,
      subjectId: person.id,
      detail: { ...(changed && { role: changed.role, ...boundsDetail(changed) }), ...detail },
    });
  }
}

export const createPersonService = (deps: PersonServiceDeps): PersonService => new PersonService(deps);

function view(row: Person) {
  return {
    person_id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    branches: branchesOfPerson(row),
    practitioner_id: row.practitioner_id,
    created_at: toIso(row.created_at),
    disabled_at: toIsoOrNull(row.disabled_at),
  };
}

function secondFactorWords(factors: Factors | undefined): "none" | "code" | "passkey" | "both" {
  if (!factors) return "none";
  if (factors.passkeys === 0) return "code";
  return factors.hasCode ? "both" : "passkey";
}

function normalised(email: string): string {
  return email.trim().toLowerCase();
}

function checkedEmail(email: string): string {
  const text = normalised(email);
  // RFC 5321 limits an address to 254 octets; the rest is the mail server's concern.
  if (text.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(text) || !isSafeText(text))
    throw invalidField("email", "email must be an e-mail address.");
  return text;
}

function checkedRole(role: string): Role {
  const known = ROLES.find((name) => name === role);
  if (!known) throw invalidField("role", `role must be one of ${ROLES.join(", ")}.`);
  return known;
}

const boundsGiven = ({ role, branches, practitioner_id }: BoundInput): boolean =>
  role !== undefined || branches !== undefined || practitioner_id !== undefined;

/** An organisation keeps a person who sees and decides everything. */
async function assertOwnerLeft(tx: Tx, person: Person, role: Role): Promise<void> {
  if (person.role !== "owner" || role === "owner") return;
  const emergency = (await sealOf(tx, person.organisation_id))?.person_id;
  const others = (await peopleOf(tx, person.organisation_id)).filter(
    ({ id, role: other, disabled_at }) =>
      id !== person.id && id !== emergency && other === "owner" && disabled_at === null,
  );
  if (others.length === 0)
    throw new AppError("CONFLICT", "This is the last owner. Make another person an owner first.");
}
