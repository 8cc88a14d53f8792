// Store of the facts on which calls were dialled, refused or received; part of their proofs.
import { prepared, preparedBatch, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";
import type { DialBasis, Purpose } from "../../payloads/lawful.ts";

export type StoredBasis = Row<"dial_bases">;

export const storedBasis = (callId: string, basis: DialBasis): StoredBasis => ({
  call_id: callId,
  basis: JSON.stringify(basis),
});

/** Replaces those of earlier dials. */
export const keepBases = preparedBatch<StoredBasis>()((db, rows) =>
  db
    .insertInto("dial_bases")
    .values(rows.map(({ call_id, basis }) => ({ call_id, basis })))
    .onConflict((conflict) => conflict.column("call_id").doUpdateSet((eb) => ({ basis: eb.ref("excluded.basis") }))),
);

const deleteBasis = preparedWrite<{ callId: string }>()((db, { callId }) =>
  db.deleteFrom("dial_bases").where("call_id", "=", callId),
);

/** The call went back to the queue. */
export async function forgetBasis(tx: Tx, callId: string): Promise<void> {
  await deleteBasis(tx, { callId });
}

const selectBasis = prepared<{ callId: string }>()((db, { callId }) =>
  db.selectFrom("dial_bases").select("basis").where("call_id", "=", callId),
);

/** Null for a call that was never dialled. */
export async function basisOf(executor: Executor, callId: string): Promise<DialBasis | null> {
  const [row] = await selectBasis(executor, { callId });
  return row ? basisIn(row.basis) : null;
}

/** The purposes for which these calls were dialled, refused or received, by call. */
export async function purposesOf(executor: Executor, callIds: readonly string[]): Promise<Map<string, Purpose>> {
  if (callIds.length === 0) return new Map();
  const rows = await executor.selectFrom("dial_bases").selectAll().where("call_id", "in", callIds).execute();
  return new Map(rows.map(({ call_id, basis }) => [call_id, basisIn(basis).purpose]));
}

const basisIn = (stored: string): DialBasis => JSON.parse(stored) as DialBasis;
