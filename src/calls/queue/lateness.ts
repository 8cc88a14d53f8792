// Decides whether a call is overdue. Lateness counts only causes outside the queue: a trunk that is down, an agent
// without a number, an appliance that was off. Calling hours, busy lines, paused campaigns and chosen times do not
// count. Pure.
import { nextAllowedInstant, type OpenHours } from "../../agents/calling-hours.ts";
import { calleeZones } from "../../core/callee-zone.ts";
import { MINUTE_MS } from "../../core/clock.ts";
import type { Agent } from "../../agents/records.ts";
import { placeOf } from "../call/new-call.ts";
import type { Call } from "../call/records.ts";
import { CLOCK_NOT_TRUSTED, LEGAL_WAITS, QUESTION_PENDING, type HoldReason } from "./policy.ts";

const BLOCKING: readonly HoldReason[] = [
  "trunk_unavailable",
  "number_has_no_trunk",
  "agent_has_no_number",
  CLOCK_NOT_TRUSTED,
  "question_unanswered",
];
/** These neither cause lateness nor end it. */
const NEUTRAL: readonly HoldReason[] = ["outside_calling_hours", ...LEGAL_WAITS, QUESTION_PENDING];

export function latestMs({ latest_minutes }: Pick<Agent, "latest_minutes">, defaultMinutes: number): number {
  return (latest_minutes ?? defaultMinutes) * MINUTE_MS;
}

/** `blocked_since` of a call that is held for `reason` from now on. Closing hours do not reset the lateness. */
export function blockedSince({ blocked_since }: Pick<Call, "blocked_since">, reason: HoldReason, now: number) {
  if (BLOCKING.includes(reason)) return blocked_since ?? now;
  return NEUTRAL.includes(reason) ? blocked_since : null;
}

/** From `next_at` on the call may be dialled, and waits at most for a free line. */
export function isOverdue({ blocked_since, next_at }: Pick<Call, "blocked_since" | "next_at">, lateMs: number) {
  return blocked_since !== null && next_at - blocked_since > lateMs;
}

export interface Absence {
  /** Last moment at which due calls were dialled. */
  since: number;
  now: number;
}

/** Whether a call became overdue while no call could be dialled at all. Its calling hours may have opened meanwhile. */
export function isOverdueAfter(
  { since, now }: Absence,
  call: Pick<Call, "blocked_since" | "next_at" | "contact_number" | "contact_time_zone" | "contact_region">,
  hours: OpenHours | null,
  lateMs: number,
): boolean {
  const from = Math.max(since, call.next_at);
  const couldGoAt =
    call.blocked_since ??
    (hours ? nextAllowedInstant(hours, calleeZones(call.contact_number, placeOf(call)), from) : from);
  return couldGoAt !== null && now - couldGoAt > lateMs;
}
