// The open sessions of a person, for themselves and for owners, and their end. A session that is ended opens nothing
// from the next request on, and its change stream closes at the next poll.
import type { Actor } from "../core/actor.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/hmac.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import { browserOf } from "./browser-name.ts";
import { personByEmail } from "./person-store.ts";
import type { Person } from "./records.ts";
import type { ReadNotes } from "./read-notes.ts";
import { deleteOtherSessions, deleteSession, sessionsOf, setDeviceKnown } from "./session-store.ts";

/** Names a session without its token or the hash that is looked up. */
const idOf = (tokenHash: string): string => `ses_${sha256Hex(`session-id\n${tokenHash}`).slice(0, 26)}`;

export interface SessionHolder {
  organisationId: string;
  personId: string;
  /** Fingerprint of the session that asks; null for an owner who looks at another person. */
  present: string | null;
}

export interface SessionListDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  readNotes: ReadNotes;
}

export function createSessionList({ db, clock, audit, readNotes }: SessionListDeps) {
  async function mustFind(executor: Executor, holder: SessionHolder, id: string) {
    const rows = await sessionsOf(executor, holder.personId, clock.now());
    const found = rows.find(({ token_hash }) => idOf(token_hash) === id);
    if (!found) throw new AppError("NOT_FOUND", "This session has ended already.");
    return found;
  }

  return {
    /** The person of an organisation by address, as a holder of sessions. */
    async holderOf(organisationId: string, email: string): Promise<SessionHolder & { person: Person }> {
      const person = await personByEmail(db.reader, email.trim().toLowerCase());
      if (person?.organisation_id !== organisationId)
        throw new AppError("NOT_FOUND", "There is no person with this e-mail address.");
      return { organisationId, personId: person.id, present: null, person };
    },

    async list({ organisationId, personId, present }: SessionHolder, actor: Actor) {
      const rows = await sessionsOf(db.reader, personId, clock.now());
      if (personId !== actor.id) {
        const detail = { count: rows.length };
        await readNotes.note({ organisationId, actor, action: "person.sessions_listed", subjectId: personId, detail });
      }
      return rows.map((row) => ({
        session_id: idOf(row.token_hash),
        ...browserOf(row.user_agent),
        address: row.source,
        method: row.method,
        factor: row.factor,
        is_present: row.token_hash === present,
        is_new_device: row.is_new_device === 1,
        created_at: toIso(row.created_at),
        last_used_at: toIso(row.last_seen_at),
      }));
    },

    async end(holder: SessionHolder, id: string, actor: Actor): Promise<void> {
      const { organisationId, personId } = holder;
      await db.write(async (tx) => {
        const { token_hash } = await mustFind(tx, holder, id);
        await deleteSession(tx, token_hash);
        const detail = { session_id: id };
        await audit.record(tx, { organisationId, actor, action: "person.session_ended", subjectId: personId, detail });
      });
    },

    /** All but the present one. Returns how many. */
    async endOthers({ organisationId, personId, present }: SessionHolder, actor: Actor): Promise<number> {
      return db.write(async (tx) => {
        const count = await deleteOtherSessions(tx, personId, present);
        const detail = { sessions: count };
        await audit.record(tx, { organisationId, actor, action: "person.sessions_ended", subjectId: personId, detail });
        return count;
      });
    },

    /** The person recognises a sign-in on a new device. */
    async recognise(holder: SessionHolder, id: string): Promise<void> {
      await db.write(async (tx) => setDeviceKnown(tx, (await mustFind(tx, holder, id)).token_hash));
    },

    /**
     * Other sessions that were opened on a new device after the present one, and that the person has not recognised.
     */
    async unrecognised({ personId, present }: SessionHolder): Promise<string[]> {
      const rows = await sessionsOf(db.reader, personId, clock.now());
      const own = rows.find(({ token_hash }) => token_hash === present);
      if (!own) return [];
      const later = rows.filter((row) => row !== own && row.is_new_device === 1 && row.created_at >= own.created_at);
      return later.map(({ token_hash }) => idOf(token_hash));
    },
  };
}

export type SessionList = ReturnType<typeof createSessionList>;
