// The audit trail in pages, for the API. Reading it is audited.
import type { Actor } from "../core/actor.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import type { Database } from "../db/database.ts";
import type { AuditBatches } from "./audit-batches.ts";
import type { ListAuditInput } from "./audit-model.ts";
import { listAuditPage } from "./audit.ts";
import type { ReadNotes } from "./read-notes.ts";

export function createAuditTrail(deps: {
  db: Database;
  readNotes: ReadNotes;
  auditBatches: Pick<AuditBatches, "inPlace">;
  /** The records of a patient. */
  auditedSubjects: (organisationId: string, contactId: string) => Promise<string[]>;
}) {
  const { db, readNotes, auditBatches, auditedSubjects } = deps;
  return {
    /** Newest first. */
    async page(organisationId: string, query: ListAuditInput, actor: Actor) {
      const limit = pageSize(query.limit);
      const filter = {
        organisationId,
        action: query.action,
        actorId: query.actor_id,
        subjectId: query.subject_id,
        subjectIds:
          query.contact_id === undefined ? undefined : await auditedSubjects(organisationId, query.contact_id),
        from: query.from === undefined ? undefined : parseIsoTime("from", query.from),
        to: query.to === undefined ? undefined : parseIsoTime("to", query.to),
        before: query.cursor === undefined ? undefined : decodeCursor(query.cursor, query),
        limit: limit + 1,
      };
      await auditBatches.inPlace();
      const rows = await listAuditPage(db.heavy, filter);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const end = rows.length > limit && last && { createdAt: Date.parse(last.at), id: last.id };
      await readNotes.note({ organisationId, actor, action: "audit.listed", detail: { count: page.length } });
      return { data: page, next_cursor: end ? encodeCursor(end, query) : null };
    },
  };
}

export type AuditTrail = ReturnType<typeof createAuditTrail>;
