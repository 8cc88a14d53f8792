// Clock state across restarts, stored as heartbeats: when the clock was last trusted, and since when it is not.
import { STEP_TOLERANCE_MS } from "../core/trusted-time.ts";
import type { Uptime } from "../core/uptime.ts";
import { forgetHeartbeats, heartbeats, recordHeartbeat } from "../db/heartbeat-store.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";

/** When erasing old data by the wall clock was last allowed. It does not advance while the clock is not trusted. */
const BELIEVED = "clock";
/** When calls were last allowed by the wall clock, and the machine's uptime at that moment. */
const KEPT = "clock kept";
const KEPT_BOOT = "clock kept boot";
const KEPT_UPTIME = "clock kept uptime";
const DOUBTED = "clock doubted";
/** DOUBTED minus the time for which the untrusted clock has been steady, excluding downtime. */
const DOUBTED_SINCE = "clock doubted since";
/** When the current distrust began, by the appliance's own continued time. */
const CONTINUED = "clock continued";
/** The trusted time went back: earlier plans are too far in the future. */
const SET_BACK = "clock set back";
/** By how much the trusted time went forward: times recorded during the distrust are too far in the past. */
const SET_FORWARD = "clock set forward";

export interface StoredClock {
  believedAt: number | null;
  /** Later than `believedAt` in the first minutes after a start, and during the first day after a long downtime. */
  kept: { at: number; uptime: Uptime | null } | null;
  /** The last sign of life in a database from before these rows; null in an empty one. */
  lastSignAt: number | null;
  /** The last reading of the clock while it was not trusted. */
  doubt: { at: number; steadyMs: number } | null;
  /** Null while the clock is trusted. */
  continuedSince: number | null;
  isSetBack: boolean;
  setForwardMs: number | null;
}

/** A forward jump of the trusted time, at the end of a period of distrust. */
export interface SetForward {
  /** Start of the distrust; times since then were recorded by elapsed time. Null if unknown. */
  since: number | null;
  /** The trusted time after the jump. */
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

/** Elapsed time since then; null if the machine was restarted meanwhile. */
export function sinceKept({ uptime }: { uptime: Uptime | null }, now: Uptime | null): number | null {
  return uptime !== null && uptime.bootId === now?.bootId ? Math.max(0, now.ms - uptime.ms) : null;
}

/** Calls may go out by this clock. Erasing by age may still have to wait. */
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

/** A person confirms the clock. Plans made meanwhile may be too far in the future or the past. */
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
