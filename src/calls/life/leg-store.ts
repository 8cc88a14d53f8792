// Store of carrier legs of live calls, so they can be hung up after a crash. A row is deleted with the end of its call.
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

/** Legs stored at or after `since`. Older ones have ended by themselves, or come from a restored backup. */
export async function legsKeptSince(executor: Executor, since: number): Promise<string[]> {
  const rows = await executor.selectFrom("call_legs").select("leg").where("kept_at", ">=", since).execute();
  return rows.map(({ leg }) => leg);
}
