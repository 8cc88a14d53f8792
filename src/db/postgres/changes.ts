// The log of changes on PostgreSQL. Transactions commit in another order than their numbers, so it is not read by the
// number of a change: a position is a transaction, all before which have ended. What is told of a transaction is told
// again, rather than missed.
import { sql } from "kysely";
import type { Executor, Row } from "../tables.ts";

/** Everything of an earlier transaction is committed, or never will be. */
const HORIZON = sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** As `sequence` a row has its transaction. */
const ROW = sql`xid AS sequence, organisation_id, kind, subject_id`;

export async function changesSince(reader: Executor, after: number, limit: number) {
  const { before, horizon, isHeldBack } = await ends(reader);
  const { rows } = await sql<Row<"changes">>`SELECT ${ROW} FROM changes WHERE xid >= ${after} AND xid < ${horizon}
    ORDER BY xid, changes.sequence LIMIT ${sql.lit(limit)}`.execute(reader);
  const lostSome = after < before;
  if (rows.length < limit) return { changes: rows, upTo: horizon, lostSome, isHeldBack };
  // The page may end in the middle of a transaction, which the next one begins with.
  const last = rows.at(-1)?.sequence ?? horizon;
  const whole = rows.filter(({ sequence }) => sequence < last);
  // Of one that changed more than a page holds nothing is told but that much has changed.
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

/**
 * Before `before` something may have been pruned; before `horizon` everything can be told, and what is held back is
 * after it.
 */
export async function ends(reader: Executor): Promise<Ends> {
  const { rows } =
    await sql<Ends>`SELECT before, horizon, EXISTS (SELECT 1 FROM changes WHERE xid >= horizon) AS "isHeldBack"
    FROM changes_pruned, (SELECT ${HORIZON} AS horizon) now`.execute(reader);
  return rows[0] ?? { before: 0, horizon: 0, isHeldBack: false };
}
