// The steps of an erasure: files, rows of every room, a tombstone; one call, or all that match, a batch at a time.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Eraser } from "../../db/eraser.ts";
import type { CallRow, Tx } from "../../db/tables.ts";
import type { Recordings } from "../../media/recordings.ts";
import { deleteNotes, orphanedNotes } from "../contact-note-store.ts";
import { callById } from "../store.ts";
import type { ErasedContacts } from "./erased-contacts.ts";
import { insertTombstone } from "./erasure-store.ts";
import { lineOf } from "./line-store.ts";

export interface ErasedRowsDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  recordings: Recordings;
  captures: Pick<Recordings, "remove">;
  erasers: readonly Eraser[];
  erasedContacts: Pick<ErasedContacts, "forgetUnknown">;
}

const MOST_PER_BATCH = 200;

/** Said in the entry of an erasure, where the database keeps copies out of our reach. */
export function leftIn({ maintenance }: Database): Record<string, readonly string[]> {
  return maintenance.leftByErasure.length > 0 ? { left_in: maintenance.leftByErasure } : {};
}

export function createErasedRows(deps: ErasedRowsDeps) {
  const { db, clock, audit, recordings, captures, erasers, erasedContacts } = deps;

  async function eraseWithin(tx: Tx, call: CallRow, actor: Actor): Promise<void> {
    for (const { eraseCall } of erasers) await eraseCall(tx, call.id);
    await erasedContacts.forgetUnknown(tx, call.organisation_id, call.contact_number);
    await insertTombstone(tx, {
      call_id: call.id,
      organisation_id: call.organisation_id,
      erased_at: clock.now(),
      actor_kind: actor.kind,
      actor_id: actor.id,
    });
    const note = { organisationId: call.organisation_id, actor, action: "call.erased", subjectId: call.id };
    await audit.record(tx, { ...note, detail: leftIn(db) });
  }

  /** The files first: should the process die in between, the rows still name them and the erasure is asked for again. */
  async function removeFiles(call: CallRow): Promise<void> {
    if (call.recording_file !== null) recordings.remove(call.recording_file);
    const line = await lineOf(db.reader, call.id);
    if (line?.capture_file) captures.remove(line.capture_file);
  }

  return {
    eraseWithin,
    removeFiles,

    /** Everything that `find` finds, until it finds no more. Answers how many there were. */
    async eraseAll(find: (limit: number) => Promise<CallRow[]>, actor: Actor): Promise<number> {
      let erased = 0;
      for (;;) {
        const calls = await find(MOST_PER_BATCH);
        for (const call of calls) await removeFiles(call);
        erased += await db.write(async (tx) => {
          let count = 0;
          for (const call of calls) {
            // Somebody may have deleted it since it was read.
            if (!(await callById(tx, call.id))) continue;
            await eraseWithin(tx, call, actor);
            count++;
          }
          return count;
        });
        if (calls.length < MOST_PER_BATCH) return erased;
      }
    },

    /** What was noted of people goes with the last that is known of them. */
    async forgetOrphanedNotes(): Promise<void> {
      for (;;) {
        if ((await orphanedNotes(db.reader, 1)).length === 0) return;
        // Somebody may have made them known again since.
        await db.write(async (tx) => deleteNotes(tx, await orphanedNotes(tx, MOST_PER_BATCH)));
      }
    },
  };
}
