// Change log on PostgreSQL. Transactions do not commit in the order of their sequence numbers, so a position is a
// transaction id before which all transactions have ended. Changes of a transaction may be reported twice, but are
// never missed.
import { sql } from "kysely";
import type { Executor, Row } from "../tables.ts";

/** All earlier transactions have committed or aborted. */
const HORIZON = sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** `sequence` is the row's transaction id. */
const ROW = sql`xid AS sequence, organisation_id, kind, subject_id`;

export async function changesSince(reader: Executor, after: number, limit: number) {
  const { before, horizon, isHeldBack } = await ends(reader);
  const { rows } = await sql<Row<"changes">>`SELECT ${ROW} FROM changes WHERE xid >= ${after} AND xid < ${horizon}
    ORDER BY xid, changes.sequence LIMIT ${sql.lit(limit)}`.execute(reader);
  const lostSome = after < before;
  if (rows.length < limit) return { changes: rows, upTo: horizon, lostSome, isHeldBack };
  // The page may end within a transaction; the next page starts with that transaction.
  const last = rows.at(-1)?.sequence ?? horizon;
  const whole = rows.filter(({ sequence }) => sequence < last);
  // For a transaction with more changes than a page, only the fact that much has changed is reported.
  return whole.length > 0
    ? { changes: whole, upTo: last, lostSome }
    : { changes: rows, upTo: last + 1, lostSome: true };
}

export interface Span {
  organisationId: string;
  after: number;
  upTo: number;
  limit: number;
}

export async function changesOf(
  reader: Executor,
  { organisationId, after, upTo, limit }: Span,
): Promise<Row<"changes">[]> {
  const { rows } = await sql<Row<"changes">>`SELECT ${ROW} FROM changes
    WHERE organisation_id = ${organisationId} AND xid >= ${after} AND xid < ${upTo}
    ORDER BY xid, changes.sequence LIMIT ${sql.lit(limit)}`.execute(reader);
  return rows;
}

interface Ends {
  before: number;
  horizon: number;
  isHeldBack: boolean;
}

/** Changes before `before` may have been pruned. Changes before `horizon` can be reported; later ones are held back. */
export async function ends(reader: Executor): Promise<Ends> {
  const { rows } =
    await sql<Ends>`SELECT before, horizon, EXISTS (SELECT 1 FROM changes WHERE xid >= horizon) AS "isHeldBack"
    FROM changes_pruned, (SELECT ${HORIZON} AS horizon) now`.execute(reader);
  return rows[0] ?? { before: 0, horizon: 0, isHeldBack: false };
}
