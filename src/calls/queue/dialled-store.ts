// Store of dialled calls that count against the limits per number. It is independent of the calls, so erasing a call
// does not allow another one, and holds numbers as keyed hashes alone.
import { DAY_MS } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import { preparedList } from "../../db/prepared-list.ts";
import { preparedBatch, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

/** The week of a limit spans seven local days, wherever the callee is. */
const KEPT_MS = 8 * DAY_MS;

export type DialledNumber = Row<"dialled_numbers">;

const selectAmong = preparedList<{ organisationId: string; since: number }>()((db, hashes, p) =>
  db
    .selectFrom("dialled_numbers")
    .select(["number_hash", "at"])
    .where("organisation_id", "=", p.organisationId)
    .where("number_hash", "in", hashes)
    .where("at", ">", p.since),
);

/** When each of these numbers was dialled in the last eight days, by hash. */
export async function dialledAmong(
  executor: Executor,
  organisationId: string,
  hashes: readonly string[],
  now: number,
): Promise<Map<string, number[]>> {
  const rows = await selectAmong(executor, hashes, { organisationId, since: now - KEPT_MS });
  return Map.groupBy(rows, ({ number_hash }) => number_hash)
    .entries()
    .reduce(
      (found, [hash, dials]) =>
        found.set(
          hash,
          dials.map(({ at }) => at),
        ),
      new Map<string, number[]>(),
    );
}

/** Dials of one transaction, stored together before it commits; until then KnownCallees counts them. */
export interface DialBatch {
  readonly tx: Tx;
  readonly rows: DialledNumber[];
}

export const noteDialled = preparedBatch<DialledNumber>()((db, rows) =>
  db
    .insertInto("dialled_numbers")
    .values(rows.map(({ organisation_id, number_hash, at }) => ({ organisation_id, number_hash, at })))
    .onConflict((conflict) => conflict.columns(["organisation_id", "number_hash", "at"]).doNothing()),
);

const deleteDialled = preparedWrite<DialledNumber>()((db, p) =>
  db
    .deleteFrom("dialled_numbers")
    .where("organisation_id", "=", p.organisation_id)
    .where("number_hash", "=", p.number_hash)
    .where("at", "=", p.at),
);

/** The call did not ring. */
export async function forgetDialled(tx: Tx, row: DialledNumber): Promise<void> {
  await deleteDialled(tx, row);
}

/** Deletes what no limit counts any more. Reads first, because most rounds find nothing. */
export async function pruneDialled(db: Pick<Database, "reader" | "write">, now: number): Promise<void> {
  const until = now - KEPT_MS;
  const old = await db.reader.selectFrom("dialled_numbers").select("at").where("at", "<=", until).limit(1).execute();
  if (old.length > 0) await db.write((tx) => tx.deleteFrom("dialled_numbers").where("at", "<=", until).execute());
}
