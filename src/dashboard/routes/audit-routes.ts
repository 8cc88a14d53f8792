// Audit trail for owners: filtered by action and paginated, or complete as CSV.
import { Type, type Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AuditBatches } from "../../accounts/audit-batches.ts";
import { listAuditPage } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import { invalidField } from "../../core/errors.ts";
import { decodeCursor, encodeCursor } from "../../core/pages.ts";
import type { Database } from "../../db/database.ts";
import { csvLine, csvResponse } from "../../http/csv.ts";
import type { SessionGuard } from "../session-guard.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const WantedFields = { action: text(60), actor_id: text(64), from: text(30), to: text(30) };
const Wanted = Type.Object(WantedFields);
type Wanted = Static<typeof Wanted>;

const PER_PAGE = 50;
const PER_EXPORTED_PAGE = 1_000;

export interface AuditRouteDeps {
  guard: SessionGuard;
  db: Database;
  readNotes: ReadNotes;
  auditBatches: Pick<AuditBatches, "inPlace">;
}

export function auditRoutes({ guard, db, readNotes, auditBatches }: AuditRouteDeps) {
  async function* exported(organisationId: string, wanted: Wanted): AsyncGenerator<string, void> {
    yield csvLine([
      "at",
      "actor_kind",
      "actor_id",
      "actor_name",
      "action",
      "subject_id",
      "subject_name",
      "detail",
      "request_id",
    ]);
    let before: { createdAt: number; id: string } | undefined;
    for (;;) {
      const page = await listAuditPage(db.heavy, {
        ...filterOf(wanted),
        organisationId,
        before,
        limit: PER_EXPORTED_PAGE,
      });
      yield page
        .map((entry) =>
          csvLine([
            entry.at,
            entry.actor_kind,
            entry.actor_id,
            entry.actor_name,
            entry.action,
            entry.subject_id,
            entry.subject_name,
            JSON.stringify(entry.detail),
            entry.request_id,
          ]),
        )
        .join("");
      const last = page.at(-1);
      if (page.length < PER_EXPORTED_PAGE || !last) return;
      before = { createdAt: Date.parse(last.at), id: last.id };
    }
  }

  return new Elysia({ name: "dashboard-audit" })
    .use(guard)
    .get(
      "/dashboard/api/audit",
      async ({ session, query }) => {
        await auditBatches.inPlace();
        const rows = await listAuditPage(db.heavy, {
          ...filterOf(query),
          organisationId: session.organisationId,
          subjectId: query.subject_id,
          before: query.cursor === undefined ? undefined : decodeCursor(query.cursor, query),
          limit: PER_PAGE + 1,
        });
        const page = rows.slice(0, PER_PAGE);
        const last = page.at(-1);
        const isMore = rows.length > PER_PAGE && last;
        return {
          data: page,
          next_cursor: isMore ? encodeCursor({ createdAt: Date.parse(last.at), id: last.id }, query) : null,
        };
      },
      { role: "owner", query: Type.Object({ ...WantedFields, subject_id: text(64), cursor: text(200) }) },
    )
    .get(
      "/dashboard/api/audit/export",
      async ({ session: { organisationId }, actor, query }) => {
        const detail = Object.keys(query).length > 0 ? { filtered: true } : {};
        await readNotes.note({ organisationId, actor, action: "audit.exported", detail });
        await auditBatches.inPlace();
        return csvResponse("audit.csv", exported(organisationId, query));
      },
      {
        role: "owner",
        query: Wanted,
      },
    );
}

function filterOf({ action, actor_id, from, to }: Wanted) {
  return { action, actorId: actor_id, from: instant("from", from), to: instant("to", to) };
}

function instant(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw invalidField(field, `${field} must be a time such as 2026-01-31T09:00:00Z.`);
  return at;
}
