// Steps of an erasure: rows of every folder, a tombstone, then the files named by the rows. Erases one call, or all
// matching calls in batches.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Eraser } from "../../db/eraser.ts";
import { forgetKeyOfUnknown } from "../../db/person-key-store.ts";
import type { Call } from "../call/records.ts";
import type { FileRemoval } from "../../media/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { FileRemovals } from "../../media/file-removals.ts";
import type { Keeping } from "../../rules/holds/keeping.ts";
import { deleteNotes, orphanedNotes } from "../people/contact-note-store.ts";
import { callById } from "../call/store.ts";
import type { ErasedContacts } from "./erased-contacts.ts";
import { insertTombstone } from "./erasure-store.ts";
import { lineOf } from "./line-store.ts";

export interface ErasedRowsDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  fileRemovals: FileRemovals;
  erasers: readonly Eraser[];
  erasedContacts: Pick<ErasedContacts, "forgetUnknown">;
  keeping: Pick<Keeping, "erasable" | "youngestErasable">;
}

const MOST_PER_BATCH = 200;

type FindCalls = (limit: number, after: Call | null) => Promise<Call[]>;

/** Recording and capture. */
export async function filesOf(tx: Tx, { id, recording_file }: Call): Promise<FileRemoval[]> {
  const capture = (await lineOf(tx, id))?.capture_file ?? null;
  return [
    ...(recording_file === null ? [] : [{ kind: "recording" as const, name: recording_file }]),
    ...(capture === null ? [] : [{ kind: "capture" as const, name: capture }]),
  ];
}

/** Recorded with an erasure if the database keeps copies that the appliance cannot reach. */
export function leftIn({ maintenance }: Database): Record<string, readonly string[]> {
  return maintenance.leftByErasure.length > 0 ? { left_in: maintenance.leftByErasure } : {};
}

export function createErasedRows(deps: ErasedRowsDeps) {
  const { db, clock, audit, fileRemovals, erasers, erasedContacts, keeping } = deps;

  /** Returns the files to remove after the commit. */
  async function eraseWithin(tx: Tx, call: Call, actor: Actor): Promise<FileRemoval[]> {
    const files = await filesOf(tx, call);
    await fileRemovals.plan(tx, files);
    const youngest = await keeping.youngestErasable(tx);
    for (const { eraseCall } of erasers) await eraseCall(tx, call.id, youngest);
    await erasedContacts.forgetUnknown(tx, call.organisation_id, call.contact_number);
    await forgetKeyOfUnknown(tx, call.organisation_id, call.contact_number);
    await insertTombstone(tx, {
      call_id: call.id,
      organisation_id: call.organisation_id,
      erased_at: clock.now(),
      actor_kind: actor.kind,
      actor_id: actor.id,
    });
    const note = { organisationId: call.organisation_id, actor, action: "call.erased", subjectId: call.id };
    await audit.record(tx, { ...note, detail: leftIn(db) });
    return files;
  }

  return {
    eraseWithin,

    /**
     * Erases calls until `find` returns none after the last. `among` chooses in the transaction which of them may be
     * erased, or throws. Returns how many were erased.
     */
    async eraseAll(find: FindCalls, among: (tx: Tx, calls: Call[]) => Promise<Call[]>, actor: Actor): Promise<number> {
      let erased = 0;
      for (let last: Call | null = null; ;) {
        const calls: Call[] = await find(MOST_PER_BATCH, last);
        last = calls.at(-1) ?? null;
        const files = await db.write(async (tx) => {
          const filesOfEach: FileRemoval[][] = [];
          for (const { id } of await among(tx, calls)) {
            // The call may have been deleted since it was read.
            const call = await callById(tx, id);
            if (call) filesOfEach.push(await eraseWithin(tx, call, actor));
          }
          return filesOfEach;
        });
        erased += files.length;
        await fileRemovals.remove(files.flat());
        if (calls.length < MOST_PER_BATCH) return erased;
      }
    },

    /** Deletes notes about people without any call or appointment, unless held or too young. */
    async forgetOrphanedNotes(youngest: number): Promise<void> {
      for (let after = ""; ;) {
        const from = { after, youngest };
        if ((await orphanedNotes(db.reader, 1, from)).length === 0) return;
        // Read again in the transaction: the person may have a new call or appointment.
        after = await db.write(async (tx) => {
          const found = await orphanedNotes(tx, MOST_PER_BATCH, from);
          const free = await keeping.erasable(tx, found, ({ organisation_id, contact_number }) => ({
            organisationId: organisation_id,
            number: contact_number,
          }));
          await deleteNotes(
            tx,
            free.map(({ id }) => id),
          );
          return found.at(-1)?.id ?? from.after;
        });
      }
    },
  };
}
