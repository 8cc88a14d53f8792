// Signing in to the dashboard: server-side sessions behind a cookie that scripts cannot read.
import { DAY_MS, MINUTE_MS, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { PersonRow, Role } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import { NOBODYS_HASH, verifyPassword } from "./password.ts";
import { personByEmail } from "./person-store.ts";
import {
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  liveTokenHashes,
  sessionByToken,
  touchSession,
  type SessionWithPerson,
} from "./session-store.ts";

export interface Session {
  personId: string;
  organisationId: string;
  email: string;
  name: string;
  role: Role;
}

export interface FoundSession extends Session {
  /** The session's end was moved just now: the cookie has to be sent again, or the browser drops it at its first end. */
  wasProlonged: boolean;
}

/** A working week: long enough not to be in the way, short enough for a lost laptop. Use prolongs it. */
export const SESSION_LIFE_MS = 7 * DAY_MS;
/** However much it is used: a copy of the cookie that nobody noticed is worth nothing after a month. */
export const LONGEST_SESSION_MS = 30 * DAY_MS;
/** Writing at every click would be a write per click; once in a while is enough. */
const TOUCH_EVERY_MS = 10 * MINUTE_MS;

export function createSessionService(deps: {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  throttle: LoginThrottle;
}) {
  const { db, clock, ids, audit, throttle } = deps;

  async function open(person: PersonRow): Promise<string> {
    const token = ids.secret(32);
    const now = clock.now();
    await db.write(async (tx) => {
      await insertSession(tx, {
        token_hash: sha256Hex(token),
        person_id: person.id,
        organisation_id: person.organisation_id,
        created_at: now,
        last_seen_at: now,
        expires_at: now + SESSION_LIFE_MS,
      });
      await audit.record(tx, {
        organisationId: person.organisation_id,
        actor: { kind: "person", id: person.id },
        action: "person.signed_in",
        subjectId: person.id,
      });
    });
    return token;
  }

  /** Unknown address, wrong password and disabled person are alike, in words and in time. */
  async function personWith(email: string, password: string, source: string): Promise<PersonRow> {
    const attempt = { email: email.trim().toLowerCase(), source };
    throttle.begin(attempt);
    const person = await personByEmail(db.reader, attempt.email);
    const matches = await verifyPassword(password, person?.password_hash ?? NOBODYS_HASH);
    if (!person || !matches || person.disabled_at !== null) {
      throw new AppError("UNAUTHORIZED", "The e-mail address or the password is wrong.");
    }
    throttle.succeeded(attempt);
    return person;
  }

  async function live(token: string): Promise<SessionWithPerson | null> {
    const row = await sessionByToken(db.reader, sha256Hex(token));
    return row && row.expires_at > clock.now() && row.disabled_at === null ? row : null;
  }

  return {
    /** Answers the token for the cookie. `source` is where the request came from. */
    signIn: async (email: string, password: string, source: string): Promise<string> =>
      open(await personWith(email, password, source)),

    /** For whoever has proved otherwise who they are: by the setup code, by the old password, or in a demo by a click. */
    async openFor(email: string): Promise<string> {
      const person = await personByEmail(db.reader, email.trim().toLowerCase());
      if (!person || person.disabled_at !== null) throw new AppError("NOT_FOUND", "There is no such person here.");
      return open(person);
    },

    /** Whoever finds an unlocked screen must not be able to change the password. */
    async assertPassword(email: string, password: string, source: string): Promise<void> {
      try {
        await personWith(email, password, source);
      } catch (error) {
        // The session is good, the field is not: 401 would send the page back to signing in.
        if (error instanceof AppError && error.code === "UNAUTHORIZED")
          throw invalidField("current", "This is not your current password.");
        throw error;
      }
    },

    async find(token: string): Promise<FoundSession | null> {
      const row = await live(token);
      if (!row) return null;
      const now = clock.now();
      const expiresAt = Math.min(now + SESSION_LIFE_MS, row.created_at + LONGEST_SESSION_MS);
      const wasProlonged = now - row.last_seen_at > TOUCH_EVERY_MS && expiresAt > row.expires_at;
      if (wasProlonged) await db.write((tx) => touchSession(tx, row.token_hash, now, expiresAt));
      return {
        personId: row.person_id,
        organisationId: row.organisation_id,
        email: row.email,
        name: row.name,
        role: row.role,
        wasProlonged,
      };
    },

    /** Without prolonging it. */
    isLive: async (token: string): Promise<boolean> => (await live(token)) !== null,

    /** What stands for a session where many are kept in memory: the cookie cannot be told from it. */
    fingerprintOf: (token: string): string => sha256Hex(token),

    /** Which of these are still open, by their fingerprints. Prolongs none: a page that lies open is not use. */
    liveAmong: (fingerprints: readonly string[]): Promise<ReadonlySet<string>> =>
      liveTokenHashes(db.reader, fingerprints, clock.now()),

    /** The cookie is worthless from here on, whoever has a copy. */
    async signOut(token: string): Promise<void> {
      await db.write((tx) => deleteSession(tx, sha256Hex(token)));
    },

    forgetExpired: (now: number) => db.write((tx) => deleteExpiredSessions(tx, now)),
  };
}

export type SessionService = ReturnType<typeof createSessionService>;
