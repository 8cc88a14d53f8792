// What is known of the clock across restarts, in rows of heartbeats: when it was last believed, and since when it is
// doubted.
import { STEP_TOLERANCE_MS } from "../core/trusted-time.ts";
import type { Uptime } from "../core/uptime.ts";
import { forgetHeartbeats, heartbeats, recordHeartbeat } from "../db/heartbeat-store.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";

/** When old data was last allowed to be erased by the wall clock. It stands still while the clock is doubted. */
const BELIEVED = "clock";
/** When calls were last allowed to go out by the wall clock, and the machine's uptime at that moment. */
const KEPT = "clock kept";
const KEPT_BOOT = "clock kept boot";
const KEPT_UPTIME = "clock kept uptime";
const DOUBTED = "clock doubted";
/** Before DOUBTED by as long as the doubted clock has been steady, times when nothing ran left out. */
const DOUBTED_SINCE = "clock doubted since";
/** When the present doubt began, by the time that the appliance has gone by since. */
const CONTINUED = "clock continued";
/** The time that is believed went back: what was planned before lies too far ahead. */
const SET_BACK = "clock set back";
/** By how much the time that is believed went forward: what was dated during the doubt lies too far behind. */
const SET_FORWARD = "clock set forward";

export interface StoredClock {
  believedAt: number | null;
  /** Later than `believedAt` in the first minutes after a start, and during the first day after a long one. */
  kept: { at: number; uptime: Uptime | null } | null;
  /** The last sign of life in a database from before these rows; null in an empty one. */
  lastSignAt: number | null;
  /** The clock as it was last seen while it was doubted. */
  doubt: { at: number; steadyMs: number } | null;
  /** Null outside a doubt. */
  continuedSince: number | null;
  isSetBack: boolean;
  setForwardMs: number | null;
}

/** The time that is believed went forward at once, at the end of a doubt. */
export interface SetForward {
  /** The doubt: what was dated in it was dated by the time that had passed. Null where its beginning is not known. */
  since: number | null;
  /** The time that is believed since. */
  to: number;
  byMs: number;
}

export async function storedClock(executor: Executor): Promise<StoredClock> {
  const rows = await heartbeats(executor);
  const atOf = (name: string) => rows.find((row) => row.name === name)?.at ?? null;
  const at = atOf(DOUBTED);
  const since = atOf(DOUBTED_SINCE);
  return {
    believedAt: atOf(BELIEVED),
    kept: keptOf(atOf(KEPT), atOf(KEPT_BOOT), atOf(KEPT_UPTIME)),
    lastSignAt: lastSignOf(rows),
    doubt: at === null || since === null ? null : { at, steadyMs: Math.max(0, at - since) },
    continuedSince: atOf(CONTINUED),
    isSetBack: atOf(SET_BACK) !== null,
    setForwardMs: atOf(SET_FORWARD),
  };
}

function keptOf(at: number | null, bootId: number | null, ms: number | null): StoredClock["kept"] {
  if (at === null) return null;
  return { at, uptime: bootId === null || ms === null ? null : { bootId, ms } };
}

function lastSignOf(rows: readonly Row<"heartbeats">[]): number | null {
  return rows.length === 0 ? null : Math.max(...rows.map(({ at }) => at));
}

/** The time that has passed since then; null where the machine was restarted meanwhile. */
export function sinceKept({ uptime }: { uptime: Uptime | null }, now: Uptime | null): number | null {
  return uptime !== null && uptime.bootId === now?.bootId ? Math.max(0, now.ms - uptime.ms) : null;
}

/** Calls may go out by this clock. Nothing else changes: what is erased by age may still have to wait. */
export async function saveKept(tx: Tx, at: number, uptime: Uptime | null): Promise<void> {
  await recordHeartbeat(tx, KEPT, at);
  await forgetHeartbeats(tx, [KEPT_BOOT, KEPT_UPTIME]);
  if (uptime === null) return;
  await recordHeartbeat(tx, KEPT_BOOT, uptime.bootId);
  await recordHeartbeat(tx, KEPT_UPTIME, uptime.ms);
}

export async function saveBelieved(tx: Tx, at: number, uptime: Uptime | null): Promise<void> {
  await saveKept(tx, at, uptime);
  await recordHeartbeat(tx, BELIEVED, at);
  await forgetHeartbeats(tx, [DOUBTED, DOUBTED_SINCE]);
}

export async function saveDoubted(tx: Tx, at: number, steadyMs: number): Promise<void> {
  await recordHeartbeat(tx, DOUBTED, at);
  await recordHeartbeat(tx, DOUBTED_SINCE, at - Math.round(steadyMs));
}

/** A person says that the clock is right. Plans made meanwhile may lie too far ahead or behind by it. */
export async function confirmBelieved(tx: Tx, at: number, uptime: Uptime | null): Promise<void> {
  const { kept } = await storedClock(tx);
  const passedMs = kept && sinceKept(kept, uptime);
  const aheadMs = kept === null ? 0 : at - kept.at - (passedMs ?? 0);
  if (aheadMs < -STEP_TOLERANCE_MS) await recordHeartbeat(tx, SET_BACK, at);
  if (aheadMs > STEP_TOLERANCE_MS && passedMs !== null) await recordHeartbeat(tx, SET_FORWARD, Math.round(aheadMs));
  await saveBelieved(tx, at, uptime);
}

export const saveContinued = (tx: Tx, since: number): Promise<void> =>
  recordHeartbeat(tx, CONTINUED, Math.round(since));

export const forgetContinued = (tx: Tx): Promise<void> => forgetHeartbeats(tx, [CONTINUED, SET_FORWARD]);

export const forgetSetBack = (tx: Tx): Promise<void> => forgetHeartbeats(tx, [SET_BACK]);
