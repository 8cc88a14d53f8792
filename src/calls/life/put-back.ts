// Requeues a call whose trunk failed before any phone rang, because the callee has no part in the failure.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { UNTIL_RELEASED_MS } from "../../db/backup/hold-due-calls.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import { forgetBasis } from "../queue/dial-basis-store.ts";
import { CAMPAIGN_PAUSED } from "../queue/policy.ts";
import { releaseHeldFor } from "../queue/queue-store.ts";
import { applyEventToRead } from "../call/store.ts";
import { deleteLeg } from "./leg-store.ts";

/** `unwanted`: the feature that planned the call retries by itself, or has dropped the call. */
export type PutBackVerdict = "wait" | "paused" | "unwanted";

/** The interval of trunk health checks. A trunk that recovers releases its calls sooner. */
const SOONEST_MS = 30 * SECOND_MS;
/** Longest backoff, for a number that its trunk always refuses. */
const LATEST_MS = 5 * MINUTE_MS;

/** Backoff: half of the call's lateness so far, so it needs no attempt counter. */
export function putBackDelayMs(lateMs: number): number {
  return Math.min(Math.max(lateMs / 2, SOONEST_MS), LATEST_MS);
}

/** `call` must be read in this transaction. False if it has rung or ended meanwhile. */
export async function putBack(tx: Tx, call: Call, verdict: PutBackVerdict, now: number): Promise<boolean> {
  if (verdict === "unwanted" || call.direction === "inbound") return false;
  const isPaused = verdict === "paused";
  const waiting = await applyEventToRead(tx, call, "put_back", {
    hold_reason: isPaused ? CAMPAIGN_PAUSED : "trunk_unavailable",
    next_at: isPaused ? UNTIL_RELEASED_MS : now + Math.round(putBackDelayMs(now - call.scheduled_at)),
    // Lateness counts from the first failure of the trunk (queue/lateness.ts).
    blocked_since: isPaused ? null : (call.blocked_since ?? now),
    phone_number_id: null,
    triggered_at: null,
    recording_file: null,
    updated_at: now,
  });
  if (!waiting) return false;
  await deleteLeg(tx, call.id);
  await forgetBasis(tx, call.id);
  await releaseHeldFor(tx, call, now);
  return true;
}
