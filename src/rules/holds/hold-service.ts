// Retention holds: added with a reason, listed, and released by a named act. A released hold stays listed until the
// record it was about is erased.
import type { Audit } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import type { Actor } from "../../core/actor.ts";
import { toIso, toIsoOrNull, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import { decodeCursor, encodeCursor, pageSize } from "../../core/pages.ts";
import type { Alongside } from "../../db/alongside.ts";
import type { Database } from "../../db/database.ts";
import { holdEnd, holdKey, holdReason } from "./checked-hold.ts";
import {
  countUnreleased,
  holdOf,
  holdsAbout,
  insertHold,
  listHolds,
  releaseHold,
  WHOLE_ORGANISATION,
} from "./hold-store.ts";
import type { Keeping } from "./keeping.ts";
import type { CreateHoldInput, Hold, ListHoldsInput } from "./model.ts";
import type { RetentionHold } from "./records.ts";

/** Per organisation, not released. Where more is held, hold the organisation. */
const MOST_HOLDS = 10_000;
/** On the page of a call or a person. */
const MOST_SHOWN = 20;

export interface HoldServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  keeping: Pick<Keeping, "timeOf">;
}

export function createHoldService({ db, clock, ids, audit, readNotes, keeping }: HoldServiceDeps) {
  return {
    /** `alongside` commits with the hold. */
    async add(
      organisationId: string,
      input: CreateHoldInput,
      actor: Actor,
      alongside: Alongside<Hold> = async () => {},
    ): Promise<Hold> {
      const reason = holdReason(input.reason);
      const until = holdEnd(input, clock.now());
      return db.write(async (tx) => {
        if ((await countUnreleased(tx, organisationId)) >= MOST_HOLDS)
          throw new AppError("CONFLICT", `There are ${MOST_HOLDS} holds. Release some, or hold the organisation.`);
        const row: RetentionHold = {
          id: ids.next("rth"),
          organisation_id: organisationId,
          subject: input.subject,
          // Read in the transaction: an erasure at the same time either sees the hold or has removed the call.
          subject_key: await holdKey(tx, organisationId, input),
          reason,
          created_at: clock.now(),
          actor_kind: actor.kind,
          actor_id: actor.id,
          until_at: until,
          released_at: null,
          released_by_kind: null,
          released_by_id: null,
          release_reason: null,
        };
        await insertHold(tx, row);
        const detail = { subject: row.subject, until: toIsoOrNull(until) };
        await audit.record(tx, { organisationId, actor, action: "retention_hold.added", subjectId: row.id, detail });
        const hold = viewOf(row, clock.now());
        await alongside(tx, hold);
        return hold;
      });
    },

    /** Releasing twice changes nothing. */
    async release(organisationId: string, id: string, why: string, actor: Actor): Promise<Hold> {
      const reason = holdReason(why);
      return db.write(async (tx) => {
        const hold = await holdOf(tx, organisationId, id);
        if (!hold) throw new AppError("NOT_FOUND", "There is no hold with this id.");
        if (hold.released_at !== null) return viewOf(hold, clock.now());
        const release = {
          released_at: clock.now(),
          released_by_kind: actor.kind,
          released_by_id: actor.id,
          release_reason: reason,
        };
        await releaseHold(tx, id, release);
        await audit.record(tx, { organisationId, actor, action: "retention_hold.released", subjectId: id });
        return viewOf({ ...hold, ...release }, clock.now());
      });
    },

    /** Newest first. */
    async list(organisationId: string, input: ListHoldsInput, actor: Actor) {
      const limit = pageSize(input.limit);
      const now = await keeping.timeOf(db.reader);
      const rows = await listHolds(db.heavy, {
        organisationId,
        inForceAt: input.in_force === "true" ? now : undefined,
        before: input.cursor === undefined ? undefined : decodeCursor(input.cursor, input),
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const detail = { count: page.length };
      await readNotes.note({ organisationId, actor, action: "retention_hold.listed", detail });
      return {
        data: page.map((row) => viewOf(row, now)),
        next_cursor:
          rows.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
      };
    },

    /** Holds in force on a record, for its page: on the call or the person, and on the organisation. */
    async about(organisationId: string, keys: readonly string[]): Promise<Hold[]> {
      const now = await keeping.timeOf(db.reader);
      const shown = { inForceAt: now, limit: MOST_SHOWN };
      const rows = await holdsAbout(db.reader, organisationId, [WHOLE_ORGANISATION, ...keys], shown);
      return rows.map((row) => viewOf(row, now));
    },
  };
}

export type HoldService = ReturnType<typeof createHoldService>;

export function viewOf(row: RetentionHold, now: number): Hold {
  const isOver = row.until_at !== null && row.until_at <= now;
  return {
    hold_id: row.id,
    subject: row.subject,
    call_id: row.subject === "call" ? row.subject_key : null,
    contact_number: row.subject === "person" ? row.subject_key : null,
    reason: row.reason,
    in_force: row.released_at === null && !isOver,
    created_at: toIso(row.created_at),
    created_by: row.actor_id ?? row.actor_kind,
    until: toIsoOrNull(row.until_at),
    released_at: toIsoOrNull(row.released_at),
    released_by: row.released_at === null ? null : (row.released_by_id ?? row.released_by_kind),
    release_reason: row.release_reason,
  };
}
