// What is known of the clock across restarts, in rows of heartbeats: when it was last believed, and since when it is doubted.
import { forgetHeartbeats, heartbeats, recordHeartbeat } from "../db/heartbeat-store.ts";
import type { Executor, Tx } from "../db/tables.ts";

/** The time at which the wall clock was last believed. It stands still while the clock is doubted. */
const BELIEVED = "clock";
const DOUBTED = "clock doubted";
/** Before DOUBTED by as long as the doubted clock has been steady, times when nothing ran left out. */
const DOUBTED_SINCE = "clock doubted since";

export interface StoredClock {
  believedAt: number | null;
  /** Not written down as believed yet: a database from before these rows, or an empty one. */
  isGuessed: boolean;
  /** The clock as it was last seen while it was doubted. */
  doubt: { at: number; steadyMs: number } | null;
}

export async function storedClock(executor: Executor): Promise<StoredClock> {
  const rows = await heartbeats(executor);
  const atOf = (name: string) => rows.find((row) => row.name === name)?.at ?? null;
  const at = atOf(DOUBTED);
  const since = atOf(DOUBTED_SINCE);
  const believedAt = atOf(BELIEVED);
  return {
    // A database from before these rows knows at least when it was last written.
    believedAt: believedAt ?? latestOf(rows.map((row) => row.at)),
    isGuessed: believedAt === null,
    doubt: at === null || since === null ? null : { at, steadyMs: Math.max(0, at - since) },
  };
}

function latestOf(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}

export async function saveBelieved(tx: Tx, at: number): Promise<void> {
  await recordHeartbeat(tx, BELIEVED, at);
  await forgetHeartbeats(tx, [DOUBTED, DOUBTED_SINCE]);
}

/** What this run begins with. Other signs of life are written by the clock that it doubts, so the next run must not ask them. */
export async function saveAnchor(tx: Tx, at: number): Promise<void> {
  await recordHeartbeat(tx, BELIEVED, at);
}

export async function saveDoubted(tx: Tx, at: number, steadyMs: number): Promise<void> {
  await recordHeartbeat(tx, DOUBTED, at);
  await recordHeartbeat(tx, DOUBTED_SINCE, at - Math.round(steadyMs));
}
