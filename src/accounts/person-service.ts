// Dashboard users and their roles: owner, staff, viewer.
import { toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedName, isSafeText } from "../core/names.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import type { Audit, AuditNote } from "./audit.ts";
import type { Claims } from "./claims.ts";
import { deleteDevicesOf } from "./device-store.ts";
import { hashPassword } from "./password.ts";
import type { Person, Role } from "./records.ts";
import { deleteSessionsOf } from "./session-store.ts";
import type { ReadNotes } from "./read-notes.ts";
import { insertPerson, peopleOf, personByEmail, personById, updatePerson } from "./person-store.ts";

export const ROLES = ["owner", "staff", "viewer"] as const satisfies readonly Role[];

export interface NewPerson {
  email: string;
  name: string;
  role: string;
  password: string;
}

/** A validated person with a hashed password, ready to insert. */
export type PreparedPerson = Pick<Person, "email" | "name" | "role" | "password_hash">;

interface PersonChange {
  action: string;
  values: Parameters<typeof updatePerson>[2];
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
      role: checkedRole(input.role),
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
      detail: { role: row.role },
    });
    return view(row);
  }

  async create(organisationId: string, input: NewPerson, actor: Actor) {
    const person = await this.prepare(input);
    const holder = async (executor: Executor) => (await personByEmail(executor, person.email))?.organisation_id;
    return this.deps.claims.run({ organisationId, kind: "person", actor, holder }, (tx) =>
      this.createWithin(tx, organisationId, person, actor),
    );
  }

  async list(organisationId: string, actor: Actor) {
    const { db, readNotes } = this.deps;
    const people = await peopleOf(db.reader, organisationId);
    await readNotes.note({ organisationId, actor, action: "person.listed", detail: { count: people.length } });
    return people.map(view);
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
    input: { role?: string; enabled?: boolean; password?: string },
    selfId: string,
    actor: Actor,
  ): Promise<void> {
    const { db, clock } = this.deps;
    const values = {
      ...(input.role === undefined ? {} : { role: checkedRole(input.role) }),
      ...(input.enabled === undefined ? {} : { disabled_at: input.enabled ? null : clock.now() }),
      ...(input.password === undefined ? {} : { password_hash: await hashPassword(input.password) }),
    };
    const detail = {
      ...(input.role === undefined ? {} : { role: input.role }),
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
      await this.#changeWithin(tx, organisationId, email, { action: "person.changed", values, actor, detail });
    });
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
    { action, values, actor, detail = {} }: PersonChange,
  ): Promise<void> {
    const person = await personByEmail(tx, normalised(email));
    if (person?.organisation_id !== organisationId) {
      throw new AppError("NOT_FOUND", "There is no person with this e-mail address.");
    }
    await updatePerson(tx, person.id, values);
    // A new password or a disabled account ends all sessions.
    if (values.password_hash !== undefined || values.disabled_at) {
      await deleteSessionsOf(tx, person.id);
      await deleteDevicesOf(tx, person.id);
    }
    await this.deps.audit.record(tx, { organisationId, actor, action, subjectId: person.id, detail });
  }
}

export const createPersonService = (deps: PersonServiceDeps): PersonService => new PersonService(deps);

function view(row: Person) {
  return {
    person_id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    created_at: toIso(row.created_at),
    disabled_at: toIsoOrNull(row.disabled_at),
  };
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
