// Heartbeat table: rows with a name and a time, updated in place. /readyz writes one to verify that a write reaches the
// disk, and the scheduler stores its clock state in them.
import type { Executor, Row, Tx } from "./tables.ts";

export async function heartbeats(executor: Executor): Promise<Row<"heartbeats">[]> {
  return executor.selectFrom("heartbeats").selectAll().execute();
}

export async function recordHeartbeat(tx: Tx, name: string, at: number): Promise<void> {
  await tx
    .insertInto("heartbeats")
    .values({ name, at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ at }))
    .execute();
}

export async function forgetHeartbeats(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.deleteFrom("heartbeats").where("name", "in", names).execute();
}
