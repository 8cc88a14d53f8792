// Invitations and password resets by e-mail: a link with a single-use token. The link only sets a password; people sign
// in afterwards as always, so a second factor is not skipped.
import type { Config } from "../config/schema.ts";
import type { Actor } from "../core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { MailQueue } from "../mail/mail-queue.ts";
import type { LinkPurpose } from "../payloads/mail.ts";
import type { Audit } from "./audit.ts";
import { sealOfPerson } from "./break-glass-store.ts";
import { directoryPersonOf } from "./directory-store.ts";
import { assertNoEmergency } from "./factor-service.ts";
import { assertLocal } from "./local-only.ts";
import { deleteDevicesOf } from "./device-store.ts";
import { sourceKey } from "./guess-pace.ts";
import { linkMailOf } from "./link-mails.ts";
import { countLinksSince, deleteLinksBefore, endLinksOf, insertLink, linkByToken } from "./link-store.ts";
import { organisationById } from "./organisation-store.ts";
import { hashPassword } from "./password.ts";
import { personByEmail, personById, updatePerson } from "./person-store.ts";
import type { PasswordLink, Person } from "./records.ts";
import { createRequestPace } from "./request-pace.ts";
import { deleteSessionsOf } from "./session-store.ts";

export interface PasswordLinksDeps {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  audit: Audit;
  mails: MailQueue;
}

const LIFE_MS: Record<LinkPurpose, number> = { reset: 30 * MINUTE_MS, invitation: 7 * DAY_MS };
/** Enough for a person who mistypes; too few to fill a mailbox. */
const MOST_PER_PERSON_AND_HOUR = 3;
/** A ward behind one address shares it. */
const MOST_PER_SOURCE_AND_HOUR = 20;
/** The token of a link: as strong as a session's. */
const TOKEN_BYTES = 32;
/** Requests in progress. More are refused, so that a flood costs nothing else. */
const MOST_UNDER_WAY = 20;

export class PasswordLinks {
  readonly #pace;
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly deps: PasswordLinksDeps) {
    this.#pace = createRequestPace(deps.clock, { most: MOST_PER_SOURCE_AND_HOUR, withinMs: HOUR_MS });
  }

  /** Whether links can be sent at all. */
  get isSetUp(): boolean {
    return this.deps.mails.isSetUp;
  }

  /**
   * Answers the same at once, whether the person exists or not. Throws RATE_LIMITED by the client's address alone,
   * which tells nothing about the person.
   */
  request(email: string, source: string): void {
    this.#assertSetUp();
    const waitMs = this.#pace.take(sourceKey(source));
    if (waitMs > 0 || this.#underWay.size >= MOST_UNDER_WAY) throw tooMany(waitMs);
    const work = this.#sendReset(email.trim().toLowerCase()).catch((error: unknown) => {
      this.deps.logger.error("A password link could not be made.", { error: messageOf(error) });
    });
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
  }

  /** Resolves when all requests so far were handled. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** A new invitation for a person of the organisation; earlier links end. */
  async invite(organisationId: string, email: string, actor: Actor): Promise<void> {
    this.#assertSetUp();
    const { db, clock } = this.deps;
    await db.write(async (tx) => {
      const person = await personByEmail(tx, email.trim().toLowerCase());
      if (person?.organisation_id !== organisationId)
        throw new AppError("NOT_FOUND", "There is no person with this e-mail address.");
      if (person.disabled_at !== null)
        throw new AppError("CONFLICT", "This person's access is disabled. Enable it first.");
      if ((await countLinksSince(tx, person.id, clock.now() - HOUR_MS)) >= MOST_PER_PERSON_AND_HOUR)
        throw new AppError("RATE_LIMITED", "Three e-mails were sent to this person within an hour. Try again later.");
      await this.inviteWithin(tx, person.id, actor);
    });
    this.deps.mails.wake();
  }

  async inviteWithin(tx: Tx, personId: string, actor: Actor): Promise<void> {
    this.#assertSetUp();
    const person = await personById(tx, personId);
    if (!person) throw new AppError("NOT_FOUND", "There is no person with this id.");
    await assertLocal(tx, personId);
    await assertNoEmergency(tx, personId);
    await this.#send(tx, person, "invitation");
    const note = { organisationId: person.organisation_id, actor, action: "person.invited", subjectId: person.id };
    await this.deps.audit.record(tx, note);
  }

  /** What the page of a link shows; null if the link does not work. */
  async find(token: string): Promise<{ purpose: LinkPurpose; email: string } | null> {
    const found = await this.#usable(this.deps.db.reader, token);
    return found && { purpose: found.link.purpose, email: found.person.email };
  }

  /** Sets the password and ends every session. The person is not signed in. */
  async redeem(token: string, password: string): Promise<void> {
    const { db, clock, audit } = this.deps;
    // Hashing is costly, so an invalid token is rejected before.
    if (!(await this.#usable(db.reader, token))) throw notUsable();
    const passwordHash = await hashPassword(password);
    await db.write(async (tx) => {
      const found = await this.#usable(tx, token);
      if (!found) throw notUsable();
      const { link, person } = found;
      await endLinksOf(tx, person.id, clock.now());
      await updatePerson(tx, person.id, { password_hash: passwordHash });
      await deleteSessionsOf(tx, person.id);
      await deleteDevicesOf(tx, person.id);
      await audit.record(tx, {
        organisationId: person.organisation_id,
        actor: { kind: "person", id: person.id },
        action: "person.password_reset",
        subjectId: person.id,
        detail: { by: link.purpose },
      });
    });
  }

  async forgetExpired(now: number): Promise<void> {
    await this.deps.db.write((tx) => deleteLinksBefore(tx, now - HOUR_MS));
  }

  async #sendReset(email: string): Promise<void> {
    const { db, clock, audit, mails } = this.deps;
    const asked = await personByEmail(db.reader, email);
    if (!asked || asked.disabled_at !== null) return;
    await db.write(async (tx) => {
      const person = await personById(tx, asked.id);
      if (!person || person.disabled_at !== null || person.email !== email) return;
      if ((await directoryPersonOf(tx, person.id)) || (await sealOfPerson(tx, person.id))) return;
      if ((await countLinksSince(tx, person.id, clock.now() - HOUR_MS)) >= MOST_PER_PERSON_AND_HOUR) return;
      await this.#send(tx, person, "reset");
      await audit.record(tx, {
        organisationId: person.organisation_id,
        actor: { kind: "system", id: null },
        action: "person.reset_requested",
        subjectId: person.id,
      });
    });
    mails.wake();
  }

  async #send(tx: Tx, person: Person, purpose: LinkPurpose): Promise<void> {
    const { config, clock, ids, mails } = this.deps;
    const token = ids.secret(TOKEN_BYTES);
    const now = clock.now();
    const lifeMs = LIFE_MS[purpose];
    await endLinksOf(tx, person.id, now);
    await insertLink(tx, {
      token_hash: sha256Hex(token),
      person_id: person.id,
      organisation_id: person.organisation_id,
      purpose,
      created_at: now,
      expires_at: now + lifeMs,
      used_at: null,
    });
    const organisation = (await organisationById(tx, person.organisation_id))?.name ?? "";
    // In the fragment, which browsers send to no server.
    const link = `${config.dashboard_url}/password#${token}`;
    const mail = linkMailOf(person.language ?? config.mail.language, purpose, {
      name: person.name,
      organisation,
      link,
    });
    if (!(await mails.add(tx, { kind: purpose, to: person.email, lifeMs, ...mail })))
      throw new AppError("UNAVAILABLE", "Too many e-mails wait for the mail server. Try again later.");
  }

  async #usable(executor: Executor, token: string): Promise<{ link: PasswordLink; person: Person } | null> {
    const link = await linkByToken(executor, sha256Hex(token));
    if (!link || link.used_at !== null || link.expires_at <= this.deps.clock.now()) return null;
    if (await directoryPersonOf(executor, link.person_id)) return null;
    // The emergency account has its sealed password alone.
    if (await sealOfPerson(executor, link.person_id)) return null;
    const person = await personById(executor, link.person_id);
    return person && person.disabled_at === null ? { link, person } : null;
  }

  #assertSetUp(): void {
    if (this.isSetUp) return;
    throw new AppError("NOT_FOUND", "This appliance sends no e-mail. An owner can set a new password.");
  }
}

export const createPasswordLinks = (deps: PasswordLinksDeps): PasswordLinks => new PasswordLinks(deps);

const notUsable = () =>
  new AppError("UNAUTHORIZED", "This link does not work, or no longer. Ask for a new one on the sign-in page.");

const tooMany = (waitMs: number) =>
  new AppError("RATE_LIMITED", "Too many requests from this address. Try again later.", {
    retryAfterSeconds: Math.max(60, Math.ceil(waitMs / SECOND_MS)),
  });
