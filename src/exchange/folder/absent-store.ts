// Upcoming appointments of a source within the dates of a complete list.
import { slicesAlong } from "../../db/index-slices.ts";
import type { Executor } from "../../db/tables.ts";

export interface Span {
  from: string;
  to: string;
}

const ROWS_PER_SLICE = 500;

/** Confirmed appointments that live in the source, in slices. */
export function knownWithin(executor: Executor, sourceId: string, { from, to }: Span) {
  const query = executor
    .selectFrom("appointments")
    .select(["date", "id", "external_id"])
    .where("source_id", "=", sourceId)
    .where("window_id", "is", null)
    .where("status", "=", "confirmed")
    .where("date", ">=", from)
    .where("date", "<=", to);
  return slicesAlong(query, ["date", "id"], ROWS_PER_SLICE);
}
