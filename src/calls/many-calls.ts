// Bulk operations on matching calls: list, export, cancel.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { Clock } from "../core/clock.ts";
import type { Reach } from "../core/reach.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { BulkReport, type BulkResult } from "./bulk-report.ts";
import type { FinalCalls } from "./call/final-calls.ts";
import { cancelCall, filterOf, type CallQuestion } from "./service.ts";
import { callsAmong, isCallWithin } from "./call/named-calls.ts";
import { callOf, listCallIds, listCalls, type CallOfAgent } from "./call/store.ts";
import { purposesOf } from "./queue/dial-basis-store.ts";

export interface ManyCallsDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  readNotes: ReadNotes;
  finalCalls: Pick<FinalCalls, "tell">;
}

interface PagesOptions {
  perPage: number;
  /** Total limit. */
  most: number;
}

export function createManyCalls({ db, clock, audit, readNotes, finalCalls }: ManyCallsDeps) {
  return {
    /** Ids of matching calls, newest first, for bulk actions. Contains no personal data. */
    async matching(organisationId: string, input: CallQuestion, most: number, reach?: Reach) {
      const found = await listCallIds(db.heavy, { ...filterOf(input), organisationId, reach, limit: most + 1 });
      return { call_ids: found.slice(0, most), is_cut: found.length > most };
    },

    /** Matching calls in pages, with one audit entry, recorded before the first page is returned. */
    async *pages(organisationId: string, input: CallQuestion, { perPage, most }: PagesOptions, actor: Actor) {
      await readNotes.note({ organisationId, actor, action: "call.exported", detail: rangeOf(input) });
      const filter = { ...filterOf(input), organisationId, reach: actor.reach };
      for (let sent = 0; sent < most;) {
        const limit = Math.min(perPage, most - sent);
        const page = await listCalls(db.heavy, { ...filter, limit });
        yield await withPurposes(db.heavy, page);
        const last = page.at(-1);
        if (page.length < limit || !last) return;
        filter.before = { createdAt: last.created_at, id: last.id };
        sent += page.length;
      }
    },

    /** The named calls in the given order, without unknown ids. */
    async chosen(organisationId: string, callIds: readonly string[], actor: Actor) {
      await readNotes.note({ organisationId, actor, action: "call.exported", detail: { count: callIds.length } });
      const found = await callsAmong(db.heavy, organisationId, callIds, actor.reach);
      const rows = new Map(found.map((row) => [row.id, row]));
      return withPurposes(
        db.heavy,
        callIds.flatMap((id) => rows.get(id) ?? []),
      );
    },

    /** One write command. Clients with more than a few hundred calls send several requests. */
    async cancel(organisationId: string, callIds: readonly string[], actor: Actor): Promise<BulkResult> {
      return db.write(async (tx) => {
        const report = new BulkReport<"unknown" | "not_waiting">();
        for (const id of callIds) {
          const isHidden = actor.reach !== undefined && !(await isCallWithin(tx, id, actor.reach));
          const call = isHidden ? undefined : await callOf(tx, organisationId, id);
          const cancelled = call ? await cancelCall(tx, call, clock.now()) : null;
          if (cancelled) await finalCalls.tell(tx, cancelled);
          if (cancelled) await audit.record(tx, { organisationId, actor, action: "call.cancelled", subjectId: id });
          report.note(cancelled ? null : call ? "not_waiting" : "unknown");
        }
        return report.result();
      });
    },
  };
}

export type ManyCalls = ReturnType<typeof createManyCalls>;
export type ExportedCall = Awaited<ReturnType<ManyCalls["chosen"]>>[number];

/** Each with the purpose of its dial, or of its agent before that. */
async function withPurposes(executor: Executor, calls: readonly CallOfAgent[]) {
  const purposes = await purposesOf(
    executor,
    calls.map(({ id }) => id),
  );
  return calls.map((call) => ({ ...call, purpose: purposes.get(call.id) ?? call.agent_purpose }));
}

/** The range of an export, for the audit trail. Texts and numbers that were searched for stay out of it. */
function rangeOf(input: CallQuestion): Record<string, string | boolean> {
  const { contact_number, search, cursor: _, limit: __, ...range } = input;
  const isNarrow = contact_number !== undefined || search !== undefined;
  const given = Object.entries(range).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return { ...(Object.fromEntries(given) as Record<string, string>), ...(isNarrow && { searched: true }) };
}
