// Audit trail for owners: filtered by action and paginated, or complete as CSV.
import { Type, type Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AuditBatches } from "../../accounts/audit-batches.ts";
import { listAuditPage } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import type { AuditedSubjects } from "../../rights/audited-subjects.ts";
import type { NamedSubjects } from "../../rights/named-subjects.ts";
import { invalidField } from "../../core/errors.ts";
import { decodeCursor, encodeCursor } from "../../core/pages.ts";
import type { Database } from "../../db/database.ts";
import { ACTOR_KINDS } from "../../core/actor.ts";
import { csvLine } from "../../core/csv-line.ts";
import { oneOf } from "../../core/schema.ts";
import { csvResponse } from "../../http/csv.ts";
import type { SessionGuard } from "../session-guard.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const WantedFields = {
  action: text(60),
  actor_id: text(64),
  actor_kind: Type.Optional(oneOf(ACTOR_KINDS)),
  subject_id: text(64),
  contact_id: text(64),
  from: text(30),
  to: text(30),
};
const Wanted = Type.Object(WantedFields);
type Wanted = Static<typeof Wanted>;

const UNNAMED = { name: null, isPatient: false, contact_id: null };
const PER_PAGE = 50;
const PER_EXPORTED_PAGE = 1_000;

export interface AuditRouteDeps {
  guard: SessionGuard;
  db: Database;
  readNotes: ReadNotes;
  auditBatches: Pick<AuditBatches, "inPlace">;
  auditedSubjects: AuditedSubjects;
  namedSubjects: NamedSubjects;
}

export function auditRoutes({ guard, db, readNotes, auditBatches, auditedSubjects, namedSubjects }: AuditRouteDeps) {
  const filterOf = async (organisationId: string, wanted: Wanted) => ({
    organisationId,
    ...plainFilter(wanted),
    subjectIds: wanted.contact_id === undefined ? undefined : await auditedSubjects(organisationId, wanted.contact_id),
  });
  type Filter = Awaited<ReturnType<typeof filterOf>>;

  async function* exported(filter: Filter): AsyncGenerator<string, void> {
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
        ...filter,
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
      async ({ session, actor, query }) => {
        await auditBatches.inPlace();
        const rows = await listAuditPage(db.heavy, {
          ...(await filterOf(session.organisationId, query)),
          before: query.cursor === undefined ? undefined : decodeCursor(query.cursor, query),
          limit: PER_PAGE + 1,
        });
        const page = rows.slice(0, PER_PAGE);
        const last = page.at(-1);
        const isMore = rows.length > PER_PAGE && last;
        const ids = page.flatMap(({ subject_id }) => subject_id ?? []);
        const named = await namedSubjects(session.organisationId, ids);
        // Auditors see who did what, and no patient's name.
        const mayName = session.role === "owner";
        const data = page.map((entry) => {
          const { name, isPatient, contact_id } = named.get(entry.subject_id ?? "") ?? UNNAMED;
          const subject_name = entry.subject_name ?? (mayName || !isPatient ? name : null);
          return { ...entry, subject_name, is_patient: isPatient, contact_id };
        });
        const shown = data.filter(({ is_patient, subject_name }) => is_patient && subject_name !== null).length;
        if (shown > 0) {
          const { organisationId } = session;
          await readNotes.note({ organisationId, actor, action: "audit.listed", detail: { count: shown } });
        }
        return {
          data,
          next_cursor: isMore ? encodeCursor({ createdAt: Date.parse(last.at), id: last.id }, query) : null,
        };
      },
      { role: "owner", query: Type.Object({ ...WantedFields, cursor: text(200) }) },
    )
    .get(
      "/dashboard/api/audit/export",
      async ({ session: { organisationId }, actor, query }) => {
        const filter = await filterOf(organisationId, query);
        const detail = Object.keys(query).length > 0 ? { filtered: true } : {};
        await readNotes.note({ organisationId, actor, action: "audit.exported", detail });
        await auditBatches.inPlace();
        return csvResponse("audit.csv", exported(filter));
      },
      {
        role: "owner",
        query: Wanted,
      },
    );
}

function plainFilter({ action, actor_id, actor_kind, subject_id, from, to }: Wanted) {
  return {
    action,
    actorId: actor_id,
    actorKind: actor_kind,
    subjectId: subject_id,
    from: instant("from", from),
    to: instant("to", to),
  };
}

function instant(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw invalidField(field, `${field} must be a time such as 2026-01-31T09:00:00Z.`);
  return at;
}
