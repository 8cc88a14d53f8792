// Erasure of calls and people: removes rows, events, delivery attempts, idempotency responses, recordings and captured
// packets. No byte of them stays in the database, its WAL or the file folders. A tombstone remains: id, organisation,
// time and actor.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import { DAY_MS, type Clock } from "../../core/clock.ts";
import { AppError, messageOf } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Eraser } from "../../db/eraser.ts";
import { forgetKeysOfUnknown } from "../../db/person-key-store.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { FileRemovals } from "../../media/file-removals.ts";
import type { Keepable } from "../../rules/holds/held.ts";
import type { Keeping } from "../../rules/holds/keeping.ts";
import type { ContactIds } from "../people/contact-ids.ts";
import { createErasedContacts } from "./erased-contacts.ts";
import { createErasedRows, leftIn } from "./erased-rows.ts";
import { callsFinishedBefore, callsOfContact, newestRecordOf } from "./erasure-store.ts";
import type { Call } from "../call/records.ts";
import { isFinal } from "../call/state.ts";
import { repeatErasures } from "./repeated-erasures.ts";
import { createWipe } from "./wipe.ts";
import { callOf } from "../call/store.ts";
import { hasUnfinishedCall } from "../call/unfinished-store.ts";

export interface ErasureDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  wake: () => void;
  audit: Audit;
  fileRemovals: FileRemovals;
  /** Erasers of every folder with personal data, including this one. All run in one transaction. */
  erasers: readonly Eraser[];
  ids: Ids;
  contactIds: ContactIds;
  /** Holds and the least retention. */
  keeping: Keeping;
  /** Appointments have the same retention as calls. */
  appointments: Forgetting;
  /** Campaign lists have the same retention; they include people who were never called. */
  campaigns: Forgetting;
}

export interface Forgetting {
  /** Returns how many. */
  forgetUntil(until: number, actor: Actor): Promise<number>;
}

/** Number of records past their retention. */
export interface Retired {
  calls: number;
  appointments: number;
  campaigns: number;
}

export interface EraseOptions {
  /** Also allows calls that failed, were cancelled or were disallowed. */
  any?: boolean;
  /** Commits with the erasure. */
  alongside?: (tx: Tx) => Promise<void>;
}

export function createErasure(deps: ErasureDeps) {
  const { db, clock, wake, audit, erasers, fileRemovals, appointments, campaigns, keeping } = deps;
  const wipe = createWipe(deps);

  const erasedContacts = createErasedContacts(deps);
  const { eraseWithin, eraseAll, forgetOrphanedNotes } = createErasedRows({ ...deps, erasedContacts });

  /** One transaction. False if another of the person's calls has ended since the search. */
  const eraseRest = (organisationId: string, number: string, actor: Actor, calls: number): Promise<boolean> =>
    db.write(async (tx) => {
      await assertNoCallToCome(tx, organisationId, number);
      await assertPersonErasable(keeping, tx, organisationId, number);
      if ((await callsOfContact(tx, organisationId, number, 1)).length > 0) return false;
      for (const { eraseContact } of erasers) await eraseContact?.(tx, organisationId, number, clock.now());
      await erasedContacts.forget(tx, organisationId, number);
      await audit.record(tx, { organisationId, actor, action: "contact.erased", detail: { calls, ...leftIn(db) } });
      return true;
    });

  const repeat = () => repeatErasures({ db, clock, erasers, fileRemovals, eraseWithin });

  return {
    /** For other erasures. */
    wipe,

    /** After a restore. The next start does it, too. */
    repeat,

    /** Only completed calls can be deleted; with `any`, every finished one. All other ids return the same error. */
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
        await keeping.assertErasable(tx, keepable(present), present.finished_at);
        const toRemove = await eraseWithin(tx, present, actor);
        await alongside(tx);
        return toRemove;
      });
      await fileRemovals.remove(files);
      // Work on the erased call, such as its analysis, stops.
      wake();
      await wipe();
    },

    /**
     * Erases one person: their finished calls and their data in every folder. The do-not-disturb entry stays, because
     * it is the person's wish.
     */
    async eraseContact(organisationId: string, number: string, actor: Actor): Promise<number> {
      await assertNoCallToCome(db.reader, organisationId, number);
      const theirs = (limit: number) => callsOfContact(db.reader, organisationId, number, limit);
      const unlessHeld = async (tx: Tx, calls: Call[]) => {
        await assertPersonErasable(keeping, tx, organisationId, number);
        return calls;
      };
      let erased = 0;
      do erased += await eraseAll(theirs, unlessHeld, actor);
      while (!(await eraseRest(organisationId, number, actor, erased)));
      wake();
      await wipe();
      return erased;
    },

    /**
     * After a start: repeats a wipe that a crash interrupted. If the affected pages are unknown, it scans the whole
     * file in the background; later erasures do not wait for it.
     */
    async resume(): Promise<void> {
      await repeat();
      await fileRemovals.resume();
      await wipe();
      await erasedContacts.sweep().catch((error: unknown) => {
        // The database was closed or is unreachable; the next start or retention run repeats it.
        deps.logger.debug("audit entries of erased people not replaced yet", { error: messageOf(error) });
      });
    },

    /**
     * Erases calls that finished more than `days` before `now`, and the people in appointments and campaign lists of
     * that age, except records under a hold. `now` must come from a trusted clock. Do-not-disturb entries stay: they
     * are wishes and have no date.
     */
    async enforceRetention(days: number, actor: Actor, now: number): Promise<Retired> {
      const until = now - keeping.daysOf(days) * DAY_MS;
      // Files left by a command that ended before removing them.
      await fileRemovals.resume();
      const old = (limit: number, after: Call | null) => callsFinishedBefore(db.reader, until, limit, after);
      const erased = await eraseAll(old, (tx, calls) => keeping.erasable(tx, calls, keepable), actor);
      const forgotten = await appointments.forgetUntil(until, actor);
      // `now` may be later than the trusted time in the database, which the last run stored.
      await forgetOrphanedNotes(keeping.leastDays === 0 ? Number.MAX_SAFE_INTEGER : now - keeping.leastDays * DAY_MS);
      await db.write((tx) => keeping.forgetEnded(tx, until));
      if (erased + forgotten > 0) await erasedContacts.sweep();
      const lists = await campaigns.forgetUntil(until, actor);
      if (erased + forgotten + lists > 0) await forgetKeys(db);
      if (erased + forgotten + lists > 0) await wipe();
      return { calls: erased, appointments: forgotten, campaigns: lists };
    },
  };
}

/** A hold that is added during the erasure stops it at the next transaction. */
async function assertPersonErasable(keeping: Keeping, executor: Executor, organisationId: string, number: string) {
  const recordedAt = keeping.leastDays > 0 ? await newestRecordOf(executor, organisationId, number) : null;
  await keeping.assertPersonErasable(executor, { organisationId, number }, recordedAt);
}

/** Of people without any record: their data in older backups goes, too. */
async function forgetKeys(db: Database): Promise<void> {
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    after = await db.write((tx) => forgetKeysOfUnknown(tx, from));
  }
}

export type Erasure = ReturnType<typeof createErasure>;

export const keepable = ({ id, organisation_id, contact_number }: Call): Keepable => ({
  organisationId: organisation_id,
  callId: id,
  number: contact_number,
});

async function assertNoCallToCome(executor: Executor, organisationId: string, number: string): Promise<void> {
  if (!(await hasUnfinishedCall(executor, organisationId, number))) return;
  throw new AppError("CONFLICT", "This person is about to be called, or is on a call. Cancel the call first.");
}
