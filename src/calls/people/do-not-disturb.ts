// Do-not-disturb list of an organisation.
import { SYSTEM_ACTOR, type Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import { toIso, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { assertDiallable } from "../../core/phone.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import {
  addDoNotDisturb,
  countDoNotDisturb,
  isDoNotDisturb,
  listDoNotDisturb,
  pageOfDoNotDisturb,
  removeDoNotDisturb,
  type ListQuestion,
} from "./do-not-disturb-store.ts";

export function createDoNotDisturbService(deps: { db: Database; clock: Clock; audit: Audit; readNotes: ReadNotes }) {
  const { db, clock, audit, readNotes } = deps;

  async function pageOf(question: ListQuestion) {
    const rows = await pageOfDoNotDisturb(db.heavy, question);
    return rows.map(({ number, created_at }) => ({ number, added_at: toIso(created_at) }));
  }

  return {
    async add(organisationId: string, number: string, actor: Actor): Promise<void> {
      assertDiallable(number, "number");
      await db.write(async (tx) => {
        await addDoNotDisturb(tx, organisationId, number, clock.now());
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.added" });
      });
    },
    /** Adds a number at the callee's request in a call. Idempotent. */
    async addWithin(tx: Tx, organisationId: string, number: string, callId: string): Promise<void> {
      if (!(await addDoNotDisturb(tx, organisationId, number, clock.now()))) return;
      const action = "do_not_disturb.added" as const;
      await audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action, detail: { call_id: callId } });
    },
    /** Adds many numbers with one audit entry. Returns how many were new. */
    async addMany(organisationId: string, numbers: readonly string[], actor: Actor): Promise<number> {
      for (const number of numbers) assertDiallable(number, "number");
      return db.write(async (tx) => {
        let added = 0;
        for (const number of numbers) if (await addDoNotDisturb(tx, organisationId, number, clock.now())) added++;
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.imported", detail: { added } });
        return added;
      });
    },
    async remove(organisationId: string, number: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        const removed = await removeDoNotDisturb(tx, organisationId, number);
        if (!removed) throw new AppError("NOT_FOUND", "The number is not on the list.");
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.removed" });
      });
    },
    /** For a page that already shows the number. */
    has: (organisationId: string, number: string) => isDoNotDisturb(db.reader, organisationId, number),
    async page(question: ListQuestion, actor: Actor) {
      const page = await pageOf(question);
      const { organisationId } = question;
      await readNotes.note({ organisationId, actor, action: "do_not_disturb.read", detail: { count: page.length } });
      return page;
    },
    /** The whole list in pages, with one audit entry, recorded before the first page is returned. */
    async *pages(organisationId: string, perPage: number, actor: Actor) {
      await readNotes.note({ organisationId, actor, action: "do_not_disturb.exported" });
      let after: string | undefined;
      for (;;) {
        const page = await pageOf({ organisationId, after, limit: perPage });
        yield page;
        if (page.length < perPage) return;
        after = page.at(-1)?.number;
      }
    },
    count: (organisationId: string) => countDoNotDisturb(db.heavy, organisationId),
    async list(organisationId: string, actor: Actor) {
      const numbers = await listDoNotDisturb(db.reader, organisationId);
      await readNotes.note({ organisationId, actor, action: "do_not_disturb.read", detail: { count: numbers.length } });
      return numbers;
    },
  };
}

export type DoNotDisturbService = ReturnType<typeof createDoNotDisturbService>;
