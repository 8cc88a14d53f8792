// Table of audit batches: notes that share a row until they are moved to the entries. See audit-batches.ts.
import { prepared } from "../db/prepared.ts";
import type { Executor, Row } from "../db/tables.ts";

export const insertBatch = prepared<Row<"audit_batches">>()((db, { id, entries, notes }) =>
  db.insertInto("audit_batches").values({ id, entries, notes }),
);

const selectNewest = prepared<object>()((db) =>
  db.selectFrom("audit_batches").select("id").orderBy("id", "desc").limit(1),
);

/** Null if there is none. */
export async function newestBatch(executor: Executor): Promise<string | null> {
  const [newest] = await selectNewest(executor, {});
  return newest?.id ?? null;
}

const sumOfEntries = prepared<object>()((db) =>
  db.selectFrom("audit_batches").select((eb) => eb.fn.sum<number | string | null>("entries").as("entries")),
);

export async function waitingEntries(executor: Executor): Promise<number> {
  const [sum] = await sumOfEntries(executor, {});
  return Number(sum?.entries ?? 0);
}

/** Oldest first, up to and including `last`. */
export const oldestBatches = prepared<{ last: string; limit: number }>()((db, { last, limit }) =>
  db.selectFrom("audit_batches").selectAll().where("id", "<=", last).orderBy("id").limit(limit),
);

export const deleteBatch = prepared<{ id: string }>()((db, { id }) =>
  db.deleteFrom("audit_batches").where("id", "=", id),
);
