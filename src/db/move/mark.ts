// Mark of an unfinished move: no server may use the database, and only a move may continue with it.
import { forgetHeartbeats, heartbeats, recordHeartbeat } from "../heartbeat-store.ts";
import { DatabaseError } from "../open-fault.ts";
import type { Executor, Tx } from "../tables.ts";

export const MOVE_MARK = "move under way";

export const isHalfMoved = async (executor: Executor): Promise<boolean> =>
  (await heartbeats(executor)).some(({ name }) => name === MOVE_MARK);

export const markHalfMoved = (tx: Tx, at: number): Promise<void> => recordHeartbeat(tx, MOVE_MARK, at);
export const markWhole = (tx: Tx): Promise<void> => forgetHeartbeats(tx, [MOVE_MARK]);

export async function refuseHalfMoved(executor: Executor): Promise<void> {
  if (await isHalfMoved(executor))
    throw new DatabaseError(
      'A move into this database was not finished. Run "ringward move" again, from where it came.',
    );
}
