// Whether a call may be dialled now: the rules in their order, pure. Refusals end the call, holds let it wait with a reason.
import { nextAllowedInstant, type CallingHours } from "../agents/calling-hours.ts";
import { calleeZones } from "../core/callee-zone.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import { RESTORED_HOLD } from "../db/backup/hold-due-calls.ts";
import type { Room } from "../telephony/port.ts";

export const HOLD_REASONS = [
  "waiting_for_line",
  "number_in_call",
  "number_lines_busy",
  "outside_calling_hours",
  "agent_has_no_number",
  "number_has_no_trunk",
  "trunk_unavailable",
  "trunk_lines_busy",
  "overloaded",
  // Set by a restore alone, and taken away by a person alone; see restored-calls.ts.
  RESTORED_HOLD,
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export type RefusalCode = "insufficient_credits" | "do_not_disturb";

export interface PolicyFacts {
  now: number;
  contactNumber: string;
  /** Null where credits are unlimited. */
  creditsLeft: number | null;
  /** What one minute of this call and of every live call of the organisation may cost. */
  creditsNeeded: number;
  isDoNotDisturb: boolean;
  callingHours: CallingHours | null;
  contactIsInCall: boolean;
  /** Lines of the agent's own numbers. */
  agentHasNumber: boolean;
  freeNumberLines: number;
  /** What the carrier says of the trunk behind the number that would be used. */
  room: Room;
}

export type Verdict =
  | { kind: "dial" }
  | { kind: "refuse"; code: RefusalCode; message: string }
  | { kind: "hold"; reason: HoldReason; until: number };

/** How soon to look again where another call's end is what is waited for. Each end also wakes the dispatcher. */
const LOOK_AGAIN_MS = 5 * SECOND_MS;
/** A trunk may be away for hours with thousands of calls waiting; the moment it is back they are released at once. */
const LOOK_AT_TRUNK_AGAIN_MS = MINUTE_MS;

export function judge(facts: PolicyFacts): Verdict {
  const { now } = facts;
  const lookAgain = (reason: HoldReason): Verdict => ({ kind: "hold", reason, until: now + LOOK_AGAIN_MS });

  if (facts.isDoNotDisturb) {
    return { kind: "refuse", code: "do_not_disturb", message: "The number is on the do-not-disturb list." };
  }
  if (facts.creditsLeft !== null && facts.creditsLeft < facts.creditsNeeded) {
    return {
      kind: "refuse",
      code: "insufficient_credits",
      message: "The organisation has too few credits for this call.",
    };
  }
  if (facts.callingHours) {
    const allowedAt = nextAllowedInstant(facts.callingHours, calleeZones(facts.contactNumber), now);
    if (allowedAt !== now) return { kind: "hold", reason: "outside_calling_hours", until: allowedAt ?? now + HOUR_MS };
  }
  if (!facts.agentHasNumber) return lookAgain("agent_has_no_number");
  if (facts.contactIsInCall) return lookAgain("number_in_call");
  if (facts.freeNumberLines <= 0) return lookAgain("number_lines_busy");
  const { room } = facts;
  if (room.kind === "closed") {
    return { kind: "hold", reason: room.reason, until: room.until ?? now + LOOK_AT_TRUNK_AGAIN_MS };
  }
  if (room.lines <= 0) return lookAgain("trunk_lines_busy");
  return { kind: "dial" };
}
