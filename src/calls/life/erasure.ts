// Erased is erased: rows, events, attempts, idempotency responses, the recording and captured packets go, and no byte
// of them stays in the database, its WAL or the folders of files. What remains is a tombstone: id, organisation, when,
// by whom.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import { DAY_MS, type Clock } from "../../core/clock.ts";
import { AppError, messageOf } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Eraser } from "../../db/eraser.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { FileRemovals } from "../../media/file-removals.ts";
import type { ContactIds } from "../people/contact-ids.ts";
import { createErasedContacts } from "./erased-contacts.ts";
import { createErasedRows, leftIn } from "./erased-rows.ts";
import { callsFinishedBefore, callsOfContact } from "./erasure-store.ts";
import { isFinal } from "../call/state.ts";
import { createWipe } from "./wipe.ts";
import { callOf, hasUnfinishedCall } from "../call/store.ts";

export interface ErasureDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  wake: () => void;
  audit: Audit;
  fileRemovals: FileRemovals;
  /**
   * Every room that holds something of a call's person, this one included: each takes its own out, in one transaction.
   */
  erasers: readonly Eraser[];
  ids: Ids;
  contactIds: ContactIds;
  /** Appointments age with the calls. */
  appointments: Forgetting;
  /** So do the lists of campaigns, which hold people who were never called. */
  campaigns: Forgetting;
}

export interface Forgetting {
  /** Answers how many. */
  forgetUntil(until: number, actor: Actor): Promise<number>;
}

/** How much was past its retention. */
export interface Retired {
  calls: number;
  appointments: number;
  campaigns: number;
}

export interface EraseOptions {
  /** Also one that failed, was cancelled or was not allowed. */
  any?: boolean;
  /** Commits with the erasure. */
  alongside?: (tx: Tx) => Promise<void>;
}

export function createErasure(deps: ErasureDeps) {
  const { db, clock, wake, audit, erasers, fileRemovals, appointments, campaigns } = deps;
  const wipe = createWipe(deps);

  const erasedContacts = createErasedContacts(deps);
  const { eraseWithin, eraseAll, forgetOrphanedNotes } = createErasedRows({ ...deps, erasedContacts });

  /**
   * In one transaction, which nobody comes between. False where another of their calls has ended since they were looked
   * for.
   */
  const eraseRest = (organisationId: string, number: string, actor: Actor, calls: number): Promise<boolean> =>
    db.write(async (tx) => {
      await assertNoCallToCome(tx, organisationId, number);
      if ((await callsOfContact(tx, organisationId, number, 1)).length > 0) return false;
      for (const { eraseContact } of erasers) await eraseContact?.(tx, organisationId, number, clock.now());
      await erasedContacts.forget(tx, organisationId, number);
      await audit.record(tx, { organisationId, actor, action: "contact.erased", detail: { calls, ...leftIn(db) } });
      return true;
    });

  return {
    /** For whoever erases something of their own. */
    wipe,

    /** Only completed, connected calls can be deleted, with `any` every finished one; other ids are answered alike. */
    async erase(
      organisationId: string,
      callId: string,
      actor: Actor,
      { any = false, alongside = async () => {} }: EraseOptions = {},
    ): Promise<void> {
      const notFound = () =>
        new AppError("NOT_FOUND", `There is no ${any ? "finished" : "completed"} call with this id.`);
      const call = await callOf(db.reader, organisationId, callId);
      if (!call || !(any ? isFinal(call.state) : call.state === "completed")) throw notFound();
      const files = await db.write(async (tx) => {
        const present = await callOf(tx, organisationId, callId);
        if (!present) throw notFound();
        const toRemove = await eraseWithin(tx, present, actor);
        await alongside(tx);
        return toRemove;
      });
      await fileRemovals.remove(files);
      // Whoever works on it lets go of it.
      wake();
      await wipe();
    },

    /**
     * Everything of one person: their finished calls, and what every room holds of them. Do-not-disturb stays, as a
     * wish.
     */
    async eraseContact(organisationId: string, number: string, actor: Actor): Promise<number> {
      await assertNoCallToCome(db.reader, organisationId, number);
      const theirs = (limit: number) => callsOfContact(db.reader, organisationId, number, limit);
      let erased = 0;
      do erased += await eraseAll(theirs, actor);
      while (!(await eraseRest(organisationId, number, actor, erased)));
      wake();
      await wipe();
      return erased;
    },

    /**
     * After a start: a wipe that a crash cut off is done again, and where it is not known which pages have something
     * left in them, the whole file is looked through. Nobody waits for it, and whoever erases later need not.
     */
    async resume(): Promise<void> {
      await fileRemovals.resume();
      await wipe();
      await erasedContacts.sweep().catch((error: unknown) => {
        // The database was closed, or is away: the next start, or retention, does it again.
        deps.logger.debug("audit entries of erased people not replaced yet", { error: messageOf(error) });
      });
    },

    /**
     * Erases calls that finished, and forgets who had appointments or was on a list, more than `days` before `now`,
     * which must be a time that can be believed. The do-not-disturb list stays: it is a wish, and it has no date.
     */
    async enforceRetention(days: number, actor: Actor, now: number): Promise<Retired> {
      const until = now - days * DAY_MS;
      // Of a command that ended before it had removed its files.
      await fileRemovals.resume();
      const erased = await eraseAll((limit) => callsFinishedBefore(db.reader, until, limit), actor);
      const forgotten = await appointments.forgetUntil(until, actor);
      await forgetOrphanedNotes();
      if (erased + forgotten > 0) await erasedContacts.sweep();
      const lists = await campaigns.forgetUntil(until, actor);
      if (erased + forgotten + lists > 0) await wipe();
      return { calls: erased, appointments: forgotten, campaigns: lists };
    },
  };
}

export type Erasure = ReturnType<typeof createErasure>;

async function assertNoCallToCome(executor: Executor, organisationId: string, number: string): Promise<void> {
  if (!(await hasUnfinishedCall(executor, organisationId, number))) return;
  throw new AppError("CONFLICT", "This person is about to be called, or is on a call. Cancel the call first.");
}
