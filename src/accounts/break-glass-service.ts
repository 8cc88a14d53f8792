// The emergency account of an organisation: an owner's access with a sealed password and no second factor, for the day
// on which no owner can sign in. It works once for each sealing, for a few hours, and its use is announced to everyone.
import type { Actor } from "../core/actor.ts";
import { HOUR_MS, toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import { checkedName } from "../core/names.ts";
import type { BreakGlassUse } from "../payloads/break-glass.ts";
import type { Database } from "../db/database.ts";
import { noteAccountChange } from "../db/noted-changes.ts";
import type { Tx } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import { breakSeal, insertSeal, sealOf, sealOfPerson, updateSeal, type Seal } from "./break-glass-store.ts";
import { deleteDevicesOf } from "./device-store.ts";
import { hashPassword } from "./password.ts";
import { insertPerson, namesOfPeople, personById, updatePerson } from "./person-store.ts";
import type { Person } from "./records.ts";
import { newRecoveryCode } from "./recovery-codes.ts";
import type { Opened, SessionService, SignInOrigin } from "./session-service.ts";
import { deleteSessionsOf } from "./session-store.ts";

/** Long enough to give the owners their access back, short enough to end by itself. */
export const EMERGENCY_SESSION_MS = 4 * HOUR_MS;

export interface BreakGlassDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  logger: Logger;
  sessions: Pick<SessionService, "open">;
  /** Announces the use to webhook endpoints, in the transaction of the use. */
  announce: (tx: Tx, organisationId: string, use: BreakGlassUse) => Promise<void>;
}

export class BreakGlassService {
  constructor(private readonly deps: BreakGlassDeps) {}

  /** State for the settings, and the announcement for every page. */
  async view(organisationId: string) {
    const { reader } = this.deps.db;
    const seal = await sealOf(reader, organisationId);
    if (!seal) return null;
    const account = await personById(reader, seal.person_id);
    const { acknowledged_by: by } = seal;
    const names = await namesOfPeople(reader, by === null ? [] : [by]);
    return {
      email: account?.email ?? "",
      sealed_at: toIsoOrNull(seal.sealed_at),
      used_at: toIsoOrNull(seal.used_at),
      used_from: seal.used_from,
      acknowledged_at: toIsoOrNull(seal.acknowledged_at),
      acknowledged_by: by === null ? null : (names.get(by) ?? null),
      reason: seal.reason,
    };
  }

  /** The use that no owner has acknowledged yet; null if there is none. */
  async openUse(organisationId: string): Promise<{ used_at: string } | null> {
    const seal = await sealOf(this.deps.db.reader, organisationId);
    if (!seal || seal.used_at === null || seal.acknowledged_at !== null) return null;
    return { used_at: toIso(seal.used_at) };
  }

  /** Creates the account, or seals it again. The password is in this answer only. */
  async seal(organisationId: string, actor: Actor): Promise<{ email: string; password: string }> {
    const { db, clock, ids, audit } = this.deps;
    // Two codes: 160 bits, typed from paper without mistaking a letter for a digit.
    const password = `${newRecoveryCode(ids)}-${newRecoveryCode(ids)}`;
    const passwordHash = await hashPassword(password);
    return db.write(async (tx) => {
      const present = await sealOf(tx, organisationId);
      if (present && present.person_id === actor.id) throw notByItself();
      const email = present
        ? await this.#sealAgain(tx, present, passwordHash)
        : await this.#create(tx, organisationId, passwordHash);
      const action = "break_glass.sealed";
      const subjectId = (await sealOf(tx, organisationId))?.person_id ?? null;
      await audit.record(tx, { organisationId, actor, action, subjectId, detail: { at: toIso(clock.now()) } });
      await noteAccountChange(tx, organisationId);
      return { email, password };
    });
  }

  async #create(tx: Tx, organisationId: string, passwordHash: string): Promise<string> {
    const { clock, ids } = this.deps;
    const person: Person = {
      id: ids.next("per"),
      organisation_id: organisationId,
      // Nothing is ever sent to it (RFC 2606, section 2).
      email: `emergency-${newRecoveryCode(ids).slice(0, 4)}${newRecoveryCode(ids).slice(0, 4)}@ringward.invalid`,
      name: "Emergency",
      role: "owner",
      password_hash: passwordHash,
      created_at: clock.now(),
      disabled_at: null,
      language: null,
      branches: null,
      practitioner_id: null,
    };
    await insertPerson(tx, person);
    await insertSeal(tx, {
      organisation_id: organisationId,
      person_id: person.id,
      sealed_at: clock.now(),
      used_at: null,
      used_from: null,
      acknowledged_at: null,
      acknowledged_by: null,
      reason: null,
    });
    return person.email;
  }

  async #sealAgain(tx: Tx, seal: Seal, passwordHash: string): Promise<string> {
    await updatePerson(tx, seal.person_id, { password_hash: passwordHash, disabled_at: null });
    await deleteSessionsOf(tx, seal.person_id);
    await deleteDevicesOf(tx, seal.person_id);
    await updateSeal(tx, seal.organisation_id, { sealed_at: this.deps.clock.now() });
    return (await personById(tx, seal.person_id))?.email ?? "";
  }

  /** After the right password of the account. */
  async open(person: Person, origin: SignInOrigin): Promise<Opened> {
    const { clock, audit, logger, sessions, announce } = this.deps;
    const organisationId = person.organisation_id;
    const opened = await sessions.open(person, origin, {
      method: "break_glass",
      longestMs: EMERGENCY_SESSION_MS,
      alongside: async (tx) => {
        const now = clock.now();
        if (!(await breakSeal(tx, person.id, { at: now, from: origin.source })))
          throw new AppError(
            "UNAUTHORIZED",
            'This emergency account was used already. It must be sealed again: in Settings, or by "ringward break-glass seal".',
          );
        const actor: Actor = { kind: "person", id: person.id };
        await audit.record(tx, { organisationId, actor, action: "break_glass.used", subjectId: person.id });
        await announce(tx, organisationId, {
          used_at: toIso(now),
          session_ends_at: toIso(now + EMERGENCY_SESSION_MS),
        });
        await noteAccountChange(tx, organisationId);
        return null;
      },
    });
    logger.warn("The emergency account was used.", { organisation: organisationId });
    return opened;
  }

  /** Ends the announcement. The reason stays in the audit log. */
  async acknowledge(organisationId: string, reason: string, actor: Actor): Promise<void> {
    const { db, clock, audit } = this.deps;
    const checked = checkedName("reason", reason, 500);
    await db.write(async (tx) => {
      const seal = await sealOf(tx, organisationId);
      if (!seal || seal.used_at === null || seal.acknowledged_at !== null)
        throw new AppError("CONFLICT", "There is no use of the emergency account to acknowledge.");
      if (seal.person_id === actor.id) throw notByItself();
      await updateSeal(tx, organisationId, {
        acknowledged_at: clock.now(),
        acknowledged_by: actor.id,
        reason: checked,
      });
      await audit.record(tx, {
        organisationId,
        actor,
        action: "break_glass.acknowledged",
        subjectId: seal.person_id,
        detail: { reason: checked },
      });
      await noteAccountChange(tx, organisationId);
    });
  }

  async isEmergency(personId: string): Promise<boolean> {
    return (await sealOfPerson(this.deps.db.reader, personId)) !== undefined;
  }
}

export const createBreakGlassService = (deps: BreakGlassDeps): BreakGlassService => new BreakGlassService(deps);

const notByItself = () =>
  new AppError("CONFLICT", "The emergency account cannot do this itself. Another owner or the command line can.");
