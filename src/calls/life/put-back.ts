// Puts a call back into the queue when its trunk failed before any phone rang: the callee has no part in that.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { UNTIL_RELEASED_MS } from "../../db/backup/hold-due-calls.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import { CAMPAIGN_PAUSED } from "../queue/policy.ts";
import { releaseHeldFor } from "../queue/queue-store.ts";
import { applyEventToRead } from "../call/store.ts";
import { deleteLeg } from "./leg-store.ts";

/** `unwanted`: the feature that planned the call tries again by itself, or has given it up meanwhile. */
export type PutBackVerdict = "wait" | "paused" | "unwanted";

/** As often as a health check of a trunk; a trunk that comes back releases its calls sooner. */
const SOONEST_MS = 30 * SECOND_MS;
/** A number that its trunk always refuses is not tried more often than this. */
const LATEST_MS = 5 * MINUTE_MS;

/** Half of the time that the call is late already: attempts become rarer without a counter. */
export function putBackDelayMs(lateMs: number): number {
  return Math.min(Math.max(lateMs / 2, SOONEST_MS), LATEST_MS);
}

/** `call` as this transaction has read it. False where it has rung meanwhile, or is over. */
export async function putBack(tx: Tx, call: Call, verdict: PutBackVerdict, now: number): Promise<boolean> {
  if (verdict === "unwanted" || call.direction === "inbound") return false;
  const isPaused = verdict === "paused";
  const waiting = await applyEventToRead(tx, call, "put_back", {
    hold_reason: isPaused ? CAMPAIGN_PAUSED : "trunk_unavailable",
    next_at: isPaused ? UNTIL_RELEASED_MS : now + Math.round(putBackDelayMs(now - call.scheduled_at)),
    // It goes on being late from the first time that its trunk failed (queue/lateness.ts).
    blocked_since: isPaused ? null : (call.blocked_since ?? now),
    phone_number_id: null,
    triggered_at: null,
    recording_file: null,
    updated_at: now,
  });
  if (!waiting) return false;
  await deleteLeg(tx, call.id);
  await releaseHeldFor(tx, call, now);
  return true;
}
