// Second factors of people: codes of an authenticator app, passkeys and recovery codes; their removal, and the reset by
// an owner.
import type { Actor } from "../core/actor.ts";
import { DAY_MS, isBelieved, MINUTE_MS, toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { checkedName } from "../core/names.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import { totpPurpose } from "../db/sealed-secrets.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import { sealOfPerson } from "./break-glass-store.ts";
import {
  confirmTotp,
  deletePasskey,
  deletePasskeysOf,
  deleteTotp,
  factorsOf,
  insertTotp,
  passkeysOf,
  recoveryCodesLeft,
  renamePasskey,
  replaceRecoveryCodes,
  takeRecoveryCode,
  totpOf,
  type TotpSecret,
} from "./factor-store.ts";
import { organisationById } from "./organisation-store.ts";
import { personByEmail, personById } from "./person-store.ts";
import { newRecoveryCode, readRecoveryCode, recoveryCodeHash, RECOVERY_CODES } from "./recovery-codes.ts";
import type { Person } from "./records.ts";
import { deleteOtherSessions, noteNewFactor } from "./session-store.ts";
import { spendProof } from "./spent-proof-store.ts";
import { base32, bytesOfBase32, isTotpCode, minutesAhead, otpauthUrl, stepOf, TOTP_SECRET_BYTES } from "./totp.ts";

/** A secret that is not confirmed by then is set up anew. */
const SET_UP_MS = 30 * MINUTE_MS;
/** Steps are remembered beyond their minute and a half, in case the clock is set back. */
const STEP_KEPT_MS = 90 * DAY_MS;
const ISSUER = "Ringward";

/** Why a typed code was not taken. */
export interface Refusal {
  refused: "wrong" | "replayed" | "other_time";
  message: string;
}

/** The session that makes a change stays open; all others of the person end. Null: all end. */
export interface Changer {
  actor: Actor;
  keptSession: string | null;
}

export interface FactorServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  secrets: SecretBox;
}

export class FactorService {
  constructor(private readonly deps: FactorServiceDeps) {}

  async view(personId: string) {
    const { reader } = this.deps.db;
    const person = await mustFind(reader, personId);
    const [code, passkeys, left] = await Promise.all([
      totpOf(reader, personId, true),
      passkeysOf(reader, personId),
      recoveryCodesLeft(reader, personId),
    ]);
    return {
      is_required: await isRequiredOf(reader, person),
      code_since: toIsoOrNull(code?.confirmed_at ?? null),
      recovery_codes_left: left,
      passkeys: passkeys.map(({ id, name, rp_id, created_at, last_used_at }) => ({
        passkey_id: id,
        name,
        host: rp_id,
        created_at: toIso(created_at),
        last_used_at: toIsoOrNull(last_used_at),
      })),
    };
  }

  /** A new secret for an authenticator app. It counts once its first code is confirmed. */
  async beginCode(personId: string): Promise<{ secret: string; url: string }> {
    const { db, clock, ids, secrets } = this.deps;
    const secret = Buffer.from(ids.secret(TOTP_SECRET_BYTES), "base64url");
    const id = ids.next("otp");
    const sealed = secrets.seal(base32(secret), totpPurpose(id));
    const email = await db.write(async (tx) => {
      const person = await mustFind(tx, personId);
      await assertNoEmergency(tx, personId);
      const row = { id, person_id: personId, sealed_secret: sealed, created_at: clock.now(), confirmed_at: null };
      await insertTotp(tx, row);
      return person.email;
    });
    return { secret: base32(secret), url: otpauthUrl(secret, ISSUER, email) };
  }

  /** Returns new recovery codes if there are none. */
  async confirmCodeWithin(tx: Tx, personId: string, typed: string, by: Changer): Promise<readonly string[] | null> {
    const { clock } = this.deps;
    const now = clock.now();
    const row = await totpOf(tx, personId, false);
    if (!row || now - row.created_at > SET_UP_MS)
      throw new AppError("CONFLICT", "The set-up took too long, or was begun again elsewhere. Begin again.");
    const refusal = await this.#takeStep(tx, row, typed.replaceAll(/\s/g, ""));
    if (refusal) throw invalidField("code", refusal.message);
    await confirmTotp(tx, row, now);
    return this.changedWithin(tx, personId, "person.code_set_up", by);
  }

  confirmCode(personId: string, typed: string, by: Changer): Promise<readonly string[] | null> {
    return this.deps.db.write((tx) => this.confirmCodeWithin(tx, personId, typed, by));
  }

  /** After each change: the audit entry, the end of the other sessions, and recovery codes if there are none. */
  async changedWithin(
    tx: Tx,
    personId: string,
    action: string,
    { actor, keptSession }: Changer,
    detail: Record<string, string | number> = {},
  ): Promise<readonly string[] | null> {
    const { organisation_id: organisationId } = await mustFind(tx, personId);
    await deleteOtherSessions(tx, personId, keptSession);
    if (keptSession !== null && isAdded(action)) await noteNewFactor(tx, keptSession);
    await this.deps.audit.record(tx, { organisationId, actor, action, subjectId: personId, detail });
    const has = (await factorsOf(tx, [personId])).has(personId);
    if (!has) await replaceRecoveryCodes(tx, personId, [], this.deps.clock.now());
    return has && (await recoveryCodesLeft(tx, personId)) === 0 ? this.#newRecoveryCodes(tx, personId) : null;
  }

  async renewRecoveryCodes(personId: string, by: Changer): Promise<readonly string[]> {
    return this.deps.db.write(async (tx) => {
      if (!(await factorsOf(tx, [personId])).has(personId))
        throw new AppError("CONFLICT", "Recovery codes replace a second factor. Set one up first.");
      const codes = await this.#newRecoveryCodes(tx, personId);
      await this.changedWithin(tx, personId, "person.recovery_codes_renewed", by);
      return codes;
    });
  }

  async removeCode(personId: string, by: Changer): Promise<void> {
    await this.deps.db.write(async (tx) => {
      await deleteTotp(tx, personId);
      await this.#assertEnough(tx, personId);
      await this.changedWithin(tx, personId, "person.code_removed", by);
    });
  }

  async removePasskey(personId: string, id: string, by: Changer): Promise<void> {
    await this.deps.db.write(async (tx) => {
      if (!(await deletePasskey(tx, personId, id))) throw noPasskey();
      await this.#assertEnough(tx, personId);
      await this.changedWithin(tx, personId, "person.passkey_removed", by);
    });
  }

  async renamePasskey(personId: string, id: string, name: string): Promise<void> {
    const checked = checkedName("name", name, 60);
    await this.deps.db.write(async (tx) => {
      if (!(await renamePasskey(tx, personId, id, checked))) throw noPasskey();
    });
  }

  /** Removes every factor of another person, and ends their sessions. `selfId`: the owner who does it. */
  async reset(organisationId: string, email: string, selfId: string | null, actor: Actor): Promise<void> {
    await this.deps.db.write(async (tx) => {
      const person = await personByEmail(tx, email.trim().toLowerCase());
      if (person?.organisation_id !== organisationId)
        throw new AppError("NOT_FOUND", "There is no person with this e-mail address.");
      if (person.id === selfId)
        throw new AppError("CONFLICT", "You cannot reset your own second factor. Change it under Account.");
      await deleteTotp(tx, person.id);
      await deletePasskeysOf(tx, person.id);
      await this.changedWithin(tx, person.id, "person.second_factor_reset", { actor, keptSession: null });
    });
  }

  /** Takes a code of the app or a recovery code, once. */
  async takeCode(tx: Tx, person: Person, typed: string): Promise<"code" | "recovery_code" | Refusal> {
    const { audit, clock } = this.deps;
    const text = typed.replaceAll(/\s/g, "");
    if (isTotpCode(text)) {
      const row = await totpOf(tx, person.id, true);
      return row ? ((await this.#takeStep(tx, row, text)) ?? "code") : this.#wrong();
    }
    const code = readRecoveryCode(typed);
    const hash = code === null ? null : recoveryCodeHash(person.id, code);
    if (hash === null || !(await takeRecoveryCode(tx, person.id, hash, clock.now()))) return this.#wrong();
    await audit.record(tx, {
      organisationId: person.organisation_id,
      actor: { kind: "person", id: person.id },
      action: "person.recovery_code_used",
      subjectId: person.id,
      detail: { left: await recoveryCodesLeft(tx, person.id) },
    });
    return "recovery_code";
  }

  async #takeStep(tx: Tx, row: TotpSecret, code: string): Promise<Refusal | null> {
    const { clock, secrets } = this.deps;
    const now = clock.now();
    const secret = bytesOfBase32(secrets.open(row.sealed_secret, totpPurpose(row.id)));
    const step = isTotpCode(code) ? stepOf(secret, code, now) : null;
    if (step === null) {
      const ahead = minutesAhead(secret, code, now);
      return ahead === null ? this.#wrong() : { refused: "other_time", message: this.#otherTime(ahead) };
    }
    if (await spendProof(tx, ["totp", row.id, step], now + STEP_KEPT_MS)) return null;
    return { refused: "replayed", message: "This code was used already. Wait for the next one." };
  }

  #wrong(): Refusal {
    return { refused: "wrong", message: `The code is wrong.${this.#clockNote()}` };
  }

  #otherTime(ahead: number): string {
    const minutes = Math.max(1, Math.round(Math.abs(ahead)));
    const how = ahead > 0 ? "ahead of" : "behind";
    return (
      `The code is for another time: the telephone's clock is about ${minutes} min ${how} the appliance's. ` +
      `Set the telephone's clock automatically, or use a recovery code.${this.#clockNote()}`
    );
  }

  #clockNote(): string {
    return isBelieved(this.deps.clock)
      ? ""
      : ' The clock of this appliance is not trusted, and codes depend on it: see "ringward doctor". ' +
          "Recovery codes and passkeys do not depend on it.";
  }

  async #assertEnough(tx: Tx, personId: string): Promise<void> {
    if (!(await isRequiredOf(tx, await mustFind(tx, personId)))) return;
    if ((await factorsOf(tx, [personId])).has(personId)) return;
    throw new AppError("CONFLICT", "Your role needs a second factor. Add another one before you remove this one.");
  }

  async #newRecoveryCodes(tx: Tx, personId: string): Promise<readonly string[]> {
    const { clock, ids } = this.deps;
    const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(ids));
    const hashes = codes.map((code) => recoveryCodeHash(personId, code));
    await replaceRecoveryCodes(tx, personId, hashes, clock.now());
    return codes;
  }
}

export const createFactorService = (deps: FactorServiceDeps): FactorService => new FactorService(deps);

const isAdded = (action: string): boolean => action === "person.code_set_up" || action === "person.passkey_added";

/** Whether the organisation demands a second factor of the person's role. */
export async function isRequiredOf(executor: Executor, person: Person): Promise<boolean> {
  const organisation = await organisationById(executor, person.organisation_id);
  return organisation?.second_factor_roles.includes(person.role) ?? false;
}

export async function assertNoEmergency(executor: Executor, personId: string): Promise<void> {
  if (await sealOfPerson(executor, personId))
    throw new AppError("CONFLICT", "The emergency account has its sealed password only. Seal it again instead.");
}

async function mustFind(executor: Executor, personId: string): Promise<Person> {
  const person = await personById(executor, personId);
  if (!person) throw new AppError("NOT_FOUND", "There is no person with this id.");
  return person;
}

const noPasskey = () => new AppError("NOT_FOUND", "There is no passkey with this id.");
