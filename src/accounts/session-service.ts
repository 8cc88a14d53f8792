// Dashboard sign-in: server-side sessions with an HttpOnly cookie.
import { DAY_MS, MINUTE_MS, type Clock } from "../core/clock.ts";
import { AppError, invalidField, messageOf } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import type { Logger } from "../core/logger.ts";
import type { Ids } from "../core/ids.ts";
import type { Reach } from "../core/reach.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { SignInFactor, SignInMethod } from "../payloads/sign-in.ts";
import type { Audit } from "./audit.ts";
import { sealOfPerson } from "./break-glass-store.ts";
import { browserOf, isSameBrowser } from "./browser-name.ts";
import { deleteDevicesUnusedSince, isDeviceOf, isDeviceOfAnybody, rememberDevice } from "./device-store.ts";
import type { Try } from "./guess-pace.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import { NOBODYS_HASH, verifyPassword } from "./password.ts";
import { personByEmail, personById } from "./person-store.ts";
import { reachOf } from "./reach.ts";
import type { Person, Role } from "./records.ts";
import { deleteExpiredProofs } from "./spent-proof-store.ts";
import {
  boundsKey,
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  liveTokenHashes,
  sessionByToken,
  setSessionLock,
  touchSession,
  type SessionWithPerson,
} from "./session-store.ts";

export interface Session {
  personId: string;
  organisationId: string;
  email: string;
  name: string;
  role: Role;
  /** Dashboard language; null follows the browser. */
  language: string | null;
  /** How the person proved who they are. */
  method: SignInMethod;
  factor: SignInFactor | null;
  /** What the person may see; absent: the whole organisation. */
  reach?: Reach;
  /** Differs after a change of role or reach. */
  boundsKey?: string;
}

/** Values of the browser's two cookies. */
export interface Opened {
  token: string;
  deviceToken: string;
}

/** Origin of a sign-in attempt. */
export interface SignInOrigin {
  /** Client address of the request. */
  source: string;
  /** Value of the device cookie, if any. */
  deviceToken: string | null;
  /** Header of the browser, for the list of sessions. */
  userAgent?: string | null;
}

/** The proofs of a sign-in. */
export interface Proofs {
  method: SignInMethod;
  factor?: SignInFactor | null;
  /** Upper bound of the session's life, if it is shorter than usual. */
  longestMs?: number;
  /** Runs in the transaction that opens the session. It throws to refuse, and may name the second proof. */
  alongside?: (tx: Tx) => Promise<SignInFactor | null>;
}

export interface FoundSession extends Session {
  /**
   * The session was extended by this request: the cookie must be sent again, or the browser drops it at its first
   * expiry.
   */
  wasProlonged: boolean;
  /** The dashboard asks for the password first. */
  isLocked: boolean;
}

/** A working week: long enough to be convenient, short enough for a lost laptop. Use extends it. */
export const SESSION_LIFE_MS = 7 * DAY_MS;
/** Absolute lifetime, regardless of use: an unnoticed copy of the cookie is worthless after a month. */
const LONGEST_SESSION_MS = 30 * DAY_MS;
/** A device without a sign-in for this long counts as a stranger again. */
export const DEVICE_LIFE_MS = 180 * DAY_MS;
/** More than one person uses; the newest are kept. */
const MOST_DEVICES_PER_PERSON = 20;
/** Longer headers are cut: a browser's own has about 150 characters. */
const LONGEST_USER_AGENT = 300;
/** Limits writes: a session is extended at most once in this period, not at every click. */
const TOUCH_EVERY_MS = 10 * MINUTE_MS;
/** After a write that failed, so that a locked database does not delay every request. */
const TRY_AGAIN_MS = MINUTE_MS;

export interface SessionServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  logger: Logger;
  throttle: LoginThrottle;
  /** Checks the password of a person who comes from a directory; null for others. */
  confirmElsewhere?: (person: Person, password: string, source: string) => Promise<boolean | null>;
}

export class SessionService {
  /** When a session could not be extended. */
  #untouchedAt = -Infinity;

  constructor(private readonly deps: SessionServiceDeps) {}

  /** The person of an address and its password. What follows is the decision of sign-in-service.ts. */
  async provePassword(emailGiven: string, password: string, { source, deviceToken }: SignInOrigin): Promise<Person> {
    const email = normalised(emailGiven);
    const asked = await personByEmail(this.deps.db.reader, email);
    const by = await this.whoTries(asked, deviceToken);
    return this.#personWith({ email, source, by }, password, asked);
  }

  /** For a person who is authenticated by other means: the setup code, the old password, or one click in a demo. */
  async openFor(email: string, origin: SignInOrigin, proofs: Proofs): Promise<Opened> {
    const person = await personByEmail(this.deps.db.reader, normalised(email));
    if (!person || person.disabled_at !== null) throw new AppError("NOT_FOUND", "There is no person with this id.");
    return this.open(person, origin, proofs);
  }

  /** Requires the password again, because the screen may be unattended. Returns the person. */
  async assertPassword(email: string, password: string, source: string, field = "current"): Promise<Person> {
    try {
      const person = await personByEmail(this.deps.db.reader, email);
      const confirmed = person && (await this.deps.confirmElsewhere?.(person, password, source));
      if (person && confirmed) return person;
      if (confirmed === false) throw wrongPassword();
      return await this.#personWith({ email, source, by: { kind: "session" } }, password, person);
    } catch (error) {
      // The session is valid, the field is not: 401 would send the page back to sign-in.
      if (error instanceof AppError && error.code === "UNAUTHORIZED")
        throw invalidField(field, `This is not your ${field === "current" ? "current " : ""}password.`);
      throw error;
    }
  }

  /** `userAgent`: header of the request; a cookie that another browser or system sends was copied. */
  async find(token: string, userAgent: string | null): Promise<FoundSession | null> {
    const { clock } = this.deps;
    const row = await this.#live(token);
    if (!row || (await this.#isCopied(row, userAgent))) return null;
    const now = clock.now();
    const longest = Math.min(row.created_at + LONGEST_SESSION_MS, row.ends_at ?? Infinity);
    const expiresAt = Math.max(row.expires_at, Math.min(now + SESSION_LIFE_MS, longest));
    const isNoted = now - row.last_seen_at > TOUCH_EVERY_MS && (await this.#touch(row.token_hash, now, expiresAt));
    const reach = reachOf(row);
    const wasProlonged = isNoted && expiresAt > row.expires_at;
    return {
      personId: row.person_id,
      organisationId: row.organisation_id,
      email: row.email,
      name: row.name,
      role: row.role,
      language: row.language,
      method: row.method,
      factor: row.factor,
      ...(reach && { reach }),
      boundsKey: boundsKey(row),
      isLocked: row.locked_at !== null,
      wasProlonged,
    };
  }

  /** False if it could not be written: an open session goes on reading while the disk is full. */
  async #touch(tokenHash: string, now: number, expiresAt: number): Promise<boolean> {
    const { db, logger } = this.deps;
    if (Math.abs(now - this.#untouchedAt) < TRY_AGAIN_MS) return false;
    try {
      await db.write((tx) => touchSession(tx, tokenHash, now, expiresAt));
      return true;
    } catch (error) {
      this.#untouchedAt = now;
      logger.warn("session not extended", { error: messageOf(error) });
      return false;
    }
  }

  /** Does not extend the session. */
  async stateOf(token: string): Promise<"ended" | "locked" | "open"> {
    const row = await this.#live(token);
    if (!row) return "ended";
    return row.locked_at === null ? "open" : "locked";
  }

  /** Locks an unattended screen: the dashboard then shows only the password prompt. */
  async lock(token: string): Promise<void> {
    const { db, clock } = this.deps;
    await db.write((tx) => setSessionLock(tx, sha256Hex(token), clock.now()));
  }

  async unlock(token: string, password: string, source: string): Promise<void> {
    const row = await this.#live(token);
    if (!row) throw new AppError("UNAUTHORIZED", "You are not signed in, or your session has ended.");
    await this.assertPassword(row.email, password, source, "password");
    await this.deps.db.write((tx) => setSessionLock(tx, row.token_hash, null));
  }

  /** Identifies a session in memory; the cookie cannot be derived from it. */
  fingerprintOf(token: string): string {
    return sha256Hex(token);
  }

  /**
   * Which of these sessions, given by fingerprint, are still open, each with the key of its bounds. Extends none: an
   * idle open page is not use.
   */
  liveAmong(fingerprints: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { db, clock } = this.deps;
    return liveTokenHashes(db.reader, fingerprints, clock.now());
  }

  /** Invalidates the cookie and every copy of it. */
  async signOut(token: string): Promise<void> {
    await this.deps.db.write((tx) => deleteSession(tx, sha256Hex(token)));
  }

  async forgetExpired(now: number): Promise<void> {
    await this.deps.db.write(async (tx) => {
      await deleteExpiredSessions(tx, now);
      await deleteDevicesUnusedSince(tx, now - DEVICE_LIFE_MS);
      await deleteExpiredProofs(tx, now);
    });
  }

  /** Also makes the browser a known device of this person. */
  async open(person: Person, origin: SignInOrigin, proofs: Proofs): Promise<Opened> {
    const { db, clock, ids, audit } = this.deps;
    const { method, longestMs } = proofs;
    const { deviceToken: presentDevice, source, userAgent = null } = origin;
    const token = ids.secret(32);
    const now = clock.now();
    const deviceToken = await db.write(async (tx) => {
      // The attempt may have been delayed: an owner may have disabled the person or changed the password since.
      const present = await personById(tx, person.id);
      if (present?.password_hash !== person.password_hash || present.disabled_at !== null) throw wrongPassword();
      if (method !== "break_glass" && (await sealOfPerson(tx, person.id)))
        throw new AppError("CONFLICT", "The emergency account is opened with its sealed password only.");
      const factor = (await proofs.alongside?.(tx)) ?? proofs.factor ?? null;
      // One device cookie serves everyone at a ward's computer. A fabricated cookie is not adopted, because others may
      // know it.
      const isOurs = presentDevice !== null && (await isDeviceOfAnybody(tx, sha256Hex(presentDevice)));
      const device = isOurs ? presentDevice : ids.secret(32);
      const isNewDevice = !(isOurs && (await isDeviceOf(tx, sha256Hex(device), person.id, now - DEVICE_LIFE_MS)));
      await rememberDevice(
        tx,
        { tokenHash: sha256Hex(device), personId: person.id, usedAt: now },
        MOST_DEVICES_PER_PERSON,
      );
      await insertSession(tx, {
        token_hash: sha256Hex(token),
        person_id: person.id,
        organisation_id: person.organisation_id,
        created_at: now,
        last_seen_at: now,
        expires_at: now + Math.min(SESSION_LIFE_MS, longestMs ?? SESSION_LIFE_MS),
        locked_at: null,
        method,
        factor,
        user_agent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
        source,
        is_new_device: isNewDevice ? 1 : 0,
        ends_at: longestMs === undefined ? null : now + longestMs,
      });
      await audit.record(tx, {
        organisationId: person.organisation_id,
        actor: { kind: "person", id: person.id },
        action: "person.signed_in",
        subjectId: person.id,
        detail: { method, ...(factor && { factor }), new_device: isNewDevice },
      });
      return device;
    });
    return { token, deviceToken };
  }

  /** For the pace of guesses: a device on which the person signed in before has its own. */
  async whoTries(person: Person | undefined, deviceToken: string | null): Promise<Try["by"]> {
    const { db, clock } = this.deps;
    if (!person || deviceToken === null) return { kind: "stranger" };
    const id = sha256Hex(deviceToken);
    const isKnown = await isDeviceOf(db.reader, id, person.id, clock.now() - DEVICE_LIFE_MS);
    return isKnown ? { kind: "device", id } : { kind: "stranger" };
  }

  /** Unknown address, wrong password and disabled person are indistinguishable, in message and in timing. */
  async #personWith(attempt: Try, password: string, asked: Person | undefined): Promise<Person> {
    const person = await this.deps.throttle.run(attempt, async () => {
      const matches = await verifyPassword(password, asked?.password_hash ?? NOBODYS_HASH);
      return asked && matches && asked.disabled_at === null ? asked : null;
    });
    if (!person) throw wrongPassword();
    return person;
  }

  /** Ends the session, so the copy is worthless and the person notices. Updates of a browser keep its name. */
  async #isCopied(row: SessionWithPerson, userAgent: string | null): Promise<boolean> {
    if (row.user_agent === null || isSameBrowser(row.user_agent, userAgent)) return false;
    const [opened, present] = [browserOf(row.user_agent), browserOf(userAgent)];
    const { db, audit } = this.deps;
    await db.write(async (tx) => {
      await deleteSession(tx, row.token_hash);
      await audit.record(tx, {
        organisationId: row.organisation_id,
        actor: { kind: "person", id: row.person_id },
        action: "person.session_refused",
        subjectId: row.person_id,
        detail: { opened: wordsOf(opened), present: wordsOf(present) },
      });
    });
    return true;
  }

  async #live(token: string): Promise<SessionWithPerson | null> {
    const { db, clock } = this.deps;
    const row = await sessionByToken(db.reader, sha256Hex(token));
    return row && row.expires_at > clock.now() && row.disabled_at === null ? row : null;
  }
}

export const createSessionService = (deps: SessionServiceDeps): SessionService => new SessionService(deps);

const wordsOf = ({ browser, system }: ReturnType<typeof browserOf>): string =>
  [browser, system].filter(Boolean).join(", ") || "unknown";

const wrongPassword = () => new AppError("UNAUTHORIZED", "The e-mail address or the password is wrong.");

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
