// Signing in to the dashboard: server-side sessions behind a cookie that scripts cannot read.
import { DAY_MS, MINUTE_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { PersonRow, Role } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import { verifyPassword } from "./password.ts";
import { personByEmail } from "./person-store.ts";
import { deleteExpiredSessions, deleteSession, insertSession, sessionByToken, touchSession } from "./session-store.ts";

export interface Session {
  personId: string;
  organisationId: string;
  email: string;
  name: string;
  role: Role;
}

/** A working week: long enough not to be in the way, short enough for a lost laptop. Use prolongs it. */
export const SESSION_LIFE_MS = 7 * DAY_MS;
/** Writing at every click would be a write per click; once in a while is enough. */
const TOUCH_EVERY_MS = 10 * MINUTE_MS;

/** Compared where there is no such person, so that an unknown address takes as long as a wrong password. */
const NOBODYS_HASH = Bun.password.hash("nobody has this password", { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });

export function createSessionService(deps: { db: Database; clock: Clock; ids: Ids; audit: Audit; throttle: LoginThrottle }) {
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

  return {
    /** Answers the token for the cookie. `source` is where the request came from. */
    async signIn(email: string, password: string, source: string): Promise<string> {
      const address = email.trim().toLowerCase();
      throttle.assertMayTry(address, source);
      const person = await personByEmail(db.reader, address);
      const matches = await verifyPassword(password, person?.password_hash ?? (await NOBODYS_HASH));
      if (!person || !matches || person.disabled_at !== null) {
        throttle.failed(address, source);
        throw new AppError("UNAUTHORIZED", "The e-mail address or the password is wrong.");
      }
      throttle.succeeded(address);
      return open(person);
    },

    /** The demo's one click: no password is asked where everything is invented. */
    async signInDemo(email: string): Promise<string> {
      const person = await personByEmail(db.reader, email);
      if (!person) throw new AppError("NOT_FOUND", "There is no demo here.");
      return open(person);
    },

    async find(token: string): Promise<Session | null> {
      const tokenHash = sha256Hex(token);
      const row = await sessionByToken(db.reader, tokenHash);
      const now = clock.now();
      if (!row || row.expires_at <= now || row.disabled_at !== null) return null;
      if (now - row.last_seen_at > TOUCH_EVERY_MS) await db.write((tx) => touchSession(tx, tokenHash, now, now + SESSION_LIFE_MS));
      return { personId: row.person_id, organisationId: row.organisation_id, email: row.email, name: row.name, role: row.role };
    },

    /** The cookie is worthless from here on, whoever has a copy. */
    async signOut(token: string): Promise<void> {
      await db.write((tx) => deleteSession(tx, sha256Hex(token)));
    },

    forgetExpired: () => db.write((tx) => deleteExpiredSessions(tx, clock.now())),
  };
}

export type SessionService = ReturnType<typeof createSessionService>;
