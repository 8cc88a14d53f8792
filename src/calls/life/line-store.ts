// Store of line reports: one row for each call carried by a trunk.
import { prepared, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

const saveLineQuery = preparedWrite<Row<"call_lines">>()((db, p) =>
  db
    .insertInto("call_lines")
    .values({
      call_id: p.call_id,
      trunk_id: p.trunk_id,
      trace: p.trace,
      media: p.media,
      capture_file: p.capture_file,
    })
    .onConflict((conflict) =>
      conflict.column("call_id").doUpdateSet((eb) => ({
        trunk_id: eb.ref("excluded.trunk_id"),
        trace: eb.ref("excluded.trace"),
        media: eb.ref("excluded.media"),
        capture_file: eb.ref("excluded.capture_file"),
      })),
    ),
);

/** Replaces the report of an earlier attempt of the same call. */
export async function saveLine(tx: Tx, row: Row<"call_lines">): Promise<void> {
  await saveLineQuery(tx, row);
}

const selectLine = prepared<{ callId: string }>()((db, { callId }) =>
  db.selectFrom("call_lines").selectAll().where("call_id", "=", callId),
);

export async function lineOf(executor: Executor, callId: string): Promise<Row<"call_lines"> | undefined> {
  const [row] = await selectLine(executor, { callId });
  return row;
}

/** Its file is removed. */
export async function forgetCapture(tx: Tx, callId: string): Promise<void> {
  await tx.updateTable("call_lines").set({ capture_file: null }).where("call_id", "=", callId).execute();
}

/** Null if the trunk was removed. */
export async function trunkName(executor: Executor, trunkId: string): Promise<string | null> {
  const row = await executor.selectFrom("trunks").select("name").where("id", "=", trunkId).executeTakeFirst();
  return row?.name ?? null;
}

/** Trunk of the call's own number; null if it has none. */
export async function trunkIdOfNumber(executor: Executor, phoneNumberId: string): Promise<string | null> {
  const row = await executor
    .selectFrom("phone_numbers")
    .select("trunk_id")
    .where("id", "=", phoneNumberId)
    .executeTakeFirst();
  return row?.trunk_id ?? null;
}
