// The carrier's side of each call under way, by which it can be ended after a crash of ours. Gone with the call's end.
import { preparedWrite } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

const upsertLeg = preparedWrite<Row<"call_legs">>()((db, p) =>
  db
    .insertInto("call_legs")
    .values({ call_id: p.call_id, leg: p.leg, kept_at: p.kept_at })
    .onConflict((conflict) =>
      conflict.column("call_id").doUpdateSet((eb) => ({
        leg: eb.ref("excluded.leg"),
        kept_at: eb.ref("excluded.kept_at"),
      })),
    ),
);

export async function keepLeg(tx: Tx, row: Row<"call_legs">): Promise<void> {
  await upsertLeg(tx, row);
}

const deleteLegQuery = preparedWrite<{ callId: string }>()((db, { callId }) =>
  db.deleteFrom("call_legs").where("call_id", "=", callId),
);

export async function deleteLeg(tx: Tx, callId: string): Promise<void> {
  await deleteLegQuery(tx, { callId });
}

/** Kept at or after `since`; older ones are over by themselves, or belong to a backup that was put back. */
export async function legsKeptSince(executor: Executor, since: number): Promise<string[]> {
  const rows = await executor.selectFrom("call_legs").select("leg").where("kept_at", ">=", since).execute();
  return rows.map(({ leg }) => leg);
}
