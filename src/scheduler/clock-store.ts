// What is known of the clock across restarts, in rows of heartbeats: when it was last believed, and since when it is doubted.
import { STEP_TOLERANCE_MS } from "../core/trusted-time.ts";
import type { Uptime } from "../core/uptime.ts";
import { forgetHeartbeats, heartbeats, recordHeartbeat } from "../db/heartbeat-store.ts";
import type { Executor, HeartbeatRow, Tx } from "../db/tables.ts";

/** When old data was last allowed to be erased by the wall clock. It stands still while the clock is doubted. */
const BELIEVED = "clock";
/** When calls were last allowed to go out by the wall clock, and the machine's uptime at that moment. */
const KEPT = "clock kept";
const KEPT_BOOT = "clock kept boot";
const KEPT_UPTIME = "clock kept uptime";
const DOUBTED = "clock doubted";
/** Before DOUBTED by as long as the doubted clock has been steady, times when nothing ran left out. */
const DOUBTED_SINCE = "clock doubted since";
/** The time that is believed went back: what was planned before lies too far ahead. */
const SET_BACK = "clock set back";

export interface StoredClock {
  believedAt: number | null;
  /** Later than `believedAt` in the first minutes after a start, and during the first day after a long one. */
  kept: { at: number; uptime: Uptime | null } | null;
  /** The last sign of life in a database from before these rows; null in an empty one. */
  lastSignAt: number | null;
  /** The clock as it was last seen while it was doubted. */
  doubt: { at: number; steadyMs: number } | null;
  isSetBack: boolean;
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
    isSetBack: atOf(SET_BACK) !== null,
  };
}

function keptOf(at: number | null, bootId: number | null, ms: number | null): StoredClock["kept"] {
  if (at === null) return null;
  return { at, uptime: bootId === null || ms === null ? null : { bootId, ms } };
}

function lastSignOf(rows: readonly HeartbeatRow[]): number | null {
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

/** A person says that the clock is right. Where it shows less than the appliance had believed, plans made meanwhile lie too far ahead. */
export async function confirmBelieved(tx: Tx, at: number, uptime: Uptime | null): Promise<void> {
  const { kept } = await storedClock(tx);
  if (kept !== null && at < kept.at + (sinceKept(kept, uptime) ?? 0) - STEP_TOLERANCE_MS) {
    await recordHeartbeat(tx, SET_BACK, at);
  }
  await saveBelieved(tx, at, uptime);
}

export const forgetSetBack = (tx: Tx): Promise<void> => forgetHeartbeats(tx, [SET_BACK]);
