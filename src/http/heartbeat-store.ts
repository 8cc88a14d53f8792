// A row that is rewritten to know that a write reaches the disk.
import type { Tx } from "../db/tables.ts";

export async function recordHeartbeat(tx: Tx, name: string, at: number): Promise<void> {
  await tx
    .insertInto("heartbeats")
    .values({ name, at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ at }))
    .execute();
}
